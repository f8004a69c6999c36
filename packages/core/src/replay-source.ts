import { systemClock, type Clock } from './clock.ts';
import type { BuildEvent, BuildStarted, SourceEvent, StepCompleted } from './events.ts';
import { show } from './field-check.ts';
import type { BuildSource, SourceContext, SourceRun } from './source.ts';

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
 * at its last step. Throws a RangeError for a speed that is not above 0.
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
  /** The clock at the first event, and that event's time. */
  #origin: { readonly clockNs: number; readonly timeNs: number } | undefined;
  /** The times of the last event played and of the one that comes next. */
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
        const due = this.#due(next.value);
        if (due !== undefined) await due;
        if (!this.#cancelled) this.#batch.push(next.value);
      }
    } finally {
      clearInterval(alive);
      // What was read before a fault of the recording was still played.
      this.#flush();
      await this.#feed.return?.();
    }
    if (this.#cancelled) this.#answer();
  }

  /** What to wait for before an event, if anything; the batch goes out first. */
  #due({ timeNs }: BuildEvent): Promise<void> | undefined {
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
