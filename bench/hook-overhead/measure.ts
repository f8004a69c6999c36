import { runAlone, runWatched } from '../../packages/cli/test/watched-run.ts';
import type { Ended } from '../../packages/cli/test/command.ts';

/** A build watched and one not. */
export interface Pair {
  /** User and system time of the building process. */
  readonly watchedCpuSeconds: number;
  readonly aloneCpuSeconds: number;
  /** Of the watched build: what was spent inside our callbacks, and the whole. */
  readonly callbacksNs: number;
  readonly durationNs: number;
}

export interface Overhead {
  /** The part of the builds that was spent inside our callbacks: of all together, and of each. */
  readonly inCallbacks: { readonly all: number; readonly median: number; readonly highest: number };
  /** Geometric mean of the pairs, and the ends of its 95 % interval. */
  readonly cpuRatio: { readonly mean: number; readonly low: number; readonly high: number };
}

// The shell waits for the process, and tells what the kernel says it has used.
const timed = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" > /dev/null 2>&1';

/** Builds twice; which one is first changes from number to number. */
export async function measurePair(build: readonly string[], folder: string, number: number): Promise<Pair> {
  const command = ['bash', '-c', timed, ...build];
  const watch = () => runWatched(folder, command);
  const before = number % 2 === 0 ? await watch() : undefined;
  const alone = await runAlone(command);
  const { ended, report } = before ?? (await watch());
  const [built, ...others] = report.builds;
  if (built?.outcome !== 'built' || others.length > 0) throw new Error(`not one build: ${ended.stderr}`);
  return {
    watchedCpuSeconds: cpuSecondsOf(ended),
    aloneCpuSeconds: cpuSecondsOf(alone),
    callbacksNs: built.callbacks?.ns ?? Number.NaN,
    durationNs: built.durationNs,
  };
}

export function overheadOf(pairs: readonly Pair[]): Overhead {
  const inCallbacks = pairs.map((pair) => pair.callbacksNs / pair.durationNs).toSorted((a, b) => a - b);
  const logs = pairs.map((pair) => Math.log(pair.watchedCpuSeconds / pair.aloneCpuSeconds));
  const mean = sum(logs) / logs.length;
  const deviation = Math.sqrt(sum(logs.map((value) => (value - mean) ** 2)) / (logs.length - 1));
  const halfWidth = (studentT(logs.length - 1) * deviation) / Math.sqrt(logs.length);
  return {
    inCallbacks: {
      all: sum(pairs.map((pair) => pair.callbacksNs)) / sum(pairs.map((pair) => pair.durationNs)),
      median: inCallbacks[Math.floor(inCallbacks.length / 2)] ?? Number.NaN,
      highest: inCallbacks.at(-1) ?? Number.NaN,
    },
    cpuRatio: {
      mean: Math.exp(mean),
      low: Math.exp(mean - halfWidth),
      high: Math.exp(mean + halfWidth),
    },
  };
}

function cpuSecondsOf({ code, stderr }: Ended): number {
  const [, user, system] = /^(\d+\.\d+) (\d+\.\d+)$/mu.exec(stderr) ?? [];
  if (code !== 0 || user === undefined) throw new Error(`it ended with ${code}: ${stderr}`);
  return Number(user) + Number(system);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The 97.5 % quantile of Student's distribution, within 0.1 % from 4 degrees of freedom on (Cornish and Fisher). */
function studentT(degrees: number): number {
  const z = 1.959964;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((total, term, index) => total + term / degrees ** (index + 1), z);
}
