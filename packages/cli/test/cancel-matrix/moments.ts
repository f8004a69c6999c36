import { join } from 'node:path';
import type { CancelReport } from '@trtscope/core';
import { insteadOf } from './cells.ts';
import type { Cell, Moment } from './cells.ts';

/** What a simulated build logs when it has come to its moment. */
export const there = 'the moment has come';
/** More than a pipe holds. */
const muchToSay = Array.from({ length: 40 }, () => `log info ${'much to say '.repeat(1000)}`);

/** What the simulator does in a cell, up to the moment, in it, and after it. */
export function scriptOf(cell: Cell, folder: string): readonly string[] {
  const comes = `log warning ${there}`;
  const isInert = insteadOf(cell) === 'nothing';
  // Longer than the limit that does not end it.
  const waits = isInert ? 'pause 800' : `await ${join(folder, 'gate')}`;
  switch (cell.moment) {
    case 'before start':
    case 'parsing':
      return [comes, waits, 'build', 'phase 1 Whole build', 'steps 1'];
    case 'first phase':
      return ['build', 'phase 1 First phase', comes, waits, 'steps 1'];
    case 'short steps': {
      const steps = isInert ? 'steps 80 every 10' : 'steps 100000 every 2';
      return ['build', 'phase 1 Whole build', 'phase 100000 Short steps', 'steps 1', comes, steps];
    }
    case 'long step': {
      const step = cell.isolation === 'process' ? 'hang' : waits;
      return ['build', 'phase 1 Whole build', 'phase 4 Long step', 'steps 3', comes, step, 'steps 1'];
    }
    case 'silent tail':
      return ['build', 'phase 1 Whole build', 'steps 1', 'finish', comes, waits];
    case 'after the end':
      return ['build', 'phase 1 Whole build', 'steps 1', ...muchToSay];
  }
}

/** Two graces after a request the build has ended; a build in a thread knows no grace. */
export function graceMsOf({ moment }: Cell): number {
  return moment === 'long step' ? 500 : 10_000;
}

const paths: Readonly<Record<Moment, readonly string[]>> = {
  'before start': [],
  parsing: ['parse'],
  'first phase': ['First phase'],
  'short steps': ['Whole build', 'Short steps'],
  'long step': ['Whole build', 'Long step'],
  'silent tail': ['finish'],
  'after the end': [],
};

export function innermostPhase(moment: Moment): string | undefined {
  return paths[moment].at(-1);
}

/** How a cancel goes: docs/cancel.md, "Which outcome it has" and "The report". */
export interface Course {
  /** The phases that are open when it is asked for. */
  readonly phasePath: readonly string[] | 'one of ours';
  /** The step that the innermost of them has made. */
  readonly step?: number | 'any';
  /** What answers, and at which step of that phase. */
  readonly by?: NonNullable<CancelReport['acknowledged']>['by'];
  readonly atStep?: number | 'any';
  readonly escalation: CancelReport['escalation'];
}

/** How a cancel in that cell goes; absent after the end, where there is none. */
export function courseOf(cell: Cell): Course | undefined {
  const { moment, isolation } = cell;
  const asked = { phasePath: paths[moment], escalation: 'none' } as const;
  switch (moment) {
    case 'before start':
      return insteadOf(cell) === 'found' ? { ...asked, phasePath: 'one of ours', by: 'between' } : asked;
    case 'parsing':
    case 'silent tail':
      return { ...asked, by: 'between' };
    case 'first phase':
      return { ...asked, by: 'step', atStep: 0 };
    case 'short steps':
      return { ...asked, step: 'any', by: 'step', atStep: 'any' };
    case 'long step':
      return isolation === 'process'
        ? { ...asked, step: 2, by: 'exit', escalation: 'terminate' }
        : { ...asked, step: 2, by: 'step', atStep: 3 };
    case 'after the end':
      return undefined;
  }
}
