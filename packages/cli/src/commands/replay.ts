import type { Command } from 'commander';
import { isTrtscopeError, replaySource, startBuild } from '@trtscope/core';
import { openRecording } from '@trtscope/core/recording';
import type { Recording } from '@trtscope/core/recording';
import { addStopOptions, readCancelOptions } from '../options/cancel-options.ts';
import type { StopValues } from '../options/cancel-options.ts';
import { parsed } from '../options/values.ts';
import { addWatchOptions } from '../options/watch-options.ts';
import type { WatchOptions } from '../options/watch-options.ts';
import { checkTargets } from '../target-files.ts';
import { UsageError } from '../usage-error.ts';
import { watchBuild } from '../watch-build.ts';

interface ReplayValues extends WatchOptions, StopValues {
  readonly speed?: number | 'max';
}

const help = `
Examples:
  trtscope replay build.jsonl --speed 10
  trtscope replay build.jsonl --speed max --progress plain
  trtscope replay build.jsonl --speed max --step-budget 30s
  trtscope replay build.jsonl --speed max --progress none --otlp http://localhost:4318

Budgets go by the recording's time: they show which of them the build would have kept. Exits as the recorded build did, and
with 2 for a file that is not a recording.`;

export function addReplayCommand(program: Command, done: (exitCode: number) => void): void {
  const command = program
    .command('replay')
    .summary('play a recorded build again')
    .description('Plays a build that was recorded with --record or --progress json again.')
    .argument('<file>', 'the recording');
  command.addOption(parsed('--speed <n>', 'so many times as fast, or max; default 1', parseSpeed));
  addWatchOptions(command);
  addStopOptions(command);
  command.addHelpText('after', help);
  command.action(async (file: string, { speed = 1, ...values }: ReplayValues) => {
    checkTargets(
      [
        { option: '--record', path: values.record },
        { option: '--result', path: values.result },
      ],
      [
        { option: 'the recording', path: file },
        { option: '--cancel-file', path: values.cancelFile },
      ],
    );
    const recording = await open(file);
    const { started } = recording;
    const source = replaySource(recording, { speed, started });
    const cancelOptions = readCancelOptions(values);
    done(await watchBuild(() => startBuild(source, cancelOptions), values));
  });
}

async function open(file: string): Promise<Recording> {
  try {
    return await openRecording(file);
  } catch (error) {
    throw isTrtscopeError(error) ? new UsageError(error.message, { cause: error }) : error;
  }
}

function parseSpeed(text: string, flag: string): number | 'max' {
  if (text === 'max') {
    return text;
  }
  const speed = Number(text);
  if (!/^\d+(?:\.\d+)?$/u.test(text) || speed === 0) {
    throw new UsageError(
      `${flag}: "${text}" is not a speed; write a number above 0, such as 2 or 0.5, or max.`,
    );
  }
  return speed;
}
