// What the hook of `trtscope run` costs a real build:
//
//   node bench/hook-overhead.ts [--pairs N] [--json]     default: 20 builds watched, 20 not, in turn
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setupTensorrt } from '../packages/native/src/setup.ts';
import { compileProgram } from '../packages/cli/test/programs.ts';
import { prepareTensorrt } from '../scripts/tensorrt.ts';
import { measurePair, overheadOf } from './hook-overhead/measure.ts';
import type { Pair } from './hook-overhead/measure.ts';

const mostInCallbacks = 0.001;
const mostCpuRatio = 1.03;

const { values } = parseArgs({ options: { pairs: { type: 'string' }, json: { type: 'boolean' } } });
const count = Number(values.pairs ?? '20');
if (!Number.isSafeInteger(count) || count < 2) {
  console.error(`trtscope: --pairs takes a whole number from 2 on, not "${values.pairs}".`);
  process.exit(2);
}

const { model } = await prepareTensorrt();
const { library, parser } = await setupTensorrt();
const folder = mkdtempSync(join(tmpdir(), 'trtscope-bench-'));
const pairs: Pair[] = [];
try {
  const build = [compileProgram(folder), library, parser, model, join(folder, 'bench.engine')];
  // The first builds of a machine are slower than the rest.
  await measurePair(build, folder, 0);
  for (let number = 0; number < count; ++number) pairs.push(await measurePair(build, folder, number));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const overhead = overheadOf(pairs);
if (values.json === true) {
  console.log(JSON.stringify({ ...overhead, pairs }));
} else {
  const { inCallbacks, cpuRatio } = overhead;
  console.log(`${pairs.length} pairs of builds of light_resnet50, watched against unwatched`);
  console.log(
    `time inside our callbacks, of the builds: ${percent(inCallbacks.all)} (median ${percent(inCallbacks.median)}, highest ${percent(inCallbacks.highest)})`,
  );
  console.log(
    `user + system CPU of the building process: ratio ${ratio(cpuRatio.mean)}, 95 % interval ${ratio(cpuRatio.low)} to ${ratio(cpuRatio.high)}`,
  );
}
if (overhead.inCallbacks.all > mostInCallbacks || overhead.cpuRatio.high > mostCpuRatio) {
  console.error(
    `trtscope: the hook costs more than ${mostInCallbacks * 100} % in callbacks or a CPU ratio of ${mostCpuRatio}.`,
  );
  process.exitCode = 1;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(3)} %`;
}

function ratio(value: number): string {
  return value.toFixed(4);
}
