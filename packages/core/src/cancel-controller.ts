import { BudgetWatch } from './budget-watch.ts';
import type { CancelRequest } from './build.ts';
import type { CancelOptions } from './cancel-options.ts';
import type { Clock } from './clock.ts';
import type { BudgetWarning, CancelReason, SourceEvent } from './events.ts';
import { leftOf, watchDeadline } from './watch-deadline.ts';

export interface CancelContext extends CancelOptions {
  readonly clock: Clock;
  /** Somebody else watches deadline and budget. */
  readonly limitsAreWatched: boolean;
  /** Nanoseconds since the build began. */
  readonly elapsedNs: () => number;
  /** Called for each request; `first` is the one that counts here. */
  readonly onRequest: (reason: CancelReason, first: boolean) => void;
  readonly onWarning: (warning: Pick<BudgetWarning, 'budget' | 'limitNs' | 'usedNs'>) => void;
}

/** No more requests than this are kept on record. */
const maxRequests = 64;

/** Merges every request to cancel one build that is made at its handle: the first goes to the source. */
export class CancelController {
  readonly #context: CancelContext;
  readonly #budgets: BudgetWatch | undefined;
  readonly #releases: (() => void)[] = [];
  #first: CancelReason | undefined;
  /** What has been asked, so that a consumer which asks again at each event it gets makes no endless loop. */
  readonly #asked = new Set<string>();
  #disposed = false;
  /** When the budgets' one timer fires. */
  #armedNs = Infinity;
  #disarm: () => void = () => undefined;

  constructor(context: CancelContext) {
    this.#context = context;
    const { budget, limitsAreWatched, onWarning } = context;
    if (budget === undefined || limitsAreWatched) return;
    this.#budgets = new BudgetWatch(budget, {
      onWarning,
      onSpent: (detail, message) => this.request({ source: 'budget', message, detail }),
    });
  }

  /** The request that counts. */
  get first(): CancelReason | undefined {
    return this.#first;
  }

  /** Begins to watch signal, deadline and budget; one that is over already asks at once. */
  watch(): void {
    const { signal, deadline, clock, limitsAreWatched } = this.#context;
    if (signal !== undefined) this.#watchSignal(signal);
    if (deadline !== undefined && (!limitsAreWatched || leftOf(deadline, clock) <= 0)) {
      this.#releases.push(watchDeadline(deadline, clock, (request) => this.request(request)));
    }
    this.#arm();
  }

  /** Takes an event of the source, before anybody else: budgets go by it. */
  observe(event: SourceEvent): void {
    // A build that has ended is not asked to stop.
    if (event.type === 'build.finished') return;
    this.#budgets?.apply(event);
    this.#arm();
  }

  /** Asks for a cancel. Does nothing once disposed, nor for what was asked before in the same words. */
  request(request: CancelRequest): void {
    const { source = 'call', message = 'the caller cancelled the build', detail } = request;
    const words = wordsOf({ source, message, ...(detail !== undefined && { detail }) });
    if (this.#disposed || this.#asked.has(words) || this.#asked.size >= maxRequests) return;
    this.#asked.add(words);
    const requestedAtNs = this.#context.elapsedNs();
    const reason = { source, message, requestedAtNs, ...(detail !== undefined && { detail }) };
    const first = this.#first === undefined;
    if (first) this.#first = reason;
    this.#context.onRequest(reason, first);
  }

  /** Whether a request that the source tells of is what it was told itself. */
  isEcho(reason: CancelReason): boolean {
    const first = this.#first;
    return (
      first !== undefined && reason.requestedAtNs >= first.requestedAtNs && wordsOf(reason) === wordsOf(first)
    );
  }

  /** Lets go of the signal and of every timer. */
  dispose(): void {
    this.#disposed = true;
    this.#disarm();
    for (const release of this.#releases.splice(0)) release();
  }

  #watchSignal(signal: AbortSignal): void {
    const ask = (): void => this.request({ source: 'abort-signal', ...saidBy(signal.reason) });
    if (signal.aborted) {
      ask();
      return;
    }
    signal.addEventListener('abort', ask, { once: true });
    this.#releases.push(() => signal.removeEventListener('abort', ask));
  }

  /** Sets the timer for what the budgets have due next, unless it fires before that anyway. */
  #arm(): void {
    const budgets = this.#budgets;
    if (budgets === undefined || this.#disposed || budgets.dueNs >= this.#armedNs) return;
    const { clock, elapsedNs } = this.#context;
    this.#disarm();
    this.#armedNs = budgets.dueNs;
    this.#disarm = clock.after(Math.max(0, (budgets.dueNs - elapsedNs()) / 1e6), () => {
      this.#armedNs = Infinity;
      budgets.advance(elapsedNs());
      this.#arm();
    });
  }
}

function wordsOf({ source, message, detail }: Omit<CancelReason, 'requestedAtNs'>): string {
  return JSON.stringify([source, message, detail]);
}

/** What an AbortSignal's reason says, which may be anything. */
function saidBy(reason: unknown): { readonly message: string; readonly detail?: string } {
  if (reason instanceof Error && reason.message !== '')
    return { message: reason.message, detail: reason.name };
  if (typeof reason === 'string' && reason !== '') return { message: reason };
  return { message: 'the abort signal was aborted' };
}
