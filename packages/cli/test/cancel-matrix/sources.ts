import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CancelReason } from '@trtscope/core';
import { insteadOf } from './cells.ts';
import type { Cell, Source } from './cells.ts';

/** A cell that is being performed. */
export interface Scene extends Cell {
  /** Has the model and all that comes of it. */
  readonly folder: string;
  /** How long it takes until a limit is over. */
  readonly limitMs: number;
  readonly deadline: Date;
  readonly graceMs: number;
  /** Whether there was an engine in the place of the new one. */
  readonly hadOld: boolean;
  /** The innermost phase at the moment, where there is one. */
  readonly phase: string | undefined;
}

export type Reason = Omit<CancelReason, 'requestedAtNs'>;

export const stdinLine = 'not needed any more';

/** docs/cancel.md, "Exit codes". */
export const exitCodes: Readonly<Record<Exclude<Source, 'AbortSignal'>, number>> = {
  deadline: 124,
  total: 124,
  phase: 124,
  step: 124,
  quiet: 124,
  SIGINT: 130,
  file: 3,
  stdin: 3,
};

/** Sources that nobody has to do anything for: time is enough. */
export function isLimit(source: Source): boolean {
  return ['deadline', 'total', 'phase', 'step', 'quiet'].includes(source);
}

/** How long a limit lasts: longer than what has to be done before, also on a busy machine. */
export function limitMsOf(cell: Cell): number {
  if (cell.source === 'deadline') return 2000; // The command has to start before.
  if (cell.source === 'total' || cell.moment === 'after the end') return 1000;
  return insteadOf(cell) === undefined ? 300 : 500;
}

/** The options of the command that a source needs. */
export function optionsOf(scene: Scene): readonly string[] {
  const { source, deadline, folder } = scene;
  const duration = insteadOf(scene) === 'refused' ? '0s' : `${scene.limitMs}ms`;
  switch (source) {
    case 'deadline':
      return ['--deadline', deadline.toISOString()];
    case 'total':
      return ['--budget', duration];
    case 'phase':
      return ['--phase-budget', `${globOf(scene)}=${duration}`];
    case 'step':
      return ['--step-budget', duration];
    case 'quiet':
      return ['--quiet-budget', duration];
    case 'file':
      return ['--cancel-file', join(folder, 'stop')];
    case 'stdin':
      return ['--cancel-on-stdin'];
    case 'SIGINT':
    case 'AbortSignal':
      return [];
  }
}

/** What the report says of who asked and why: docs/cancel.md, "Who can ask" and "Budgets". */
export function reasonOf(scene: Scene): Reason {
  const { source, limitMs, deadline, folder, phase } = scene;
  const duration = limitMs < 1000 ? `${limitMs} ms` : `${limitMs / 1000} s`;
  const instant = deadline.toISOString();
  switch (source) {
    case 'AbortSignal':
      return { source: 'abort-signal', detail: 'AbortError', message: 'This operation was aborted' };
    case 'deadline':
      return { source: 'deadline', detail: instant, message: `the deadline ${instant} has passed` };
    case 'total':
      return budget('total', `the budget of ${duration} is spent`);
    case 'phase':
      return budget(`phase "${globOf(scene)}"`, `the phase "${phase}" has used up its budget of ${duration}`);
    case 'step':
      return budget('step', `the phase "${phase}" has made no step for ${duration}`);
    case 'quiet':
      return budget('quiet', `TensorRT has made no callback for ${duration}`);
    case 'SIGINT':
      return { source: 'os-signal', detail: 'SIGINT', message: 'received SIGINT (Ctrl-C)' };
    case 'file': {
      const path = join(folder, 'stop');
      return { source: 'file', detail: path, message: `the file "${path}" is there` };
    }
    case 'stdin':
      return { source: 'stdin', message: stdinLine };
  }
}

export function touchStop(folder: string): void {
  writeFileSync(join(folder, 'stop'), '');
}

function budget(detail: string, message: string): Reason {
  return { source: 'budget', detail, message };
}

function globOf({ phase }: Scene): string {
  return phase === undefined ? '*' : `?${phase.slice(1, 4)}*`;
}
