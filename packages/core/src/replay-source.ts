import { BudgetWatch } from './budget-watch.ts';
import type { CancelRequest } from './build.ts';
import { systemClock, type Clock } from './clock.ts';
import type { BuildEvent, BuildStarted, SourceEvent, StepCompleted } from './events.ts';
import { show } from './field-check.ts';
import type { BuildSource, SourceContext, SourceRun } from './source.ts';
import { watchDeadline } from './watch-deadline.ts';

export interface ReplayOptions {
  /** How many times as fast as it was; `max`: as fast as it goes. Default 1. */
  readonly speed?: number | 'max';
  /**
   * The recording's build.started, where it is known beforehand: the build then has its id, subject and start at once, and
   * not only from its first event on. Needless where `events` are at hand.
   */
  readonly started?: BuildStarted | undefined;
  /** What paces it. Default: the machine's clock. */
  readonly clock?: Clock;
}

/** So many events at most go out at once, so that consumers get their turn. */
const batchSize = 1024;

/**
 * Plays recorded events again, with the ids, numbers and times that they have. A cancel ends it as a build that answered
 * at its last step. Budgets go by the recording's time, and so strike at the same event whatever the speed; a deadline goes by
 * the clock. Throws a RangeError for a speed that is not above 0.
 */
export function replaySource(
  events: Iterable<BuildEvent> | AsyncIterable<BuildEvent>,
  options: ReplayOptions = {},
): BuildSource {
  const { speed = 1, clock = systemClock, started } = options;
  if (speed !== 'max' && !(typeof speed === 'number' && speed > 0 && Number.isFinite(speed))) {
    throw new RangeError(`The option speed must be a number above 0 or "max", but is ${show(speed)}.`);
  }
  return {
    kind: 'replay',
    subject: {},
    watchesLimits: true,
    start: (context) => {
      if (started !== undefined) context.emit([started]);
      return new Replay(feedOf(events), context, speed, clock);
    },
  };
}

interface Feed {
  /** Not a promise where the events are at hand: the first ones then come within the start. */
  next(): IteratorResult<BuildEvent> | Promise<IteratorResult<BuildEvent>>;
  return?(): unknown;
}

class Replay implements SourceRun {
  readonly ended: Promise<void>;
  readonly #feed: Feed;
  readonly #context: SourceContext;
  readonly #speed: number | 'max';
  readonly #clock: Clock;
  readonly #budgets: BudgetWatch;
  readonly #forgetDeadline: (() => void) | undefined;
  /** The clock at the first event, and that event's time. */
  #origin: { readonly clockNs: number; readonly timeNs: number } | undefined;
  /** The times of the last event played and of what comes next. */
  #reachedNs = 0;
  #nextNs = 0;
  #batch: SourceEvent[] = [];
  #lastStep: Pick<StepCompleted, 'phase' | 'step'> | undefined;
  #cancelled = false;
  #wakeUp: () => void = () => undefined;

