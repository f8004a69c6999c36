import { Option } from 'commander';
import type { Command } from 'commander';
import { addBudgetOptions, addTimeOptions, cancelFileOption } from '../options/cancel-options.ts';
import { parseBudget } from '../options/durations.ts';
import { addHookOptions } from '../options/hook-options.ts';
import { parsed, someText } from '../options/values.ts';
import { runWatched } from '../run-watched.ts';
import type { RunValues } from '../run-watched.ts';
import { checkTargets } from '../target-files.ts';

const help = `
Examples:
  trtscope run -- polygraphy convert model.onnx -o model.engine --convert-to trt
  trtscope run --budget 5m -- trtexec --onnx=model.onnx --saveEngine=model.engine
  trtscope run --otlp http://localhost:4318 --progress none -- python build.py

Exit codes: the command's own, or 128 and the signal that ended it; but
  124  a budget or the deadline was over       3    cancelled otherwise, as by --cancel-file
  129, 130, 143  a build was cancelled by SIGHUP, SIGINT (Ctrl-C), SIGTERM
  125  wrong usage, or a fault of trtscope     126, 127  the command cannot be run, or is not there

Every process that the command starts is watched, if it is linked dynamically and keeps its environment.`;

export function addRunCommand(program: Command, done: (exitCode: number) => void): void {
  const command = program
    .command('run')
    .summary('run a command and watch every TensorRT build in it')
    .description('Runs a command, unchanged, and watches every TensorRT build of all its processes.')
    .argument('<command...>', 'the command and its words, after --')
    .passThroughOptions();
  addHookOptions(command);
  command.addOption(
    parsed('--result <file>', 'write how the command and each build ended, as JSON', someText),
  );
  addBudgetOptions(command);
  for (const option of [
    parsed('--run-budget <duration>', 'cancel when the command takes longer', parseBudget),
    cancelFileOption(),
    new Option('--preserve-status', "exit with the command's own code, also when it was cancelled"),
  ]) {
    command.addOption(option);
  }
  addTimeOptions(command);
  command.addHelpText('after', help);
  command.action(async (words: readonly string[], values: RunValues) => {
    checkTargets(
      [{ option: '--result', path: values.result }],
      [{ option: '--cancel-file', path: values.cancelFile }],
    );
    done(await runWatched(words, values));
  });
}
