export { chooseProgress, createReporter, progressKinds } from './create-reporter.ts';
export type { ProgressKind } from './create-reporter.ts';
export { jsonReporter } from './json-reporter.ts';
export { plainReporter } from './plain-reporter.ts';
export type { ReportedBuild, Reporter, ReporterOptions } from './reporter.ts';
export type { Environment, ReporterStream } from './terminal.ts';
export { ttyReporter } from './tty-reporter.ts';
export type { TtyOptions } from './tty-reporter.ts';
