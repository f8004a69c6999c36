import type { Attachment, Consumer } from './build.ts';
import type { BuildEvent, BuildFinished, SourceEvent } from './events.ts';
import { FanOut } from './fan-out.ts';
import { PhaseTree } from './phase-tree.ts';
import type { BuildResult } from './result.ts';
import type { BuildSubject } from './source.ts';
import { BuildSummary } from './build-summary.ts';

export interface Identity {
  /** Kept even when the source names another; a source may otherwise name the build's own. */
  readonly id?: string;
  readonly subject: BuildSubject;
  readonly startedAt: readonly [seconds: number, nanoseconds: number];
}

/** What is known of a build: puts every event in its place, exactly once, and hands it on. */
export class BuildRecord {
  readonly tree = new PhaseTree();
  readonly #summary = new BuildSummary();
  readonly #fanOut: FanOut;
  readonly #idIsGiven: boolean;
  #id: string;
  #subject: BuildSubject;
  #startedAt: Identity['startedAt'];
  #started = false;
  #finished: BuildFinished | undefined;
  #lastSeq = -1;
  #lastNs = 0;
  /** Our own events that wait for build.started. */
  #waiting: SourceEvent[] = [];

  /** `onFault` is told when a consumer was detached for a fault. */
  constructor(identity: Identity, onFault: (message: string) => void) {
    this.#idIsGiven = identity.id !== undefined;
    this.#id = identity.id ?? crypto.randomUUID();
    this.#subject = identity.subject;
    this.#startedAt = identity.startedAt;
    this.#fanOut = new FanOut({ onFault, catchUp: () => this.#catchUp() });
  }

  get id(): string {
    return this.#id;
  }

  get subject(): BuildSubject {
    return this.#subject;
  }

  get startedAt(): Identity['startedAt'] {
    return this.#startedAt;
  }

  /** The time of the latest event. */
  get lastNs(): number {
    return this.#lastNs;
  }

  /** The last event, once it has come. Every other is ignored from then on. */
  get finished(): BuildFinished | undefined {
    return this.#finished;
  }

  attach(consumer: Consumer): Attachment {
    return this.#fanOut.attach(consumer);
  }

  /** From now on a new consumer is late and gets a snapshot. */
  forgetBeginning(): void {
    this.#fanOut.forgetBeginning();
  }

  /** Takes an event of the source. */
  take(event: SourceEvent): void {
    if (event.type === 'build.started') this.#begin(event);
    else {
      this.#begin();
      this.#publish(event);
    }
  }

  /** Takes an event of the handle's own: it waits for the source's first one. */
  note(event: SourceEvent): void {
    if (this.#started) this.#publish(event);
    else this.#waiting.push(event);
  }

  /** The result; the build must have finished. */
  result(finished: BuildFinished): BuildResult {
    return this.#summary.result(finished, this.tree);
  }

  #begin(event?: Extract<SourceEvent, { type: 'build.started' }>): void {
    if (this.#started) return;
    this.#started = true;
    if (event !== undefined) {
      const { build, startedAt, model, output, command } = event;
      if (build !== undefined && !this.#idIsGiven) this.#id = build;
      this.#startedAt = startedAt;
      this.#subject = {
        ...this.#subject,
        ...(model !== undefined && { model }),
        ...(output !== undefined && { output }),
        ...(command !== undefined && { command }),
      };
    }
    this.#publish(
      event ?? { type: 'build.started', timeNs: 0, ...this.#subject, startedAt: this.#startedAt },
    );
    for (const waiting of this.#waiting.splice(0)) this.#publish(waiting);
  }

  #publish(given: SourceEvent): void {
    if (this.#finished !== undefined) return;
    this.#lastSeq = Math.max(this.#lastSeq + 1, given.seq ?? 0);
    this.#lastNs = Math.max(this.#lastNs, given.timeNs);
    const event: BuildEvent = { ...given, build: this.#id, seq: this.#lastSeq };
    const last = event.type === 'build.finished' ? this.#settled(event) : undefined;
    this.#finished = last;
    this.tree.apply(last ?? event);
    this.#summary.apply(last ?? event, this.tree);
    this.#fanOut.publish(last ?? event);
    if (last !== undefined) this.#fanOut.end();
  }

  /** A build that failed because it was stopped, and we had asked for that, is a cancelled one. */
  #settled(event: BuildFinished): BuildFinished {
    const stopped = event.outcome === 'failed' && this.#summary.cancelAnswered;
    return stopped ? { ...event, outcome: 'cancelled' } : event;
  }

  /** For a late consumer: all so far as one snapshot, and the end where there was one. */
  #catchUp(): readonly BuildEvent[] {
    const end = this.#finished;
    const seq = end === undefined ? this.#lastSeq : end.seq - 1;
    const snapshot: BuildEvent = {
      type: 'snapshot',
      build: this.#id,
      seq: Math.max(0, seq),
      timeNs: this.#lastNs,
      tree: this.tree.snapshot(),
    };
    return end === undefined ? [snapshot] : [snapshot, end];
  }
}
