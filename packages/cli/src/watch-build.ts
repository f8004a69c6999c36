import { isTrtscopeError } from '@trtscope/core';
import type { Attachment, Build, BuildResult } from '@trtscope/core';
import { recordTo, replaceFile } from '@trtscope/core/recording';
import { chooseProgress, createReporter } from '@trtscope/core/reporters';
import { fileTrigger, osSignals, stdinTrigger } from '@trtscope/core/triggers';
import { exitCodeOf } from './exit-codes.ts';
import { complain, messageOf } from './messages.ts';
import type { StopValues } from './options/cancel-options.ts';
import type { WatchOptions } from './options/watch-options.ts';
import { startTelemetry } from './telemetry.ts';
import { UsageError } from './usage-error.ts';

const readerMs = 3000;

/**
 * Starts a build, shows and records it as asked, and resolves to the exit code when all of that is done. What `start` throws
 * for a bad option or file becomes a UsageError.
 */
export async function watchBuild(start: () => Build, options: WatchOptions & StopValues): Promise<number> {
  const telemetry = await startTelemetry(options);
  let build: Build;
  // A signal that comes meanwhile waits for osSignals, and does not end us with a file half done or a builder half begun.
  const meanwhile = signalled();
  try {
    build = start();
  } catch (error) {
    meanwhile.forget();
    await telemetry.flush();
    throw isUsage(error) ? new UsageError(messageOf(error), { cause: error }) : error;
  }
  // From here to the first `await`, one tick: nobody misses the build's beginning.
  osSignals(build);
  meanwhile.forget();
  if (options.cancelFile !== undefined) fileTrigger(build, options.cancelFile);
  if (options.cancelOnStdin === true) stdinTrigger(build);
  telemetry.trace(build);
  const progress = chooseProgress(options.progress ?? 'auto', process.stderr, process.env);
  const reporter = createReporter(progress, build, { verbose: options.verbose === true });
  const shown = reporter && build.attach(reporter);
  const recorded = options.record === undefined ? undefined : recordTo(build, options.record);

  const result = await build.result;
  // Somebody who sends a signal now does not want to wait for a reader any longer.
  const gone = signalled();
  const recording = await recorded;
  if (recording?.written === false) {
    complain(recording.error.message);
  }
  await keepResult(result, options.result);
  await readerDone(shown, result, gone.promise);
  if (progress === 'none' || progress === 'json') {
    complainOf(result);
  }
  await telemetry.flush();
  gone.forget();
  return exitCodeOf(result);
}

function isUsage(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) {
    return true;
  }
  return isTrtscopeError(error) && (error.code === 'MODEL_MISSING' || error.code === 'OUTPUT_UNWRITABLE');
}

/** Keeps signals from ending this process, and resolves at the first one. */
function signalled(): { readonly promise: Promise<void>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) {
    process.on(signal, resolve);
  }
  return {
    promise,
    forget: () => {
      for (const signal of signals) {
        process.off(signal, resolve);
      }
    },
  };
}

async function keepResult(result: BuildResult, path: string | undefined): Promise<void> {
  if (path === undefined) {
    return;
  }
  try {
    await replaceFile(path, `${JSON.stringify(result, undefined, 2)}\n`);
  } catch (error) {
    complain(`The result "${path}" could not be written: ${messageOf(error)}.`);
  }
}

/** Whoever reads our output may take all the time there is, until a signal ends the patience. */
async function readerDone(
  shown: Attachment | undefined,
  result: BuildResult,
  gone: Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    if (result.cancel?.source === 'os-signal') {
      timer = setTimeout(resolve, readerMs);
    }
  });
  await Promise.race([shown?.closed, gone, patience]);
  clearTimeout(timer);
}

function complainOf(result: BuildResult): void {
  if (result.outcome === 'failed') {
    const path = result.error.phasePath ?? [];
    complain(`${result.error.message}${path.length > 0 ? ` (in ${path.join(' > ')})` : ''}`);
  } else if (result.outcome === 'cancelled') {
    complain(`cancelled: ${result.cancel.message}`);
  }
}