  constructor(feed: Feed, context: SourceContext, speed: number | 'max', clock: Clock) {
    this.#feed = feed;
    this.#context = context;
    this.#speed = speed;
    this.#clock = clock;
    const { budget = {}, deadline } = context.limits;
    this.#budgets = new BudgetWatch(budget, {
      onWarning: (warning) => this.#batch.push({ type: 'budget.warning', timeNs: this.#nextNs, ...warning }),
      onSpent: (detail, message) => this.#ask({ source: 'budget', message, detail }, this.#nextNs),
    });
    if (deadline !== undefined) {
      this.#forgetDeadline = watchDeadline(deadline, clock, (request) =>
        this.#ask(request, this.elapsedNs()),
      );
    }
    this.ended = this.#play();
  }

  elapsedNs(): number {
    if (this.#speed === 'max') return this.#reachedNs;
    return Math.max(this.#reachedNs, Math.min(this.#playedNs(this.#speed), this.#nextNs));
  }

  cancel(): void {
    this.#cancelled = true;
    this.#wakeUp();
  }

  /** Where the recording's time stands by the clock. */
  #playedNs(speed: number): number {
    if (this.#origin === undefined) return 0;
    return this.#origin.timeNs + Math.round((this.#clock.nowNs() - this.#origin.clockNs) * speed);
  }

  async #play(): Promise<void> {
    // The clock's timers do not keep a process alive, but a replay is work to wait for.
    const alive = setInterval(() => undefined, 2 ** 30);
    try {
      while (!this.#cancelled) {
        const pulled = this.#feed.next();
        const next = pulled instanceof Promise ? await pulled : pulled;
        if (next.done === true) break;
        const { timeNs } = next.value;
        while (this.#isDueBefore(timeNs)) await this.#reachBudget();
        const due = this.#cancelled ? undefined : this.#due(timeNs);
        if (due !== undefined) await due;
        if (this.#cancelled) break;
        this.#batch.push(next.value);
        this.#budgets.apply(next.value);
      }
    } finally {
      clearInterval(alive);
      this.#forgetDeadline?.();
      // What was read before a fault of the recording was still played.
      this.#flush();
      await this.#feed.return?.();
    }
    if (this.#cancelled) this.#answer();
  }

  #isDueBefore(timeNs: number): boolean {
    // The first event comes first, whatever its time.
    return this.#origin !== undefined && !this.#cancelled && this.#budgets.dueNs <= timeNs;
  }

  /** Plays until a budget may have something to tell, and lets it. */
  async #reachBudget(): Promise<void> {
    const { dueNs } = this.#budgets;
    await this.#due(dueNs);
    if (!this.#cancelled) this.#budgets.advance(dueNs);
  }

  /** A request of the replay's own. */
  #ask({ source = 'call', message = '', detail }: CancelRequest, requestedAtNs: number): void {
    const reason = { source, message, requestedAtNs, ...(detail !== undefined && { detail }) };
    this.#batch.push({ type: 'cancel.requested', timeNs: requestedAtNs, reason });
    this.cancel();
  }

  /** What to wait for before `timeNs`, if anything; the batch goes out first. */
  #due(timeNs: number): Promise<void> | undefined {
    this.#nextNs = Math.max(this.#nextNs, timeNs);
    this.#origin ??= { clockNs: this.#clock.nowNs(), timeNs };
    const waitMs = this.#speed === 'max' ? 0 : (timeNs - this.#playedNs(this.#speed)) / this.#speed / 1e6;
    if (waitMs < 1 && this.#batch.length < batchSize) return undefined;
    this.#flush();
    return waitMs < 1 ? nextTurn() : this.#sleep(waitMs);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const takeBack = this.#clock.after(ms, resolve);
      this.#wakeUp = () => {
        takeBack();
        resolve();
      };
    });
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#reachedNs = Math.max(this.#reachedNs, batch.at(-1)?.timeNs ?? 0);
    this.#lastStep = batch.findLast((event) => event.type === 'step.completed') ?? this.#lastStep;
    this.#context.emit(batch);
  }

  /** Ends the replay as TensorRT ends a build that was asked to stop: by its answer to a step. */
  #answer(): void {
    const timeNs = this.elapsedNs();
    const { phase, step } = this.#lastStep ?? {};
    this.#context.emit([
      {
        type: 'cancel.acknowledged',
        timeNs,
        by: 'step',
        ...(phase !== undefined && { phase }),
        ...(step !== undefined && { step }),
      },
      { type: 'build.finished', timeNs, outcome: 'cancelled' },
    ]);
  }
}

function feedOf(events: Iterable<BuildEvent> | AsyncIterable<BuildEvent>): Feed {
  return Symbol.asyncIterator in events ? events[Symbol.asyncIterator]() : events[Symbol.iterator]();
}

/** Lets everything else that is due in this process go first. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
