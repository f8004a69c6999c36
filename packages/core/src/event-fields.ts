import type { BuildEvent, CancelSource, EventBase } from './events.ts';
import type { PhaseNode, TreeSnapshot } from './phase-tree.ts';

/** What a field holds. `count`: a whole number from 0 up. `pair`: exactly two. */
export type FieldType =
  | 'string'
  | 'boolean'
  | 'number'
  | 'integer'
  | 'count'
  | { readonly oneOf: readonly string[] }
  | { readonly list: FieldType }
  | { readonly pair: FieldType }
  | { readonly fields: Fields };

interface Field {
  readonly type: FieldType;
  readonly required: boolean;
}

export type Fields = Readonly<Record<string, Field>>;

/** One field for each of `T`'s, required where it is in `T`: the compiler holds this table against the event types. */
type FieldsOf<T> = {
  readonly [K in keyof T]-?: {
    readonly type: FieldType;
    readonly required: {} extends Pick<T, K> ? false : true;
  };
};
type OwnFields = { readonly [E in BuildEvent as E['type']]: FieldsOf<Omit<E, keyof EventBase | 'type'>> };

const must = (type: FieldType) => ({ type, required: true }) as const;
const may = (type: FieldType) => ({ type, required: false }) as const;

const origin = { oneOf: ['tensorrt', 'trtscope'] } as const;

/** Who may ask for a cancel. */
export const cancelSources = [
  'abort-signal',
  'call',
  'deadline',
  'budget',
  'os-signal',
  'file',
  'stdin',
  'http',
  'editor',
  'agent',
  'custom',
  'dispose',
  'program',
] as const satisfies readonly CancelSource[];

const reason = {
  source: must({ oneOf: cancelSources }),
  message: must('string'),
  requestedAtNs: must('count'),
  detail: may('string'),
} satisfies FieldsOf<Extract<BuildEvent, { type: 'cancel.requested' }>['reason']>;

const phaseNode = {
  phase: must('count'),
  parent: may('count'),
  parentName: may('string'),
  name: must('string'),
  origin: must(origin),
  thread: must('count'),
  depth: must('count'),
  steps: may('count'),
  startedNs: must('count'),
  finishedNs: may('count'),
  state: must({ oneOf: ['live', 'finished', 'unfinished'] }),
  done: must('count'),
  lastStep: may('integer'),
  progress: may('number'),
  children: must({ list: 'count' }),
} satisfies FieldsOf<PhaseNode>;

const tree = {
  phases: must({ list: { fields: phaseNode } }),
  strays: must('count'),
} satisfies FieldsOf<TreeSnapshot>;

type Finished = Extract<BuildEvent, { type: 'build.finished' }>;
const engine = {
  path: must('string'),
  bytes: must('count'),
  sha256: may('string'),
} satisfies FieldsOf<NonNullable<Finished['engine']>>;
const error = {
  code: must('string'),
  message: must('string'),
  tensorrtCode: may('integer'),
  phasePath: may({ list: 'string' }),
} satisfies FieldsOf<NonNullable<Finished['error']>>;

const cleanup = {
  temporariesRemoved: must({ list: 'string' }),
  timingCacheSaved: may('boolean'),
} satisfies FieldsOf<NonNullable<Finished['cleanup']>>;

/** The fields that every event has beside its `type`. */
export const baseFields = {
  build: must('string'),
  seq: must('count'),
  timeNs: must('count'),
} satisfies FieldsOf<EventBase>;

/** Each event's own fields: the one truth that decoding, the JSON Schema and docs/events.md follow. */
export const eventFields = {
  'build.started': {
    model: may('string'),
    output: may('string'),
    command: may('string'),
    pid: may('count'),
    startedAt: must({ pair: 'count' }),
  },
  'tensorrt.loaded': {
    edition: must({ oneOf: ['tensorrt', 'tensorrt_rtx'] }),
    version: must('string'),
    path: may('string'),
  },
  'phase.started': {
    phase: must('count'),
    parent: may('count'),
    parentName: may('string'),
    name: must('string'),
    steps: may('count'),
    thread: must('count'),
    origin: must(origin),
  },
  'step.completed': {
    phase: must('count'),
    step: must('integer'),
    thread: must('count'),
    done: must('count'),
    merged: may('count'),
    longest: may({ fields: { step: must('integer'), forNs: must('count') } }),
  },
  'phase.finished': { phase: must('count'), done: must('count') },
  log: {
    severity: must({ oneOf: ['internal_error', 'error', 'warning', 'info', 'verbose'] }),
    message: must('string'),
    origin: must(origin),
    code: may('integer'),
    phase: may('count'),
  },
  'budget.warning': { budget: must('string'), limitNs: must('count'), usedNs: must('count') },
  'cancel.requested': { reason: must({ fields: reason }) },
  'cancel.escalated': { to: must({ oneOf: ['terminate', 'kill'] }) },
  'cancel.acknowledged': {
    by: must({ oneOf: ['step', 'between', 'exit'] }),
    phase: may('count'),
    step: may('integer'),
  },
  quiet: { phase: may('count'), forNs: must('count'), alive: must('boolean'), cpu: may('number') },
  snapshot: { tree: must({ fields: tree }) },
  'build.finished': {
    outcome: must({ oneOf: ['built', 'cancelled', 'failed'] }),
    engine: may({ fields: engine }),
    error: may({ fields: error }),
    callbacks: may({ fields: { count: must('count'), ns: must('count') } }),
    peakMemoryBytes: may('count'),
    cleanup: may({ fields: cleanup }),
  },
} as const satisfies OwnFields;
