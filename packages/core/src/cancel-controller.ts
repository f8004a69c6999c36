import type { BuildOptions, CancelRequest } from './build.ts';
import type { Clock } from './clock.ts';
import { formatDuration } from './duration.ts';
import { show } from './field-check.ts';
import type { BudgetWarning, CancelReason } from './events.ts';

export type CancelOptions = Pick<BuildOptions, 'signal' | 'deadline' | 'budget'>;

export interface CancelContext extends CancelOptions {
  readonly clock: Clock;
  /** Nanoseconds since the build began. */
  readonly elapsedNs: () => number;
  /** Called for each request; `first` is the one that counts. */
  readonly onRequest: (reason: CancelReason, first: boolean) => void;
  readonly onWarning: (warning: Pick<BudgetWarning, 'budget' | 'limitNs' | 'usedNs'>) => void;
}

/** No more requests than this are kept on record. */
const maxRequests = 64;
/** How long to sleep at most before the wall clock, which may have been set meanwhile, is read again. */
const deadlineNapMs = 60_000;

/** Merges every request to cancel one build: the first wins. */
export class CancelController {
  readonly #context: CancelContext;
  readonly #releases: (() => void)[] = [];
  #first: CancelReason | undefined;
  /** What has been asked, so that a consumer which asks again at each event it gets makes no endless loop. */
  readonly #asked = new Set<string>();
  #disposed = false;

  constructor(context: CancelContext) {
    this.#context = context;
  }

  /** The request that counts. */
  get first(): CancelReason | undefined {
    return this.#first;
  }

  /** Begins to watch signal, deadline and budget; one that is over already asks at once. */
  watch(): void {
    const { signal, deadline, budget } = this.#context;
    if (signal !== undefined) this.#watchSignal(signal);
    if (deadline !== undefined) this.#watchDeadline(deadline);
    if (budget?.totalMs !== undefined) this.#watchTotal(budget.totalMs, budget.warnAt ?? 0.8);
  }

  /** Asks for a cancel. Does nothing once disposed, nor for what was asked before in the same words. */
  request(request: CancelRequest): void {
    const { source = 'call', message = 'the caller cancelled the build', detail } = request;
    const words = JSON.stringify([source, message, detail]);
    if (this.#disposed || this.#asked.has(words) || this.#asked.size >= maxRequests) return;
    this.#asked.add(words);
    const requestedAtNs = this.#context.elapsedNs();
    const reason = { source, message, requestedAtNs, ...(detail !== undefined && { detail }) };
    const first = this.#first === undefined;
    if (first) this.#first = reason;
    this.#context.onRequest(reason, first);
  }

  /** Lets go of the signal and of every timer. */
  dispose(): void {
    this.#disposed = true;
    for (const release of this.#releases.splice(0)) release();
  }

  #watchSignal(signal: AbortSignal): void {
    const ask = (): void => this.request({ source: 'abort-signal', ...wordsOf(signal.reason) });
    if (signal.aborted) {
      ask();
      return;
    }
    signal.addEventListener('abort', ask, { once: true });
    this.#releases.push(() => signal.removeEventListener('abort', ask));
  }

  #watchDeadline(deadline: Date): void {
    const [seconds, nanoseconds] = this.#context.clock.wallClock();
    const leftMs = deadline.getTime() - (seconds * 1000 + nanoseconds / 1e6);
    if (leftMs > 0) {
      this.#after(Math.min(leftMs, deadlineNapMs), () => this.#watchDeadline(deadline));
      return;
    }
    const detail = deadline.toISOString();
    this.request({ source: 'deadline', message: `the deadline ${detail} has passed`, detail });
  }

  #watchTotal(totalMs: number, warnAt: number): void {
    const limitNs = Math.round(totalMs * 1e6);
    this.#after(totalMs * warnAt, () => {
      this.#context.onWarning({ budget: 'total', limitNs, usedNs: this.#context.elapsedNs() });
    });
    this.#after(totalMs, () => {
      const message = `the budget of ${formatDuration(totalMs)} is spent`;
      this.request({ source: 'budget', message, detail: 'total' });
    });
  }

  #after(ms: number, run: () => void): void {
    if (!this.#disposed) this.#releases.push(this.#context.clock.after(ms, run));
  }
}

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
  if (typeof budget !== 'object' || budget === null) {
    throw new TypeError(`The option budget must be an object, but is ${show(budget)}.`);
  }
  checkNumber('budget.totalMs', budget.totalMs, 'above 0', (ms) => ms > 0);
  checkNumber('budget.warnAt', budget.warnAt, 'from 0 to 1', (part) => part >= 0 && part <= 1);
}

function checkNumber(name: string, value: unknown, range: string, holds: (value: number) => boolean): void {
  if (value === undefined) return;
  const message = `The option ${name} must be a number ${range}, but is ${show(value)}.`;
  if (typeof value !== 'number') throw new TypeError(message);
  if (!Number.isFinite(value) || !holds(value)) throw new RangeError(message);
}

/** What an AbortSignal's reason says, which may be anything. */
function wordsOf(reason: unknown): { readonly message: string; readonly detail?: string } {
  if (reason instanceof Error && reason.message !== '')
    return { message: reason.message, detail: reason.name };
  if (typeof reason === 'string' && reason !== '') return { message: reason };
  return { message: 'the abort signal was aborted' };
}
