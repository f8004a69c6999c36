/** What a reporter needs of a stream; `process.stdout`, `process.stderr` and any other `Writable` will do. */
export interface ReporterStream {
  write(text: string, done?: () => void): boolean;
  on(event: 'drain' | 'error' | 'resize' | 'close', run: (error?: Error) => void): unknown;
  off(event: 'drain' | 'error' | 'resize' | 'close', run: (error?: Error) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A terminal that can move its cursor: on anything else no escape code may be written. */
export function canDraw(stream: ReporterStream, env: Environment): boolean {
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/** Whether a machine reads along: `CI` is set, and not to `false` or `0`. */
export function inCi(env: Environment): boolean {
  return isSet(env['CI']);
}

/** Colours are for terminals only. There FORCE_COLOR decides, then NO_COLOR, TERM=dumb and CI turn them off. */
export function canColour(stream: ReporterStream, env: Environment): boolean {
  if (stream.isTTY !== true) return false;
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] === '' || isSet(env['FORCE_COLOR']);
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb' && !inCi(env);
}

/** Whether a terminal wraps the lines on its screen anew when it is resized. Most do; these tell us that they do not. */
export function reflows(env: Environment): boolean {
  const screen =
    env['STY'] !== undefined || (env['TERM']?.startsWith('screen') === true && env['TMUX'] === undefined);
  return !screen && env['TERM'] !== 'linux' && env['XTERM_VERSION'] === undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());
}
