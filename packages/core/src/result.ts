import type { CancelReason, EngineFacts, FailureFacts, PhaseOrigin, TensorrtEdition } from './events.ts';

/** One occurrence of a phase, after the build. */
export interface PhaseSummary {
  readonly phase: number;
  readonly parent?: number;
  readonly name: string;
  readonly origin: PhaseOrigin;
  /** 0 for a root. */
  readonly depth: number;
  readonly startedNs: number;
  /** Absent when the phase never finished. */
  readonly finishedNs?: number;
  /** As announced; absent when none were. */
  readonly steps?: number;
  readonly done: number;
}

/** How a cancel went. Times are nanoseconds since the build began. */
export interface CancelReport extends CancelReason {
  /** Names of the phases open when it was asked for, outermost first. */
  readonly phasePath: readonly string[];
  /** The last step of the innermost of them, when it had made one. */
  readonly step?: number;
  readonly acknowledged?: {
    readonly by: 'step' | 'between' | 'exit';
    readonly atNs: number;
    readonly phase?: string;
    readonly step?: number;
  };
  /** From the request to the end of the build. */
  readonly latencyNs: number;
  readonly escalation: 'none' | 'terminate' | 'kill';
  /** Files of ours that were removed because no engine came of them. */
  readonly temporariesRemoved: readonly string[];
  /** Whether the timing cache was put in place; absent when none was asked for. */
  readonly timingCacheSaved?: boolean;
  /** Requests made later, in the order of their times. */
  readonly later: readonly CancelReason[];
  /** The engine was already in place: the build ended `built` all the same. */
  readonly tooLate: boolean;
}

/** What every result has. */
export interface BuildFacts {
  readonly build: string;
  readonly model?: string;
  readonly output?: string;
  readonly command?: string;
  readonly startedAt: readonly [seconds: number, nanoseconds: number];
  readonly durationNs: number;
  readonly tensorrt?: { readonly edition: TensorrtEdition; readonly version: string; readonly path?: string };
  readonly phases: readonly PhaseSummary[];
  /** TensorRT's own phases and steps; ours are left out. */
  readonly counts: { readonly phases: number; readonly steps: number };
  /** Steps and finishes that named a phase which was not live. */
  readonly strays: number;
  readonly callbacks?: { readonly count: number; readonly ns: number };
  readonly peakMemoryBytes?: number;
  /** Present when a cancel was asked for, whatever came of it. */
  readonly cancel?: CancelReport;
}

export interface BuiltResult extends BuildFacts {
  readonly outcome: 'built';
  /** Absent only for builds whose engine we do not see, such as a replay of a hooked program. */
  readonly engine?: EngineFacts;
}

export interface CancelledResult extends BuildFacts {
  readonly outcome: 'cancelled';
  readonly cancel: CancelReport;
}

export interface FailedResult extends BuildFacts {
  readonly outcome: 'failed';
  readonly error: FailureFacts;
}

/** How a build ended. */
export type BuildResult = BuiltResult | CancelledResult | FailedResult;
