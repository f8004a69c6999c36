import { Option } from 'commander';
import type { Command } from 'commander';
import { progressKinds } from '@trtscope/core/reporters';
import type { ProgressKind } from '@trtscope/core/reporters';
import { telemetryOptions } from './telemetry-options.ts';
import type { TelemetryValues } from './telemetry-options.ts';
import { oneOf, parsed, someText } from './values.ts';

/** How a build is shown and kept; every command that runs one takes these. */
export interface WatchOptions extends TelemetryValues {
  readonly progress?: ProgressKind;
  readonly record?: string;
  readonly result?: string;
  readonly verbose?: boolean;
}

export function addWatchOptions(command: Command): void {
  command.optionsGroup('Progress and records:');
  for (const option of [
    parsed(
      '--progress <kind>',
      'auto, tty, plain or none on stderr, json on stdout; default auto: tty on a terminal, else plain',
      oneOf(progressKinds),
    ),
    parsed('--record <file>', "write the build's events as JSON lines, for trtscope replay", someText),
    parsed('--result <file>', 'write how the build ended, its phases and figures, as JSON', someText),
    ...telemetryOptions(),
    new Option('--verbose', "show every line of TensorRT's log"),
  ]) {
    command.addOption(option);
  }
}
