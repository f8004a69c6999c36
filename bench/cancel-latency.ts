// How long a cancel takes:
//
//   node bench/cancel-latency.ts [--cancels N] [--seed N] [--json]     default: 200 in processes; the seed of an earlier run has the same moments
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { prepareTensorrt } from '../scripts/tensorrt.ts';
import { faultsOf, measureCancelLatency } from './cancel-latency/measure.ts';
import { latencyTable, spreadsOf } from './cancel-latency/table.ts';

const { values } = parseArgs({
  options: { cancels: { type: 'string' }, seed: { type: 'string' }, json: { type: 'boolean' } },
});
const cancels = wholeNumber('cancels', values.cancels ?? '200');
const seed = wholeNumber('seed', values.seed ?? `${randomInt(2 ** 32)}`);
await prepareTensorrt();
const latency = await measureCancelLatency(cancels, seed);
if (values.json === true) {
  const groups = latency.groups.map((group) => ({ ...group, ...spreadsOf(group.trials) }));
  console.log(JSON.stringify({ ...latency, groups }));
} else {
  console.log(latencyTable(latency));
}
const faults = faultsOf(latency);
if (faults.length > 0) {
  console.error(
    `trtscope: ${faults.length} cancels took too long or left something: ${JSON.stringify(faults)}`,
  );
  process.exitCode = 1;
}

function wholeNumber(option: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  console.error(`trtscope: --${option} takes a whole number, such as 200, not "${text}".`);
  process.exit(2);
}
