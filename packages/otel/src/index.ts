export { traceBuild } from './trace-build.ts';
export type { BuildTrace, TraceOptions } from './trace-build.ts';
export { traceRun } from './trace-run.ts';
export type { RunEnding, RunTrace, RunTraceOptions } from './trace-run.ts';
export type { Environment } from './parent-context.ts';
export type { StepEventPolicy } from './step-events.ts';
export type { LogRecord, Logger, LogsProvider } from './logs-api.ts';
