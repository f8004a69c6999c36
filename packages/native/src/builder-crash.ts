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
  /** The last error lines of TensorRT's log. */
  readonly errorLines: readonly string[];
  /** The last that it wrote to its standard error. */
  readonly errorWords: string;
}

const stopSignals: ReadonlySet<NodeJS.Signals | null> = new Set(['SIGHUP', 'SIGINT', 'SIGTERM']);

/**
 * Whether a builder process that left without a last word did so because of a cancel. While it was merely asked to, only
 * what reaches a whole group of processes is taken for one: any other signal, SIGKILL too, is not ours.
 */
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

function endOf(crash: Crash): string {
  const { code, signal } = crash.exit;
  const why = ranOutOfMemory(crash) ? 'ran out of memory and ' : '';
  if (signal === null) return `${why}exited with code ${code} before the build had ended`;
  return `${why}was ended by ${signal}${wasKilledByKernel(crash) ? ' from the kernel' : ''}`;
}

function remedyOf(crash: Crash): string {
  const { signal } = crash.exit;
  if (ranOutOfMemory(crash)) return 'give it more memory, or the build less with memPoolSize';
  if (signal === 'SIGKILL') return 'somebody killed it, or the kernel did for want of memory (see dmesg)';
  if (signal === null) return 'the log lines before may say why';
  return stopSignals.has(signal)
    ? 'somebody else stopped it'
    : 'TensorRT, its driver or a plugin crashed; the log lines before may say why';
}

function wasKilledByKernel({ exit, outOfMemory }: Crash): boolean {
  return outOfMemory && exit.signal === 'SIGKILL';
}

// TensorRT, CUDA, the C library and the C++ library each say it in their own words.
const outOfMemoryWords = /out ?of ?memory|cannot allocate memory|bad_alloc/iu;

function ranOutOfMemory(crash: Crash): boolean {
  const { errorLines, errorWords } = crash;
  return (
    wasKilledByKernel(crash) || [...errorLines, errorWords].some((words) => outOfMemoryWords.test(words))
  );
}
