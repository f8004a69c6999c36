import type { TreeSnapshot } from './phase-tree.ts';

/** `tensorrt`: a callback of TensorRT. `trtscope`: time around TensorRT's phases that we name ourselves. */
export type PhaseOrigin = 'tensorrt' | 'trtscope';

/** TensorRT proper (`libnvinfer`) or TensorRT for RTX (`libtensorrt_rtx`). */
export type TensorrtEdition = 'tensorrt' | 'tensorrt_rtx';

/** TensorRT's own log severities (`ILogger::Severity`), the most severe first. */
export type LogSeverity = 'internal_error' | 'error' | 'warning' | 'info' | 'verbose';

/** Who asked for a cancel. The list is closed: consumers may branch on it. */
export type CancelSource =
  | 'abort-signal'
  | 'call'
  | 'deadline'
  | 'budget'
  | 'os-signal'
  | 'file'
  | 'stdin'
  | 'http'
  | 'editor'
  | 'agent'
  | 'custom'
  | 'dispose'
  | 'program';

/** Why a build is to stop, as data. */
export interface CancelReason {
  readonly source: CancelSource;
  /** One sentence for people. */
  readonly message: string;
  /** Nanoseconds since the build began. */
  readonly requestedAtNs: number;
  /** What a program needs to branch on, such as the name of the signal or of the budget. */
  readonly detail?: string;
}

/** The engine file of a build that ended in one. */
export interface EngineFacts {
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hexadecimal; absent when the file could not be read back. */
  readonly sha256?: string;
}

/** What a failed build says of itself. */
export interface FailureFacts {
  /** One of {@link import('./errors.ts').ErrorCode}; a reader of recordings must accept codes that it does not know. */
  readonly code: string;
  readonly message: string;
  /** TensorRT's `ErrorCode` (1 unspecified, 2 internal, … 7 build canceled), when TensorRT gave one. */
  readonly tensorrtCode?: number;
  /** Names of the phases that were open when it failed, outermost first. */
  readonly phasePath?: readonly string[];
}

/** The fields of every event. */
export interface EventBase {
  /** The build's id. */
  readonly build: string;
  /** Rises within a build in order of arrival; gaps where steps were merged. */
  readonly seq: number;
  /** When it happened: nanoseconds since the build began, on a monotonic clock. */
  readonly timeNs: number;
}

export interface BuildStarted extends EventBase {
  readonly type: 'build.started';
  readonly model?: string;
  readonly output?: string;
  readonly command?: string;
  /** The process that TensorRT runs in. */
  readonly pid?: number;
  /** Wall clock at `timeNs` 0: seconds since 1970 and nanoseconds. */
  readonly startedAt: readonly [seconds: number, nanoseconds: number];
}

export interface TensorrtLoaded extends EventBase {
  readonly type: 'tensorrt.loaded';
  readonly edition: TensorrtEdition;
  /** As `getInferLibVersion()` has it, such as `1.7.1`. */
  readonly version: string;
  /** The library file, where it is known. */
  readonly path?: string;
}

export interface PhaseStarted extends EventBase {
  readonly type: 'phase.started';
  /** Identity of this occurrence: 1 and up, never reused within a build. */
  readonly phase: number;
  /** The phase it is nested in; absent for a root. */
  readonly parent?: number;
  /** The parent's name as TensorRT gave it, kept when no such phase is live. */
  readonly parentName?: string;
  readonly name: string;
  /** How many steps the phase announced; absent when it announced none. */
  readonly steps?: number;
  /** Kernel thread id. */
  readonly thread: number;
  readonly origin: PhaseOrigin;
}

