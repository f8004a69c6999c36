import { Option } from 'commander';
import type { Command } from 'commander';
import { telemetryOptions } from './telemetry-options.ts';
import type { TelemetryValues } from './telemetry-options.ts';
import { oneOf, parsed, repeated, wholeNumber } from './values.ts';

/** How builds of programs that are not ours are shown. */
export interface HookValues extends TelemetryValues {
  readonly progress?: 'plain' | 'none';
  readonly verbose?: boolean;
  readonly allowUid?: readonly number[];
}

export function addHookOptions(command: Command): void {
  command.optionsGroup('Progress and records:');
  for (const option of [
    parsed(
      '--progress <kind>',
      'plain (default): lines on stderr; none: not a word',
      oneOf(['plain', 'none']),
    ),
    ...telemetryOptions(),
    new Option('--verbose', "show every line of TensorRT's log"),
    repeated('--allow-uid <uid>', 'let processes of this user in too; may be repeated', (text, flag) => [
      wholeNumber(text, flag),
    ]),
  ]) {
    command.addOption(option);
  }
}
