import { Option } from 'commander';
import type { Command } from 'commander';
import type { Budget, BuildOptions } from '@trtscope/core';
import { UsageError } from '../usage-error.ts';
import { parseBudget, parseDuration, parseInstant } from './durations.ts';
import { oneOf, parsed, repeated, someText } from './values.ts';

/** What cancels any build, a replay too. */
export interface StopValues {
  readonly budget?: number;
  readonly phaseBudget?: readonly (readonly [glob: string, ms: number])[];
  readonly stepBudget?: number;
  readonly quietBudget?: number;
  readonly warnAt?: number;
  readonly onBudget?: 'cancel' | 'warn';
  readonly cancelFile?: string;
  readonly cancelOnStdin?: boolean;
}

/** When a build is to end without an engine. */
export interface CancelValues extends StopValues {
  readonly deadline?: Date;
  readonly grace?: number;
}

export function addCancelOptions(command: Command): void {
  addStopOptions(command);
  addTimeOptions(command);
}

export function addTimeOptions(command: Command): void {
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

export function addStopOptions(command: Command): void {
  addBudgetOptions(command);
  command.addOption(cancelFileOption());
  command.addOption(new Option('--cancel-on-stdin', 'cancel at a line on stdin, whose text is the reason'));
}

export function cancelFileOption(): Option {
  return parsed('--cancel-file <path>', 'cancel when there is a file of this name', someText);
}

/** Each for one build. */
export function addBudgetOptions(command: Command): void {
  command.optionsGroup('Cancelling:');
  for (const option of [
    parsed(
      '--budget <duration>',
      'cancel when the build takes longer, such as 90s, 5m, 1h30m or 500ms',
      parseBudget,
    ),
    repeated(
      '--phase-budget <glob=duration>',
      "cancel when a phase takes longer, such as 'Timing*=2m'; may be repeated",
      (text, flag) => [phaseBudget(text, flag)],
    ),
    parsed('--step-budget <duration>', 'cancel when one step of a phase takes longer', parseBudget),
    parsed('--quiet-budget <duration>', 'cancel when TensorRT says nothing for so long', parseBudget),
    parsed('--warn-at <part>', 'warn when so much of a budget is used; default 80%', part),
    parsed(
      '--on-budget <action>',
      'what a spent budget does: cancel (default), or warn once more',
      oneOf(['cancel', 'warn']),
    ),
  ]) {
    command.addOption(option);
  }
}

export function readCancelOptions(values: CancelValues): BuildOptions {
  const {
    budget: totalMs,
    phaseBudget: phases,
    stepBudget,
    quietBudget,
    warnAt,
    onBudget,
    deadline,
  } = values;
  const budget: Budget = {
    ...(totalMs !== undefined && { totalMs }),
    ...(phases !== undefined && { phaseMs: phaseBudgets(phases) }),
    ...(stepBudget !== undefined && { stepMs: stepBudget }),
    ...(quietBudget !== undefined && { quietMs: quietBudget }),
    ...(warnAt !== undefined && { warnAt }),
    ...(onBudget !== undefined && { onSpent: onBudget }),
  };
  return { budget, ...(deadline !== undefined && { deadline }) };
}

// A glob may have equals signs of its own, a duration has none.
function phaseBudget(text: string, flag: string): readonly [glob: string, ms: number] {
  const [, glob, duration] = /^(.+)=([^=]*)$/su.exec(text) ?? [];
  if (glob === undefined || duration === undefined) {
    throw new UsageError(
      `${flag}: "${text}" is not a phase with a duration; write it as 'Timing*=2m', with the name as progress shows it.`,
    );
  }
  return [glob, parseBudget(duration, flag)];
}

function phaseBudgets(phases: NonNullable<StopValues['phaseBudget']>): Record<string, number> {
  const twice = phases.find(([glob], at) => phases.findIndex(([other]) => other === glob) < at);
  if (twice !== undefined) {
    throw new UsageError(`--phase-budget: "${twice[0]}" has two budgets; give it one.`);
  }
  return Object.fromEntries(phases);
}

function part(text: string, flag: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/u.exec(text) ?? [];
  const value = Number(number) / (percent === '%' ? 100 : 1);
  if (!(value <= 1)) {
    throw new UsageError(`${flag}: "${text}" is not a part of a budget; write it as 80% or 0.8.`);
  }
  return value;
}
