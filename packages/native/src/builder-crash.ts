import type { FailureFacts } from '@trtscope/core';
import type { BuilderExit } from './builder-process.ts';
import type { Rung } from './cancel-ladder.ts';

/** What is known of a builder process that ended before its build did. */
export interface Crash {
  readonly exit: BuilderExit;
  readonly path: string;
  /** The kernel counted a kill for want of memory while it ran. */
  readonly outOfMemory: boolean;
  readonly openPath: readonly string[];
  readonly errorWords: string;
}

const stopSignals: ReadonlySet<NodeJS.Signals | null> = new Set(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGKILL']);

/** Whether a builder process that left without a last word did so because of a cancel. A crash of its own after a mere request is one. */
export function wasStopped(exit: BuilderExit, rung: Rung | undefined): boolean {
  if (rung === undefined || exit.refused !== undefined) return false;
  return rung !== 'ask' || exit.code === 0 || stopSignals.has(exit.signal);
}

/** A crash as a failed build tells it. */
export function crashFacts(crash: Crash): FailureFacts {
  const { exit, openPath, errorWords } = crash;
  const phase = openPath.at(-1);
  const where = phase === undefined ? '' : ` in the phase "${phase}"`;
  const words = errorWords === '' ? '' : ` Its last words: ${errorWords.split('\n').slice(-5).join(' | ')}`;
  const message =
    exit.refused === undefined
      ? `The builder process ${endOf(crash)}${where}; ${remedyOf(crash)}.${words}`
      : `"${crash.path}" could not be started (${exit.refused.message}); check its permissions and the limits of this process.`;
  return {
    code: exit.refused === undefined ? 'BUILDER_CRASHED' : 'BUILDER_MISSING',
    message,
    ...(openPath.length > 0 && { phasePath: openPath }),
  };
}

function endOf({ exit, outOfMemory }: Crash): string {
  if (exit.signal === null) return `exited with code ${exit.code} before the build had ended`;
  return outOfMemory && exit.signal === 'SIGKILL'
    ? 'was killed by the kernel for want of memory'
    : `was ended by ${exit.signal}`;
}

function remedyOf({ exit, outOfMemory }: Crash): string {
  if (exit.signal === 'SIGKILL') {
    return outOfMemory
      ? 'give the machine more memory, or the build less with memPoolSize'
      : 'somebody killed it, or the kernel did for want of memory (see dmesg)';
  }
  if (exit.signal === null) return 'the log lines before may say why';
  return stopSignals.has(exit.signal)
    ? 'somebody else stopped it'
    : 'TensorRT, its driver or a plugin crashed; the log lines before may say why';
}
