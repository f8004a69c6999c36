export const sources = [
  'AbortSignal',
  'deadline',
  'total',
  'phase',
  'step',
  'quiet',
  'SIGINT',
  'file',
  'stdin',
] as const;
export type Source = (typeof sources)[number];

export const moments = [
  'before start',
  'parsing',
  'first phase',
  'short steps',
  'long step',
  'silent tail',
  'after the end',
] as const;
export type Moment = (typeof moments)[number];

export const isolations = ['process', 'thread'] as const;

/** Who asks a build to stop, when, and where TensorRT runs. */
export interface Cell {
  readonly source: Source;
  readonly moment: Moment;
  readonly isolation: (typeof isolations)[number];
}

export const allCells: readonly Cell[] = sources.flatMap((source) =>
  moments.flatMap((moment) => isolations.map((isolation) => ({ source, moment, isolation }))),
);

/** What happens in place of a cancel in a cell that cannot occur. */
export type Instead =
  /** The command takes no such budget, and starts nothing. */
  | 'refused'
  /** The system ends the command as it ends any program. */
  | 'signalled'
  /** It is found when the build has begun, and stops it then. */
  | 'found'
  /** The build ends in its engine, and says nothing of the source. */
  | 'nothing';

export interface Impossible {
  readonly sources: readonly Source[];
  readonly moment: Moment;
  readonly reason: string;
  readonly instead: Instead;
}

/** Why some cells cannot occur. */
export const impossible: readonly Impossible[] = [
  {
    sources: ['total', 'phase', 'step', 'quiet'],
    moment: 'before start',
    reason: 'a budget is used from the beginning of the build on, and one of no time at all is refused',
    instead: 'refused',
  },
  {
    sources: ['SIGINT'],
    moment: 'before start',
    reason: 'there is no build to ask, and the system ends the command',
    instead: 'signalled',
  },
  {
    sources: ['file', 'stdin'],
    moment: 'before start',
    reason: 'one that is there already is found when the build has begun',
    instead: 'found',
  },
  {
    sources: ['step', 'quiet'],
    moment: 'parsing',
    reason: "it is used in TensorRT's phases only",
    instead: 'nothing',
  },
  {
    sources: ['step', 'quiet'],
    moment: 'short steps',
    reason: 'each step comes in time',
    instead: 'nothing',
  },
  {
    sources: ['step', 'quiet'],
    moment: 'silent tail',
    reason: "no phase of TensorRT's is live",
    instead: 'nothing',
  },
];

export function insteadOf({ source, moment }: Cell): Instead | undefined {
  return impossible.find((one) => one.moment === moment && one.sources.includes(source))?.instead;
}

export function titleOf({ source, moment, isolation }: Cell): string {
  return `${source} x ${moment} x ${isolation}`;
}
