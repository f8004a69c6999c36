import type { Budget } from './build.ts';
import type { CancelReason, SourceEvent } from './events.ts';

/** What a build is about, as far as it is known before it starts. */
export interface BuildSubject {
  readonly model?: string;
  readonly output?: string;
  readonly command?: string;
}

/** What a source is given. */
export interface SourceContext {
  readonly build: string;
  /** Wall clock at the build's beginning: seconds since 1970 and nanoseconds. */
  readonly startedAt: readonly [seconds: number, nanoseconds: number];
  /** Nanoseconds since the build began, on the monotonic clock that every event's `timeNs` uses. */
  elapsedNs(): number;
  /** For a source that watches them itself. */
  readonly limits: { readonly deadline?: Date; readonly budget?: Budget };
  /** Hands events over, in order. Cheap, never throws; ignored after the run has ended. */
  emit(events: readonly SourceEvent[]): void;
}

/** A build that a source has begun. */
export interface SourceRun {
  /**
   * Asks the build to stop. Called once, with the first reason that did not come from the source; returns at once. The
   * build may have been stopped by the source itself before.
   * `escalate` goes up one rung of the source's ladder, where it has one.
   */
  cancel(reason: CancelReason): void;
  escalate?(): void;
  /** Only where the build's time is not the clock's, as in a replay: nanoseconds since the build began. */
  elapsedNs?(): number;
  /** What `cancelByToken` knows the build by. Default: the build's id. */
  readonly cancelToken?: string;
  /** Resolves when nothing of the build is left running and every event has been emitted. A rejection becomes a failed build. */
  readonly ended: Promise<void>;
}

/**
 * Where a build's events come from. The first event emitted is `build.started`, the last is `build.finished`; should a
 * source end without the latter, the handle adds one that says so. A cancel.requested is for a request that the source was
 * not told of; one in words that are on record already is an echo and is left out.
 */
export interface BuildSource {
  /** `process`, `thread`, `replay`, … */
  readonly kind: string;
  readonly subject: BuildSubject;
  /**
   * The source watches deadline and budget itself, so that they hold while no JavaScript runs: it emits budget.warning and
   * cancel.requested, and has acted on the latter by then. Without it, the build's clock and events are watched.
   */
  readonly watchesLimits?: true;
  /** Starts the build. May throw: the build has then failed. */
  start(context: SourceContext): SourceRun;
}
