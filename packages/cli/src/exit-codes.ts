import { constants } from 'node:os';
import type { BuildResult, CancelReason } from '@trtscope/core';

export const exitCodes = { built: 0, failed: 1, usage: 2, cancelled: 3, timeUp: 124 } as const;

/** What the command exits with when a build has ended so. */
export function exitCodeOf(result: BuildResult): number {
  switch (result.outcome) {
    case 'built':
      return exitCodes.built;
    case 'failed':
      return exitCodes.failed;
    case 'cancelled':
      return cancelExitCode(result.cancel);
  }
}

/** What a command that was cancelled exits with, by who cancelled it. */
export function cancelExitCode({ source, detail }: CancelReason): number {
  if (source === 'budget' || source === 'deadline') {
    return exitCodes.timeUp;
  }
  return source === 'os-signal' ? signalExitCode(detail) : exitCodes.cancelled;
}

/** What a shell gives for a command that a signal has ended: 128 and the signal's number. */
export function signalExitCode(signal: string | undefined): number {
  const number = constants.signals[signal as NodeJS.Signals];
  return number === undefined ? exitCodes.cancelled : 128 + number;
}

/** Of `trtscope run`, as env(1) has them: a fault of ours, a command that cannot be run, one that is not there. */
export const runExitCodes = { fault: 125, notExecutable: 126, notFound: 127 } as const;
