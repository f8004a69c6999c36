import { closeSync } from 'node:fs';
import { basename } from 'node:path';
import { isatty } from 'node:tty';
import type { CancelReason } from '@trtscope/core';
import { replaceFile } from '@trtscope/core/recording';
import { fileTrigger } from '@trtscope/core/triggers';
import type { CommandResult, CommandRun } from '@trtscope/native';
import { cancelExitCode, runExitCodes, signalExitCode } from './exit-codes.ts';
import { complain, messageOf } from './messages.ts';
import { readCancelOptions } from './options/cancel-options.ts';
import type { CancelValues } from './options/cancel-options.ts';
import type { HookValues } from './options/hook-options.ts';
import { ShownBuilds } from './shown-builds.ts';
import { startTelemetry } from './telemetry.ts';

export interface RunValues extends HookValues, Omit<CancelValues, 'cancelOnStdin'> {
  readonly result?: string;
  readonly runBudget?: number;
  readonly preserveStatus?: boolean;
}

/** Runs a command under watch, shows its builds, and resolves to the exit code when all of that is done. */
export async function runWatched(command: readonly string[], values: RunValues): Promise<number> {
  const { startCommand, watchSignals } = await import('@trtscope/native');
  const telemetry = await startTelemetry(values);
  const trace = telemetry.run?.(basename(command[0] ?? ''));
  const shown = new ShownBuilds(telemetry, trace, values);
  const seen = new Set<string>();
  let run: CommandRun | undefined;
  const endSignals = watchSignals((signal, forAll) => {
    if (!forAll) run?.signal(signal);
    if (signal !== 'SIGINT' && signal !== 'SIGTERM' && signal !== 'SIGHUP') return;
    // What is not building may do with it what it likes.
    for (const build of run?.builds ?? []) {
      if (seen.has(signal)) build.escalate();
      else build.cancel({ source: 'os-signal', message: `received ${signal}`, detail: signal });
    }
    seen.add(signal);
  });
  run = await startCommand(command, {
    ...readCancelOptions(values),
    ...(values.grace !== undefined && { graceMs: values.grace }),
    ...(values.runBudget !== undefined && { runBudgetMs: values.runBudget }),
    ...(values.allowUid !== undefined && { allowUsers: values.allowUid }),
    ...(values.verbose === true && { verbose: true }),
    env: { ...process.env, ...trace?.environment },
    alone: true,
    onBuild: (build, traceparent) => shown.add(build, traceparent),
    onNotice: (sentence) => shown.note(sentence),
  });
  if (values.cancelFile !== undefined) fileTrigger(run, values.cancelFile);
  const result = await run.result;
  endSignals();
  await shown.done();
  if (!result.watched && result.refused === undefined) shown.note(notWatched);
  trace?.end({ exitCode: result.exitCode, signal: result.signal, builds: result.builds.length });
  await keepResult(result, values.result);
  await telemetry.flush();
  process.once('exit', leaveTerminal);
  return exitCodeOf(result, values.preserveStatus === true);
}

// Node sets a terminal back to how it found it, but not one that is closed: what a command such as stty has set is to stay.
function leaveTerminal(): void {
  for (const fd of [0, 1, 2]) if (isatty(fd)) closeSync(fd);
}

const notWatched =
  'no process used TensorRT under watch: either none built, or it is linked statically, clears its environment, or is of another architecture.';

async function keepResult(result: CommandResult, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  try {
    await replaceFile(path, `${JSON.stringify(result, undefined, 2)}\n`);
  } catch (error) {
    complain(`The result "${path}" could not be written: ${messageOf(error)}.`);
  }
}

function exitCodeOf(result: CommandResult, preserves: boolean): number {
  const { refused, exitCode, signal } = result;
  if (refused !== undefined) {
    const missing = refused.code === 'ENOENT';
    complain(`"${result.command[0]}" ${missing ? 'was not found' : `cannot be run: ${refused.message}`}.`);
    return missing ? runExitCodes.notFound : runExitCodes.notExecutable;
  }
  const reason = preserves ? undefined : reasonOf(result);
  if (reason !== undefined) return cancelExitCode(reason);
  return exitCode ?? signalExitCode(signal ?? undefined);
}

/** The first cancel of ours that a build or the command was ended by. */
function reasonOf(result: CommandResult): CancelReason | undefined {
  const ofBuilds = result.builds.flatMap((build) =>
    build.outcome === 'cancelled' && build.cancel.source !== 'program' ? [build.cancel] : [],
  );
  return result.cancel ?? ofBuilds[0];
}
