import type { Attachment, Build, BuildOptions, CancelRequest, Consumer } from './build.ts';
import { BuildRecord } from './build-record.ts';
import { checkCancelRequest } from './cancel-options.ts';
import { CancelController } from './cancel-controller.ts';
import { systemClock, type Clock } from './clock.ts';
import { isTrtscopeError } from './errors.ts';
import { eventStream } from './event-stream.ts';
import type { BuildEvent, CancelReason, FailureFacts, SourceEvent } from './events.ts';
import type { PhaseTree } from './phase-tree.ts';
import type { BuildResult } from './result.ts';
import type { BuildSource, BuildSubject, SourceContext, SourceRun } from './source.ts';

/** A build from any source: starts it, watches it to its end, and takes requests to cancel it. */
export class BuildHandle implements Build {
  readonly result: Promise<BuildResult>;
  readonly #source: BuildSource;
  readonly #clock: Clock;
  readonly #originNs: number;
  readonly #record: BuildRecord;
  readonly #cancels: CancelController;
  readonly #limits: SourceContext['limits'];
  #resolveResult: (result: BuildResult) => void = () => undefined;
  #run: SourceRun | undefined;
  #warnedOfNoLadder = false;

  constructor(source: BuildSource, options: BuildOptions) {
    this.#source = source;
    this.#clock = options.clock ?? systemClock;
    // The wall clock is read once, between two monotonic reads: a later clock step bends nothing.
    const beforeNs = this.#clock.nowNs();
    const startedAt = this.#clock.wallClock();
    this.#originNs = beforeNs + Math.round((this.#clock.nowNs() - beforeNs) / 2);
    this.#record = new BuildRecord({ ...options, subject: source.subject, startedAt }, (fault) =>
      this.#warn(fault),
    );
    const { deadline, budget } = options;
    this.#limits = { ...(deadline !== undefined && { deadline }), ...(budget !== undefined && { budget }) };
    this.#cancels = new CancelController({
      ...options,
      limitsAreWatched: source.watchesLimits === true,
      clock: this.#clock,
      elapsedNs: () => this.elapsedNs(),
      onRequest: (reason, first) => this.#request(reason, first),
      onWarning: (warning) =>
        this.#record.note({ type: 'budget.warning', timeNs: this.elapsedNs(), ...warning }),
    });
    this.result = new Promise((resolve) => {
      this.#resolveResult = resolve;
    });
  }

  get id(): string {
    return this.#record.id;
  }

  get subject(): BuildSubject {
    return this.#record.subject;
  }

  get tree(): PhaseTree {
    return this.#record.tree;
  }

  get startedAt(): readonly [seconds: number, nanoseconds: number] {
    return this.#record.startedAt;
  }

  get cancelToken(): string {
    return this.#run?.cancelToken ?? this.id;
  }

  elapsedNs(): number {
    return this.#record.finished?.timeNs ?? this.#run?.elapsedNs?.() ?? this.#clock.nowNs() - this.#originNs;
  }

  /** Starts the source, unless a cancel is asked for already. Called once. */
  start(): this {
    setTimeout(() => this.#record.forgetBeginning(), 0);
    this.#cancels.watch();
    if (this.#cancels.first === undefined) this.#startSource();
    else this.#settle({ outcome: 'cancelled' });
    return this;
  }

  events(): AsyncIterable<BuildEvent> {
    return eventStream((consumer) => this.attach(consumer));
  }

  attach(consumer: Consumer): Attachment {
    return this.#record.attach(consumer);
  }

  cancel(request: string | CancelRequest = {}): void {
    const asked = typeof request === 'string' ? { message: request } : request;
    checkCancelRequest(asked);
    this.#cancels.request(asked);
  }

  escalate(): void {
    if (this.#record.finished !== undefined) return;
    if (this.#cancels.first === undefined) this.cancel();
    if (this.#run === undefined || this.#run.escalate !== undefined) this.#tell((run) => run.escalate?.());
    else this.#warnOfNoLadder();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#cancels.first === undefined) {
      this.cancel({ source: 'dispose', message: 'the build handle was disposed' });
    }
    await this.result;
  }

  #startSource(): void {
    const fail = (error: unknown): void =>
      this.#settle({ outcome: 'failed', error: failureOf(error, this.#source) });
    try {
      this.#run = this.#source.start({
        build: this.id,
        startedAt: this.startedAt,
        elapsedNs: () => this.elapsedNs(),
        limits: this.#limits,
        emit: (events) => this.#emit(events),
      });
    } catch (error) {
      fail(error);
      return;
    }
    const asked = this.#cancels.first;
    if (asked !== undefined) this.#tell((run) => run.cancel(asked));
    this.#run.ended.then(() => this.#settle(), fail);
  }

  #emit(events: readonly SourceEvent[]): void {
    for (const event of events) {
      if (event.type === 'cancel.requested' && this.#cancels.isEcho(event.reason)) continue;
      this.#cancels.observe(event);
      this.#record.take(event);
    }
    if (this.#record.finished !== undefined) this.#cancels.dispose();
  }

  /** Nothing of the build is left running: `ending` is the end it comes to if its source has not told one. */
  #settle(ending?: { readonly outcome: 'cancelled' | 'failed'; readonly error?: FailureFacts }): void {
    const timeNs = Math.max(this.elapsedNs(), this.#record.lastNs);
    this.#emit([{ type: 'build.finished', timeNs, ...(ending ?? unsaid(this.#source)) }]);
    const { finished } = this.#record;
    if (finished !== undefined) this.#resolveResult(this.#record.result(finished));
  }

  #request(reason: CancelReason, first: boolean): void {
    this.#record.note({ type: 'cancel.requested', timeNs: reason.requestedAtNs, reason });
    if (first) this.#tell((run) => run.cancel(reason));
  }

  /** Passes a wish on to the source, whose fault must not become the caller's. */
  #tell(wish: (run: SourceRun) => void): void {
    if (this.#run === undefined) return;
    try {
      wish(this.#run);
    } catch (error) {
      this.#warn(`The ${this.#source.kind} source could not be told to stop: ${wordsOf(error)}.`);
    }
  }

  #warnOfNoLadder(): void {
    if (this.#warnedOfNoLadder) return;
    this.#warnedOfNoLadder = true;
    this.#warn(
      `A ${this.#source.kind} source cannot be ended by force: it stops when it next looks for a cancel.`,
    );
  }

  #warn(message: string): void {
    this.#record.note({
      type: 'log',
      timeNs: this.elapsedNs(),
      severity: 'warning',
      message,
      origin: 'trtscope',
    });
  }
}

function unsaid(source: BuildSource): { readonly outcome: 'failed'; readonly error: FailureFacts } {
  const message = `The ${source.kind} source ended without saying how the build ended.`;
  return { outcome: 'failed', error: { code: 'SOURCE_FAILED', message } };
}

/** Our own errors speak for themselves; any other is the source's fault. */
function failureOf(error: unknown, source: BuildSource): FailureFacts {
  if (isTrtscopeError(error)) return { code: error.code, message: error.message };
  return { code: 'SOURCE_FAILED', message: `The ${source.kind} source failed: ${wordsOf(error)}.` };
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
