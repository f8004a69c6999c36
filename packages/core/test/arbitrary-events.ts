import fc from 'fast-check';
import type { BuildEvent } from '../src/events.ts';
import { eventFields, type Fields, type FieldType } from '../src/event-fields.ts';

/** Few phases and small numbers, so that events meet: duplicates, unknown parents, strays and reused names all occur. */
const phase = fc.integer({ min: 0, max: 6 });
const time = fc.integer({ min: 0, max: 1000 });

const started = fc.record(
  {
    type: fc.constant('phase.started' as const),
    timeNs: time,
    phase,
    parent: phase,
    name: fc.constantFrom('a', 'b', 'constructor'),
    steps: fc.integer({ min: 0, max: 4 }),
    thread: fc.integer({ min: 1, max: 3 }),
    origin: fc.constantFrom('tensorrt' as const, 'trtscope' as const),
  },
  { requiredKeys: ['type', 'timeNs', 'phase', 'name', 'thread', 'origin'] },
);
const stepped = fc.record(
  {
    type: fc.constant('step.completed' as const),
    timeNs: time,
    phase,
    step: fc.integer({ min: 0, max: 5 }),
    thread: fc.integer({ min: 1, max: 3 }),
    done: fc.integer({ min: 0, max: 6 }),
    merged: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: ['type', 'timeNs', 'phase', 'step', 'thread', 'done'] },
);
const finished = fc.record({
  type: fc.constant('phase.finished' as const),
  timeNs: time,
  phase,
  done: fc.integer({ min: 0, max: 6 }),
});

/** Phase events in any order, sensible or not. */
export const wildEvents: fc.Arbitrary<BuildEvent[]> = fc
  .array(fc.oneof(started, stepped, finished), { maxLength: 60 })
  .map((events) => events.map((event, seq) => ({ ...event, build: 'b', seq })));

/** What a monitor tells: `phase` picks among those that are live, and counts are right. */
export const orderlyEvents: fc.Arbitrary<BuildEvent[]> = fc
  .array(
    fc.record({
      what: fc.constantFrom('start', 'step', 'step', 'step', 'stray', 'finish', 'log'),
      pick: fc.nat({ max: 50 }),
      steps: fc.integer({ min: 0, max: 6 }),
      forNs: fc.nat({ max: 100 }),
    }),
    { maxLength: 120 },
  )
  .map(toOrderly);

interface Move {
  readonly what: string;
  readonly pick: number;
  readonly steps: number;
  readonly forNs: number;
}

function toOrderly(moves: readonly Move[]): BuildEvent[] {
  const live: { readonly phase: number; done: number }[] = [];
  let strays = 0;
  let phases = 0;
  let timeNs = 0;
  return moves.map(({ what, pick, steps, forNs }, seq): BuildEvent => {
    timeNs += forNs;
    const base = { build: 'b', seq, timeNs };
    const chosen = live[pick % Math.max(1, live.length)];
    if (what === 'log')
      return { type: 'log', ...base, severity: 'info', message: `${pick}`, origin: 'tensorrt' };
    if (what === 'start' || chosen === undefined) {
      phases += 1;
      live.push({ phase: phases, done: 0 });
      const parent = chosen === undefined ? {} : { parent: chosen.phase };
      const announced = steps > 0 ? { steps } : {};
      return {
        type: 'phase.started',
        ...base,
        phase: phases,
        ...parent,
        name: 'p',
        ...announced,
        thread: 1,
        origin: 'tensorrt',
      };
    }
    if (what === 'stray') {
      strays += 1;
      return { type: 'step.completed', ...base, phase: 0, step: 0, thread: 1, done: strays };
    }
    if (what === 'finish') {
      live.splice(live.indexOf(chosen), 1);
      return { type: 'phase.finished', ...base, phase: chosen.phase, done: chosen.done };
    }
    chosen.done += 1;
    return {
      type: 'step.completed',
      ...base,
      phase: chosen.phase,
      step: chosen.done - 1,
      thread: 1,
      done: chosen.done,
    };
  });
}

/** Any event that the field table allows, from the table itself. */
export const anyEvent: fc.Arbitrary<BuildEvent> = fc.oneof(
  ...Object.entries(eventFields).map(([type, fields]) =>
    fc
      .tuple(
        fc.record({ build: fc.string(), seq: fc.maxSafeNat(), timeNs: fc.maxSafeNat() }),
        arbitraryOf(fields),
      )
      .map(([base, own]) => Object.assign({ type }, base, own) as unknown as BuildEvent),
  ),
);

function arbitraryOf(fields: Fields): fc.Arbitrary<object> {
  const all = Object.entries(fields);
  return fc.record(Object.fromEntries(all.map(([name, field]) => [name, valueOf(field.type)])), {
    requiredKeys: all.filter(([, field]) => field.required).map(([name]) => name),
  });
}

function valueOf(type: FieldType): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fc.string({ unit: 'binary' });
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    case 'integer':
      return fc.maxSafeInteger();
    case 'count':
      return fc.maxSafeNat();
  }
  if ('oneOf' in type) return fc.constantFrom(...type.oneOf);
  if ('fields' in type) return arbitraryOf(type.fields);
  if ('pair' in type) return fc.tuple(valueOf(type.pair), valueOf(type.pair));
  return fc.array(valueOf(type.list), { maxLength: 4 });
}
