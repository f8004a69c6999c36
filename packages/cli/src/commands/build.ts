import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import type { EngineBuildOptions, Isolation } from '@trtscope/native';
import { addCancelOptions, readCancelOptions } from '../options/cancel-options.ts';
import type { CancelValues } from '../options/cancel-options.ts';
import { addEngineOptions, readEngineOptions } from '../options/engine-options.ts';
import type { EngineValues } from '../options/engine-options.ts';
import { oneOf, parsed, someText } from '../options/values.ts';
import { addWatchOptions } from '../options/watch-options.ts';
import type { WatchOptions } from '../options/watch-options.ts';
import { checkTargets } from '../target-files.ts';
import { watchBuild } from '../watch-build.ts';

interface BuildValues extends WatchOptions, CancelValues, EngineValues {
  readonly output?: string;
  readonly isolation?: Isolation;
  readonly tensorrt?: string;
}

const help = `
Examples:
  trtscope build model.onnx
  trtscope build model.onnx -o out/model.engine --budget 5m
  trtscope build model.onnx --phase-budget 'Timing*=2m' --quiet-budget 10m --cancel-file stop
  trtscope build model.onnx --minShapes=x:1x3x64x64 --optShapes=x:1x3x640x640 --maxShapes=x:1x3x1280x1280
  trtscope build model.onnx --otlp http://localhost:4318 --record build.jsonl --result build.json
  trtscope build model.onnx --progress json | jq -c 'select(.type == "phase.finished")'

Exit codes:
  0    the engine is built                     124  a budget or the deadline was over
  1    the build failed                        129, 130, 143  SIGHUP, SIGINT (Ctrl-C), SIGTERM
  2    wrong usage: nothing was started        3    cancelled otherwise, as by --cancel-file

Ctrl-C asks TensorRT to stop; again, its process is told to leave; once more, it is killed.`;

export function addBuildCommand(program: Command, done: (exitCode: number) => void): void {
  const command = program
    .command('build')
    .summary('build a TensorRT engine from an ONNX model')
    .description('Builds a TensorRT engine from an ONNX model, with live progress.')
    .argument('<model>', 'the ONNX file; external weights are found beside it');
  command.addOption(
    parsed(
      '-o, --output <engine>',
      "the engine file; default: the model's name with .engine, in the current folder",
      someText,
    ),
  );
  addWatchOptions(command);
  addCancelOptions(command);
  command.optionsGroup('TensorRT:');
  command.addOption(
    parsed(
      '--tensorrt <path>',
      'its library or the folder that has it; default: searched for, see trtscope doctor',
      someText,
    ),
  );
  command.addOption(
    parsed(
      '--isolation <kind>',
      "process (default): in one of its own, which a cancel always ends; thread: in this one, where a cancel waits for TensorRT's next step",
      oneOf(['process', 'thread']),
    ),
  );
  const profiles = addEngineOptions(command);
  command.addHelpText('after', help);
  command.action(async (model: string, values: BuildValues) => {
    const { parseShapes, startEngineBuild } = await import('@trtscope/native');
    const options: EngineBuildOptions = {
      ...readEngineOptions({ ...values }, profiles, parseShapes),
      model,
      output: values.output ?? `${basename(model, extname(model))}.engine`,
      ...(values.isolation !== undefined && { isolation: values.isolation }),
      ...(values.tensorrt !== undefined && { tensorrt: values.tensorrt }),
      ...(values.grace !== undefined && { graceMs: values.grace }),
      ...(values.verbose === true && { logSeverity: 'verbose' }),
    };
    checkTargets(
      [
        { option: '--record', path: values.record },
        { option: '--result', path: values.result },
      ],
      [
        { option: 'the model', path: model },
        { option: 'the output', path: options.output },
        { option: '--timingCacheFile', path: options.timingCacheFile },
        { option: '--cancel-file', path: values.cancelFile },
      ],
    );
    const cancelOptions = readCancelOptions(values);
    done(await watchBuild(() => startEngineBuild(options, cancelOptions), values));
  });
}
