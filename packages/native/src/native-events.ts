import { EventDecoder, PhaseTree } from '@trtscope/core';
import type {
  BuildEvent,
  BuildFinished,
  CancelReason,
  LogSeverity,
  SourceContext,
  SourceEvent,
} from '@trtscope/core';

const keptLines = 5;
const severe: ReadonlySet<LogSeverity> = new Set(['internal_error', 'error']);

/**
 * What the native part says of a build, as JSON lines: handed on as it comes, but for build.finished, which waits for
 * what is done here after the native part has ended.
 */
export class NativeEvents {
  /** Resolves with the native part's last event. Stays pending when there is none. */
  readonly last: Promise<BuildFinished>;
  readonly #context: SourceContext;
  readonly #decoder = new EventDecoder();
  readonly #tree = new PhaseTree();
  readonly #resolveLast: (last: BuildFinished) => void;
  #finished: BuildFinished | undefined;
  #highestPhase = 0;
  #errorLines: string[] = [];
  #reason: CancelReason | undefined;
  #escalation: 'terminate' | 'kill' | undefined;

  constructor(context: SourceContext) {
    this.#context = context;
    const { promise, resolve } = Promise.withResolvers<BuildFinished>();
    this.last = promise;
    this.#resolveLast = resolve;
  }

  /** Takes text as it comes. Throws a TrtscopeError when it is not what a builder of this version writes. */
  feed(text: string): void {
    this.take(this.#decoder.feed(text));
    // A fault that comes with good lines before it is held back until the next call.
    this.#decoder.feed('');
  }

  /** Takes what has been read already. */
  take(decoded: readonly BuildEvent[]): void {
    const events: SourceEvent[] = [];
    for (const event of decoded) {
      if (this.#finished !== undefined || event.type === 'snapshot') continue;
      this.#tree.apply(event);
      if (event.type === 'phase.started') this.#highestPhase = Math.max(this.#highestPhase, event.phase);
      if (event.type === 'log' && severe.has(event.severity)) {
        this.#errorLines = [...this.#errorLines, event.message].slice(-keptLines);
      }
      if (event.type === 'cancel.requested') this.#reason ??= event.reason;
      if (event.type === 'cancel.escalated') this.#escalation = event.to;
      if (event.type === 'build.finished') {
        this.#finished = event;
      } else {
        events.push(event);
      }
    }
    this.#context.emit(events);
    if (this.#finished !== undefined) this.#resolveLast(this.#finished);
  }

  get finished(): BuildFinished | undefined {
    return this.#finished;
  }

  /** An id for a phase of ours that comes after all native ones. */
  nextPhase(): number {
    this.#highestPhase += 1;
    return this.#highestPhase;
  }

  /** Names of the phases that were open last, outermost first. */
  openPath(): readonly string[] {
    return this.#tree.pathOf(this.#tree.innermostLive?.phase);
  }

  /** The first request to cancel that did not come from here. */
  get reason(): CancelReason | undefined {
    return this.#reason;
  }

  /** How far the native part says that it has gone to end the build. */
  get escalation(): 'terminate' | 'kill' | undefined {
    return this.#escalation;
  }

  /** The last error lines of the log. */
  get errorLines(): readonly string[] {
    return this.#errorLines;
  }

  /** Whether the engine was being written, or had been. */
  hasBegunToWrite(): boolean {
    return this.#tree.phases().some(({ name, origin }) => name === 'write' && origin === 'trtscope');
  }
}
