import type { Budget, BuildOptions, CancelRequest } from './build.ts';
import { cancelSources } from './event-fields.ts';
import { show } from './field-check.ts';

export type CancelOptions = Pick<BuildOptions, 'signal' | 'deadline' | 'budget'>;

/** As many nanoseconds as a JSON number holds exactly are 104 days. */
const maxBudgetMs = 8_640_000_000;

type Check = (value: unknown, name: string) => void;

const budgetChecks: { readonly [Field in keyof Required<Budget>]: Check } = {
  totalMs: checkMs,
  phaseMs: checkPhases,
  stepMs: checkMs,
  quietMs: checkMs,
  warnAt: (value, name) => checkNumber(value, name, 'from 0 to 1', (part) => part >= 0 && part <= 1),
  onSpent: (value, name) => {
    if (value === 'cancel' || value === 'warn') return;
    throw new TypeError(`The option ${name} must be cancel or warn, but is ${show(value)}.`);
  },
};

/** Throws a TypeError or RangeError that names the option, what was expected and what came. */
export function checkCancelOptions(options: CancelOptions): void {
  const { signal, deadline, budget } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new TypeError(`The option signal must be an AbortSignal, but is ${show(signal)}.`);
  }
  if (deadline !== undefined && !(deadline instanceof Date)) {
    throw new TypeError(`The option deadline must be a Date, but is ${show(deadline)}.`);
  }
  if (deadline !== undefined && Number.isNaN(deadline.getTime())) {
    throw new RangeError('The option deadline must be a valid Date, but is an invalid one.');
  }
  if (budget === undefined) return;
  for (const [field, value] of entriesOf(budget, 'budget')) {
    // A budget under a mistyped name would watch nothing, and nobody would notice.
    if (!Object.hasOwn(budgetChecks, field)) {
      const known = Object.keys(budgetChecks).join(', ');
      throw new TypeError(`The option budget.${field} does not exist; expected ${known}.`);
    }
    if (value !== undefined) budgetChecks[field as keyof Budget](value, `budget.${field}`);
  }
}

/** Throws a TypeError for a request that could not be told in an event. */
export function checkCancelRequest({ source, message, detail }: CancelRequest): void {
  if (source !== undefined && !cancelSources.includes(source)) {
    throw new TypeError(
      `The source of a cancel must be one of ${cancelSources.join(', ')}, but is ${show(source)}.`,
    );
  }
  for (const [name, value] of Object.entries({ message, detail })) {
    if (value === undefined || typeof value === 'string') continue;
    throw new TypeError(`The ${name} of a cancel must be a string, but is ${show(value)}.`);
  }
}

function checkPhases(value: unknown, name: string): void {
  for (const [glob, ms] of entriesOf(value, name)) {
    if (glob === '' || glob.includes('\0')) {
      throw new RangeError(
        `The option ${name} must have globs of phase names, such as "Timing *", but has ${show(glob)}.`,
      );
    }
    checkMs(ms, `${name}[${show(glob)}]`);
  }
}

function checkMs(value: unknown, name: string): void {
  checkNumber(value, name, `above 0 and at most ${maxBudgetMs}`, (ms) => ms > 0 && ms <= maxBudgetMs);
}

function checkNumber(value: unknown, name: string, range: string, holds: (value: number) => boolean): void {
  const message = `The option ${name} must be a number ${range}, but is ${show(value)}.`;
  if (typeof value !== 'number') throw new TypeError(message);
  if (!holds(value)) throw new RangeError(message);
}

function entriesOf(value: unknown, name: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`The option ${name} must be an object, but is ${show(value)}.`);
  }
  return Object.entries(value);
}
