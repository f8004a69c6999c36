// Makes many builds in a row on one AbortSignal, and says what this process holds in between:
//
//   node --expose-gc many-builds.ts OPTIONS-AS-JSON COUNT EVERY
import { getEventListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { startEngineBuild } from '../src/index.ts';
import type { EngineBuildOptions } from '../src/index.ts';

/** What a process held after so many builds. */
export interface Holding {
  readonly builds: number;
  /** Of JavaScript, after a collection. */
  readonly heapBytes: number;
  /** Of all that is in memory, native code's too. */
  readonly residentBytes: number;
  readonly listeners: number;
  readonly threads: number;
  readonly files: number;
}

const options = JSON.parse(process.argv[2] ?? '') as EngineBuildOptions;
const count = Number(process.argv[3]);
const every = Number(process.argv[4]);
const { signal } = new AbortController();

const holdings: Holding[] = [];
for (let builds = 1; builds <= count; builds += 1) {
  const result = await startEngineBuild(options, { signal }).result;
  if (result.outcome !== 'built') throw new Error(`Build ${builds} is ${JSON.stringify(result)}`);
  if (builds % every === 0) holdings.push(await hold(builds));
}
console.log(JSON.stringify(holdings));

async function hold(builds: number): Promise<Holding> {
  // What a build lets go of only at its end is garbage a turn of the event loop later.
  for (let again = 0; again < 3; again += 1) {
    await turn();
    globalThis.gc?.();
  }
  const { heapUsed: heapBytes, rss: residentBytes } = process.memoryUsage();
  const onProcess = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return {
    builds,
    heapBytes,
    residentBytes,
    listeners: getEventListeners(signal, 'abort').length + onProcess,
    threads: readdirSync('/proc/self/task').length,
    files: readdirSync('/proc/self/fd').length,
  };
}
