// npm test, behind scripts/bootstrap.mjs:
//
//   node scripts/test.ts [PROJECT…] [-- VITEST OPTION…]     PROJECT: unit, real or ci; default: unit and real
import { closingLine } from './closing-line.ts';
import { noTensorrtBecause, prepareTensorrt } from './tensorrt.ts';
import { countTestFiles, runVitest } from './vitest-run.ts';

const dashes = process.argv.indexOf('--');
const named = process.argv.slice(2, dashes === -1 ? undefined : dashes);
const more = dashes === -1 ? [] : process.argv.slice(dashes + 1);

const projects = named.length > 0 ? named : ['unit', 'real'];
const impossible = noTensorrtBecause === undefined ? [] : projects.filter((project) => project !== 'unit');
const possible = projects.filter((project) => !impossible.includes(project));

if (possible.some((project) => project !== 'unit')) await prepareTensorrt();
const { passed, failed, skipped } = await runVitest(possible, more);
// A file that is left out counts as one: nobody knows what it would have run.
const leftOut = impossible.reduce((sum, project) => sum + countTestFiles(project), 0);
if (leftOut > 0) {
  console.log(`\n${leftOut} files of tests on the real TensorRT-RTX are skipped: ${noTensorrtBecause}.`);
}
console.log(closingLine({ passed, failed, skipped: skipped + leftOut }));
if (failed > 0) process.exitCode = 1;
