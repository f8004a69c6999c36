import type { Command } from 'commander';
import type { BuildOptions } from '@trtscope/core';
import { parseBudget, parseDuration, parseInstant } from './durations.ts';
import { parsed } from './values.ts';

/** When a build is to end without an engine. */
export interface CancelValues {
  readonly budget?: number;
  readonly deadline?: Date;
  readonly grace?: number;
}

export function addCancelOptions(command: Command): void {
  command.optionsGroup('Cancelling:');
  command.addOption(
    parsed(
      '--budget <duration>',
      'cancel when the build takes longer, such as 90s, 5m, 1h30m or 500ms',
      parseBudget,
    ),
  );
  command.addOption(
    parsed('--deadline <time>', 'cancel at this time, such as 2030-01-31T18:00:00Z', parseInstant),
  );
  command.addOption(
    parsed(
      '--grace <duration>',
      'how long TensorRT may take to stop before its process is told to leave, and then to be killed; default 10s',
      parseDuration,
    ),
  );
}

export function readCancelOptions({ budget, deadline }: CancelValues): BuildOptions {
  return {
    ...(budget !== undefined && { budget: { totalMs: budget } }),
    ...(deadline !== undefined && { deadline }),
  };
}
