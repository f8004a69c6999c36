export { startBuild } from './build.ts';
export type { Attachment, Budget, Build, BuildOptions, CancelRequest, Consumer } from './build.ts';
export { checkCancelRequest } from './cancel-options.ts';
export { systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { decodeEvents, encodeEvents, EventDecoder, EventEncoder, eventVersion } from './codec.ts';
export type { DecoderOptions } from './codec.ts';
export {
  BuildCancelledError,
  BuildFailedError,
  builtOrThrow,
  isTrtscopeError,
  TrtscopeError,
} from './errors.ts';
export type { ErrorCode } from './errors.ts';
export type {
  BudgetWarning,
  BuildEvent,
  BuildFinished,
  BuildStarted,
  CancelAcknowledged,
  CancelEscalated,
  CancelReason,
  CancelRequested,
  CancelSource,
  CleanupFacts,
  EngineFacts,
  EventBase,
  FailureFacts,
  LogLine,
  LogSeverity,
  PhaseFinished,
  PhaseOrigin,
  PhaseStarted,
  Quiet,
  Snapshot,
  SourceEvent,
  StepCompleted,
  TensorrtEdition,
  TensorrtLoaded,
} from './events.ts';
export { PhaseTree } from './phase-tree.ts';
export type { PhaseNode, PhaseState, TreeSnapshot } from './phase-tree.ts';
export type {
  BuildFacts,
  BuildResult,
  BuiltResult,
  CancelledResult,
  CancelReport,
  FailedResult,
  PhaseSummary,
} from './result.ts';
export { replaySource } from './replay-source.ts';
export type { ReplayOptions } from './replay-source.ts';
export type { BuildSource, BuildSubject, SourceContext, SourceRun } from './source.ts';
