import { BuildHandle } from './build-handle.ts';
import { checkCancelOptions } from './cancel-options.ts';
import { show } from './field-check.ts';
import type { BuildEvent, CancelSource } from './events.ts';
import type { BuildResult } from './result.ts';
import type { BuildSource, BuildSubject } from './source.ts';
import type { PhaseTree } from './phase-tree.ts';
import type { Clock } from './clock.ts';

/**
 * How long a build may take, in milliseconds, each above 0 and at most 8,640,000,000 (100 days). A budget warns, and cancels
 * once it is spent, unless `onSpent` says otherwise.
 */
export interface Budget {
  /** From the build's beginning to its end. */
  readonly totalMs?: number;
  /**
   * Each occurrence of a phase, TensorRT's or ours, by a glob of its whole name: `*` is any text, `?` any one character,
   * such as `{ 'Timing *': 60_000 }`. A phase that several match has each of their budgets.
   */
  readonly phaseMs?: Readonly<Record<string, number>>;
  /**
   * Each step: how long a live phase of TensorRT's that has no live child may go without one, since its start, its last
   * step or the end of its last child.
   */
  readonly stepMs?: number;
  /** How long TensorRT may make no callback at all while a phase of its is live; log lines are none. */
  readonly quietMs?: number;
  /** At which part of a budget to warn, 0 to 1: once for the build, the phase, the step, the silence. Default 0.8. */
  readonly warnAt?: number;
  /** What happens when a budget is spent: the build is cancelled, or warned of once more. Default `cancel`. */
  readonly onSpent?: 'cancel' | 'warn';
}

export interface BuildOptions {
  /** The build's id. Default: a new UUID; of a replay, the recording's. */
  readonly id?: string;
  /** Cancels when it aborts. Already aborted: nothing is started and the result is `cancelled`. */
  readonly signal?: AbortSignal;
  readonly deadline?: Date;
  readonly budget?: Budget;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** A cancel, as a caller words it. */
export interface CancelRequest {
  /** Default `call`. */
  readonly source?: CancelSource;
  readonly message?: string;
  readonly detail?: string;
}

/** Takes a build's events, batch by batch, at its own pace; it can never slow the build. */
export interface Consumer {
  /** For messages about it. */
  readonly name: string;
  /** While a promise it returns is pending, further events wait (steps merge past the bound). A throw detaches it and is reported once. */
  receive(events: readonly BuildEvent[]): void | Promise<void>;
  /** Called once, after the last event or after a detachment, when no `receive` is pending. */
  close?(): void | Promise<void>;
}

export interface Attachment {
  /** Resolves when the consumer has had its last event and has closed, or was detached. Never rejects. */
  readonly closed: Promise<void>;
  detach(): void;
}

/** A build that runs or has run. */
export interface Build extends AsyncDisposable {
  /** Of a replay, as of `subject` and `startedAt`: the recording's, from its first event on. */
  readonly id: string;
  readonly subject: BuildSubject;
  readonly tree: PhaseTree;
  /** Wall clock at the build's beginning: seconds since 1970 and nanoseconds. */
  readonly startedAt: readonly [seconds: number, nanoseconds: number];
  /** Nanoseconds since the build began; stands still at its end. */
  elapsedNs(): number;
  /** Every event from the beginning for one who asks in the tick of the start; a snapshot first for one who comes later. */
  events(): AsyncIterable<BuildEvent>;
  attach(consumer: Consumer): Attachment;
  /** Asks the build to stop and returns at once. The first request wins; later ones, up to 63 in other words, are listed in the report. Throws a TypeError for a bad one. */
  cancel(request?: string | CancelRequest): void;
  /** Names this build to `cancelByToken` of `@trtscope/native`, which any thread may call; the build's id where its source has no such way. */
  readonly cancelToken: string;
  /** Goes up one rung of the source's ladder at once (terminate, then kill), where it has one. Without a request before, asks first. */
  escalate(): void;
  /** Never rejects, never stays pending. */
  readonly result: Promise<BuildResult>;
}

/**
 * Starts a build from any source, at once. Throws a TypeError or RangeError for a bad option.
 *
 * ```ts
 * import { startBuild, type BuildResult, type BuildSource } from '@trtscope/core';
 *
 * async function watch(source: BuildSource): Promise<BuildResult> {
 *   const build = startBuild(source, { budget: { totalMs: 300_000 } });
 *   for await (const event of build.events()) console.log(event.type);
 *   return build.result;
 * }
 * ```
 */
export function startBuild(source: BuildSource, options: BuildOptions = {}): Build {
  if (options.id !== undefined && (typeof options.id !== 'string' || options.id === '')) {
    throw new TypeError(`The option id must be a string that is not empty, but is ${show(options.id)}.`);
  }
  checkCancelOptions(options);
  return new BuildHandle(source, options).start();
}