export interface StepCompleted extends EventBase {
  readonly type: 'step.completed';
  /** 0 when TensorRT named a phase that is not live: a stray. */
  readonly phase: number;
  /** 0-based, as TensorRT counts. */
  readonly step: number;
  readonly thread: number;
  /** Steps of this phase so far, this one included: exact, whatever was merged. */
  readonly done: number;
  /** How many earlier steps of this phase were folded into this event. */
  readonly merged?: number;
  /** The longest of the steps this event stands for; only on merged events. */
  readonly longest?: { readonly step: number; readonly forNs: number };
}

export interface PhaseFinished extends EventBase {
  readonly type: 'phase.finished';
  /** 0 when TensorRT named a phase that is not live: a stray. */
  readonly phase: number;
  /** Steps of this phase in all (of strays: stray finishes so far). */
  readonly done: number;
}

export interface LogLine extends EventBase {
  readonly type: 'log';
  readonly severity: LogSeverity;
  readonly message: string;
  /** Whose line it is. */
  readonly origin: PhaseOrigin;
  /** TensorRT's `ErrorCode`, where the error recorder gave one. */
  readonly code?: number;
  /** The innermost live phase when it was said. */
  readonly phase?: number;
}

export interface BudgetWarning extends EventBase {
  readonly type: 'budget.warning';
  /** Which budget, such as `total`. */
  readonly budget: string;
  readonly limitNs: number;
  readonly usedNs: number;
}

export interface CancelRequested extends EventBase {
  readonly type: 'cancel.requested';
  readonly reason: CancelReason;
}

export interface CancelEscalated extends EventBase {
  readonly type: 'cancel.escalated';
  readonly to: 'terminate' | 'kill';
}

export interface CancelAcknowledged extends EventBase {
  readonly type: 'cancel.acknowledged';
  /** `step`: a callback answered no. `between`: between two of our own phases. `exit`: the process ended. */
  readonly by: 'step' | 'between' | 'exit';
  readonly phase?: number;
  readonly step?: number;
}

export interface Quiet extends EventBase {
  readonly type: 'quiet';
  readonly phase?: number;
  /** How long there has been no callback. */
  readonly forNs: number;
  /** Whether the process that TensorRT runs in is there. */
  readonly alive: boolean;
  /** CPU seconds per second that it used meanwhile. */
  readonly cpu?: number;
}

export interface Snapshot extends EventBase {
  readonly type: 'snapshot';
  /** All that the events up to `seq` said, for one who comes late. */
  readonly tree: TreeSnapshot;
}

/** What became of a build's other files. */
export interface CleanupFacts {
  /** Files of ours that were removed because no engine came of them. */
  readonly temporariesRemoved: readonly string[];
  /** Whether the timing cache was put in place; absent when none was asked for. */
  readonly timingCacheSaved?: boolean;
}

export interface BuildFinished extends EventBase {
  readonly type: 'build.finished';
  readonly outcome: 'built' | 'cancelled' | 'failed';
  readonly engine?: EngineFacts;
  readonly error?: FailureFacts;
  /** How many callbacks TensorRT made and how long they took in all. */
  readonly callbacks?: { readonly count: number; readonly ns: number };
  /** Largest resident size of the process that TensorRT ran in. */
  readonly peakMemoryBytes?: number;
  readonly cleanup?: CleanupFacts;
}

/** All that can be known of a build while it runs. Plain, JSON-safe data. */
export type BuildEvent =
  | BuildStarted
  | TensorrtLoaded
  | PhaseStarted
  | StepCompleted
  | PhaseFinished
  | LogLine
  | BudgetWarning
  | CancelRequested
  | CancelEscalated
  | CancelAcknowledged
  | Quiet
  | Snapshot
  | BuildFinished;

type WithoutIdentity<E> = E extends BuildEvent
  ? Omit<E, 'build' | 'seq'> & { readonly build?: string; readonly seq?: number }
  : never;

/**
 * An event as a source gives it: the build handle adds `build`, and `seq` where it is absent or does not rise. A replay's
 * build.started may carry the `build` it had. Only replays give snapshots.
 */
export type SourceEvent = WithoutIdentity<BuildEvent>;
