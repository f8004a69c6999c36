import type { Consumer } from '../build.ts';
import { jsonReporter } from './json-reporter.ts';
import { plainReporter } from './plain-reporter.ts';
import type { ReportedBuild, ReporterOptions } from './reporter.ts';
import { canDraw, inCi } from './terminal.ts';
import type { Environment, ReporterStream } from './terminal.ts';
import { ttyReporter } from './tty-reporter.ts';

/** How a build's progress is shown. `auto` is `tty` on a terminal, outside CI; else `plain`. */
export type ProgressKind = 'auto' | 'tty' | 'plain' | 'json' | 'none';

export const progressKinds: readonly ProgressKind[] = ['auto', 'tty', 'plain', 'json', 'none'];

/** What `kind` comes to on this stream: `tty` needs a terminal that can move its cursor, and becomes `plain` without one. */
export function chooseProgress(
  kind: ProgressKind,
  stream: ReporterStream,
  env: Environment,
): Exclude<ProgressKind, 'auto'> {
  switch (kind) {
    case 'auto':
      return canDraw(stream, env) && !inCi(env) ? 'tty' : 'plain';
    case 'tty':
      return canDraw(stream, env) ? 'tty' : 'plain';
    case 'plain':
    case 'json':
    case 'none':
      return kind;
  }
}

/**
 * A consumer that shows `build`, to be attached to it; absent for `none`.
 *
 * @example
 * const reporter = createReporter('auto', build);
 * if (reporter !== undefined) build.attach(reporter);
 */
export function createReporter(
  kind: ProgressKind,
  build: ReportedBuild,
  options: ReporterOptions = {},
): Consumer | undefined {
  const { stream = process.stderr, env = process.env } = options;
  switch (chooseProgress(kind, stream, env)) {
    case 'tty':
      return ttyReporter(build, options);
    case 'plain':
      return plainReporter(build, options);
    case 'json':
      return jsonReporter(options);
    case 'none':
      return undefined;
  }
}
