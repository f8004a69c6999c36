import { once } from 'node:events';
import type { Command } from 'commander';
import type { CancelValues } from '../options/cancel-options.ts';
import { addBudgetOptions, addTimeOptions, readCancelOptions } from '../options/cancel-options.ts';
import { addHookOptions } from '../options/hook-options.ts';
import type { HookValues } from '../options/hook-options.ts';
import { parsed, someText } from '../options/values.ts';
import { ShownBuilds } from '../shown-builds.ts';
import { startTelemetry } from '../telemetry.ts';
import { UsageError } from '../usage-error.ts';

interface WatchValues extends HookValues, Omit<CancelValues, 'cancelFile' | 'cancelOnStdin'> {
  readonly socket: string;
}

const help = `
Examples:
  trtscope watch --socket /run/trtscope/hook --otlp http://localhost:4318
  eval "$(trtscope env --socket /run/trtscope/hook)" && python build.py

Until Ctrl-C or SIGTERM. The programs go on then, unwatched.`;

export function addWatchCommand(program: Command, done: (exitCode: number) => void): void {
  const command = program
    .command('watch')
    .summary('watch the builds of programs that connect by themselves')
    .description('Watches every TensorRT build of programs that have the variables of trtscope env.');
  command.addOption(parsed('--socket <path>', 'where to listen', someText).makeOptionMandatory());
  addHookOptions(command);
  addBudgetOptions(command);
  addTimeOptions(command);
  command.addHelpText('after', help);
  command.action(async (values: WatchValues) => {
    await watch(values);
    done(0);
  });
}

async function watch(values: WatchValues): Promise<void> {
  const { watchPrograms } = await import('@trtscope/native');
  const telemetry = await startTelemetry(values);
  const shown = new ShownBuilds(telemetry, undefined, values);
  const ended = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
  const watching = await watchPrograms(values.socket, {
    ...readCancelOptions(values),
    ...(values.grace !== undefined && { graceMs: values.grace }),
    ...(values.allowUid !== undefined && { allowUsers: values.allowUid }),
    ...(values.verbose === true && { verbose: true }),
    onBuild: (build, traceparent) => shown.add(build, traceparent),
    onNotice: (sentence) => shown.note(sentence),
  }).catch((error: unknown) => {
    throw error instanceof TypeError || error instanceof RangeError
      ? new UsageError(`--socket: ${error.message}`, { cause: error })
      : error;
  });
  shown.note(`watching at ${watching.path}`);
  await ended;
  await watching.close();
  await shown.done();
  await telemetry.flush();
}
