import { canColour } from './terminal.ts';
import type { Environment, ReporterStream } from './terminal.ts';

type Paint = (text: string) => string;

/** Marks and colours of a terminal. */
export interface Theme {
  readonly live: string;
  readonly done: string;
  readonly failed: string;
  readonly stopped: string;
  readonly warning: string;
  readonly full: string;
  readonly empty: string;
  readonly ellipsis: string;
  readonly arrow: string;
  readonly dot: string;
  readonly good: Paint;
  readonly bad: Paint;
  readonly attention: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
}

/** Every mark is one column wide. The console of Linux (TERM=linux) gets ASCII. */
export function themeFor(stream: ReporterStream, env: Environment): Theme {
  const coloured = canColour(stream, env);
  const paint = (on: number, off: number): Paint =>
    coloured ? (text) => `\x1b[${on}m${text}\x1b[${off}m` : (text) => text;
  return {
    ...(env['TERM'] === 'linux' ? ascii : unicode),
    good: paint(32, 39),
    bad: paint(31, 39),
    attention: paint(33, 39),
    strong: paint(1, 22),
    faint: paint(2, 22),
  };
}

const unicode = {
  live: '▸',
  done: '✓',
  failed: '✗',
  stopped: '■',
  warning: '!',
  full: '━',
  empty: '─',
  ellipsis: '…',
  arrow: '→',
  dot: '·',
};

const ascii = {
  live: '>',
  done: '+',
  failed: 'x',
  stopped: '#',
  warning: '!',
  full: '#',
  empty: '-',
  ellipsis: '~',
  arrow: '->',
  dot: '-',
};
