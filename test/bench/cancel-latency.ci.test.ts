import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { faultsOf, measureCancelLatency } from '../../bench/cancel-latency/measure.ts';
import { latencyTable } from '../../bench/cancel-latency/table.ts';

// A machine with much else to do takes its time.
const patienceMs = 1_800_000;

test(
  '200 cancels at random moments of real builds end within two graces and a quarter of a second, and leave nothing',
  { timeout: patienceMs },
  async () => {
    const latency = await measureCancelLatency(200, randomInt(2 ** 32));
    console.log(latencyTable(latency));
    const inProcesses = latency.groups.filter(({ isolation }) => isolation === 'process');
    expect(inProcesses.flatMap(({ trials }) => trials)).toHaveLength(200);
    expect(faultsOf(latency)).toEqual([]);
  },
);
