import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CancelReport } from '../../packages/core/src/index.ts';
import { startEngineBuild } from '../../packages/native/src/index.ts';
import type { Isolation } from '../../packages/native/src/index.ts';
import { record } from '../../packages/native/test/recorded-build.ts';
import { isRunning } from '../../packages/native/test/running.ts';

/** How a build ended that was cancelled at a random moment. */
export interface CancelTrial {
  /** Milliseconds since the build began. */
  readonly requestedAtMs: number;
  readonly escalation: CancelReport['escalation'];
  /** Absent when the engine was in place before anything answered. */
  readonly answeredBy?: 'step' | 'between' | 'exit';
  /** From the request until TensorRT came back to us; absent when its process was ended before it did. */
  readonly answeredAfterMs?: number;
  /** From the request until the result was there. */
  readonly returnedAfterMs: number;
  readonly tooLate: boolean;
  /** Files and processes that are there and should not be. */
  readonly left: readonly string[];
}

export interface CancelSubject {
  readonly model: string;
  readonly isolation: Isolation;
  readonly graceMs: number;
  /** Holds nothing but what the builds make. */
  readonly folder: string;
}

// The longest that a timer takes.
const never = 2 ** 31 - 1;

/** Cancels so many builds, each at a moment before its end; `random` answers numbers from 0 to 1. */
export async function cancelAtRandom(
  subject: CancelSubject,
  count: number,
  random: () => number,
): Promise<CancelTrial[]> {
  let { wholeMs } = await buildOnce(subject);
  const trials: CancelTrial[] = [];
  while (trials.length < count) {
    const { trial, wholeMs: endedMs } = await buildOnce(subject, random() * wholeMs);
    if (trial !== undefined) trials.push(trial);
    // It ended before it was cancelled: the machine has become faster.
    else wholeMs = Math.min(wholeMs, endedMs);
  }
  return trials;
}

async function buildOnce(
  { model, isolation, graceMs, folder }: CancelSubject,
  cancelAtMs = never,
): Promise<{ readonly wholeMs: number; readonly trial?: CancelTrial }> {
  const output = join(folder, 'm.engine');
  const build = startEngineBuild({ model, output, isolation, graceMs });
  const recorded = record(build);
  let requestedMs = 0;
  const timer = setTimeout(() => {
    requestedMs = performance.now();
    build.cancel();
  }, cancelAtMs);
  await build.result;
  const returnedAfterMs = performance.now() - requestedMs;
  clearTimeout(timer);
  const { result, events } = await recorded;
  const { outcome, cancel, durationNs } = result;
  if (outcome === 'failed') throw new Error(`The build failed: ${JSON.stringify(result.error)}`);

  const pids = events.flatMap((event) => (event.type === 'build.started' ? (event.pid ?? []) : []));
  const left = pids.filter((pid) => pid !== process.pid && isRunning(pid)).map((pid) => `process ${pid}`);
  if (outcome === 'built') rmSync(output);
  left.push(...readdirSync(folder));
  const wholeMs = durationNs / 1e6;
  if (cancel === undefined) return { wholeMs };
  const { acknowledged, escalation, requestedAtNs, tooLate } = cancel;
  const answered = acknowledged !== undefined && acknowledged.by !== 'exit';
  return {
    wholeMs,
    trial: {
      requestedAtMs: requestedAtNs / 1e6,
      escalation,
      ...(acknowledged && { answeredBy: acknowledged.by }),
      ...(answered && { answeredAfterMs: (acknowledged.atNs - requestedAtNs) / 1e6 }),
      returnedAfterMs,
      tooLate,
      left,
    },
  };
}
