import { describe, expect, test } from 'vitest';
import { startBuild, type BuildOptions } from '../src/build.ts';
import { TrtscopeError } from '../src/errors.ts';
import type { BuildEvent } from '../src/events.ts';
import type { BuildSource } from '../src/source.ts';
import { FakeClock } from './fake-clock.ts';
import { ManualSource } from './manual-source.ts';

function started(options: BuildOptions = {}) {
  const source = new ManualSource();
  const clock = new FakeClock();
  const build = startBuild(source, { id: 'b', clock, ...options });
  return { source, clock, build, events: collect(build.events()) };
}

async function collect(events: AsyncIterable<BuildEvent>): Promise<BuildEvent[]> {
  const all: BuildEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Lets the tick of the start pass, and what it set off. */
const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 0));

const phase = {
  type: 'phase.started',
  phase: 1,
  name: 'p',
  thread: 1,
  origin: 'tensorrt',
  steps: 2,
} as const;
const step = { type: 'step.completed', phase: 1, step: 0, thread: 1, done: 1 } as const;

describe('a build', () => {
  test('starts its source at once and tells what the source tells, in order and numbered', async () => {
    const { source, clock, build, events } = started();
    expect(source.starts).toBe(1);
    source.begin();
    clock.advance(5);
    source.emit({ ...phase, timeNs: 1 }, { ...step, timeNs: 2 });
    source.finish('built');
    expect(await events).toEqual([
      {
        type: 'build.started',
        build: 'b',
        seq: 0,
        timeNs: 0,
        model: 'net.onnx',
        output: 'net.engine',
        startedAt: [1_700_000_000, 0],
      },
      { ...phase, build: 'b', seq: 1, timeNs: 1 },
      { ...step, build: 'b', seq: 2, timeNs: 2 },
      { type: 'build.finished', build: 'b', seq: 3, timeNs: 5e6, outcome: 'built' },
    ]);
    expect(await build.result).toEqual({
      outcome: 'built',
      build: 'b',
      model: 'net.onnx',
      output: 'net.engine',
      startedAt: [1_700_000_000, 0],
      durationNs: 5e6,
      phases: [{ phase: 1, name: 'p', origin: 'tensorrt', depth: 0, startedNs: 1, steps: 2, done: 1 }],
      counts: { phases: 1, steps: 1 },
      strays: 0,
    });
  });

  test('has an id of its own when none is given', () => {
    const [first, second] = [startBuild(new ManualSource()), startBuild(new ManualSource())];
    expect(first.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.id).not.toBe(second.id);
  });

  test("keeps the gaps in its source's numbers, and numbers its own events between them", async () => {
    const { source, build, events } = started();
    source.begin();
    source.emit({ ...phase, timeNs: 0, seq: 7 }, { ...step, timeNs: 0, seq: 3 });
    build.cancel();
    source.emit({ ...step, timeNs: 0, seq: 9, done: 2 }, { ...step, timeNs: 0, done: 3 });
    source.finish('built');
    expect((await events).map(({ seq }) => seq)).toEqual([0, 7, 8, 9, 10, 11, 12]);
  });

  test('has its tree ahead of every consumer', () => {
    const { source, build } = started();
    source.begin();
    source.emit({ ...phase, timeNs: 0 }, { ...step, timeNs: 0 });
    expect(build.tree.get(1)).toMatchObject({ state: 'live', done: 1, progress: 0.5 });
  });

  test('stands still at its end', async () => {
    const { source, clock, build } = started();
    source.begin();
    clock.advance(3);
    expect(build.elapsedNs()).toBe(3e6);
    source.finish('failed');
    clock.advance(10);
    source.emit({ ...phase, timeNs: 0 });
    source.finish('built');
    expect(await build.result).toMatchObject({ outcome: 'failed', durationNs: 3e6 });
    expect([build.elapsedNs(), build.tree.phases()]).toEqual([3e6, []]);
  });

  test('leaves its own phases out of the counts', async () => {
    const { source, build } = started();
    source.begin();
    const own = { ...phase, phase: 2, origin: 'trtscope' } as const;
    source.emit({ ...phase, timeNs: 0 }, { ...own, timeNs: 0 }, { ...step, phase: 2, done: 9, timeNs: 0 });
    source.emit({ ...step, timeNs: 0 }, { ...step, phase: 0, timeNs: 0 });
    source.finish('built');
    expect(await build.result).toMatchObject({ counts: { phases: 1, steps: 1 }, strays: 1 });
  });

  test('passes on what the source knows of the engine, TensorRT, its callbacks and memory', async () => {
    const { source, build } = started();
    const facts = {
      engine: { path: 'net.engine', bytes: 5, sha256: 'ab' },
      callbacks: { count: 3, ns: 9 },
      peakMemoryBytes: 77,
    };
    source.begin();
    source.emit({
      type: 'tensorrt.loaded',
      timeNs: 1,
      edition: 'tensorrt_rtx',
      version: '1.7.1',
      path: '/lib',
    });
    source.emit({ type: 'build.finished', timeNs: 2, outcome: 'built', ...facts });
    source.end();
    const tensorrt = { edition: 'tensorrt_rtx', version: '1.7.1', path: '/lib' };
    expect(await build.result).toMatchObject({ ...facts, tensorrt });
  });
});

describe('a source that', () => {
  test('throws as it starts makes a failed build', async () => {
    const source: BuildSource = {
      kind: 'broken',
      subject: { model: 'm' },
      start: () => {
        throw new Error('no socket.');
      },
    };
    const build = startBuild(source, { id: 'b' });
    const events = collect(build.events());
    const error = { code: 'SOURCE_FAILED', message: 'The broken source failed: no socket.' };
    expect(await build.result).toMatchObject({ outcome: 'failed', model: 'm', error });
    expect((await events).map(({ type }) => type)).toEqual(['build.started', 'build.finished']);
  });

  test('breaks with an error of ours makes a build that failed with its code', async () => {
    const { source, build } = started();
    source.fail(new TrtscopeError('BUILDER_CRASHED', 'The builder was killed by SIGKILL.'));
    expect(await build.result).toMatchObject({
      outcome: 'failed',
      error: { code: 'BUILDER_CRASHED', message: 'The builder was killed by SIGKILL.' },
    });
  });

  test('ends without its last event makes a failed build that says so', async () => {
    const { source, clock, build } = started();
    source.begin();
    source.emit({ ...phase, timeNs: 8e6 });
    clock.advance(1);
    source.end();
    expect(await build.result).toMatchObject({
      outcome: 'failed',
      durationNs: 8e6,
      error: {
        code: 'SOURCE_FAILED',
        message: 'The manual source ended without saying how the build ended.',
      },
    });
    expect(build.tree.get(1)?.state).toBe('unfinished');
  });

  test('breaks after its last event changes nothing', async () => {
    const { source, build } = started();
    source.begin();
    source.emit({ type: 'build.finished', timeNs: 4, outcome: 'built' });
    source.fail(new Error('too late'));
    expect(await build.result).toMatchObject({ outcome: 'built', durationNs: 4 });
  });

  test('forgets build.started gets one, and a second one is left out', async () => {
    const { source, events } = started();
    source.emit({ ...phase, timeNs: 1 });
    source.begin();
    source.finish('built');
    expect((await events).map(({ type }) => type)).toEqual([
      'build.started',
      'phase.started',
      'build.finished',
    ]);
  });

  test('fails without a word makes a result that has an error all the same', async () => {
    const { source, build } = started();
    source.finish('failed');
    expect(await build.result).toMatchObject({ error: { code: 'BUILD_FAILED' } });
  });

  test('still runs after its last event keeps the result waiting', async () => {
    const { source, build } = started();
    source.emit({ type: 'build.finished', timeNs: 4, outcome: 'built' });
    const settled = await Promise.race([
      build.result,
      new Promise((resolve) => setImmediate(resolve, 'pending')),
    ]);
    expect(settled).toBe('pending');
    source.end();
    expect(await build.result).toMatchObject({ outcome: 'built' });
  });
});

describe('consumers', () => {
  test('that come in the tick of the start get every event, also those of the start itself', async () => {
    const source: BuildSource = {
      kind: 'quick',
      subject: {},
      start: (context) => {
        context.emit([{ type: 'build.finished', timeNs: 1, outcome: 'built' }]);
        return { cancel: () => undefined, ended: Promise.resolve() };
      },
    };
    const build = startBuild(source);
    expect((await collect(build.events())).map(({ type }) => type)).toEqual([
      'build.started',
      'build.finished',
    ]);
  });

  test('that come later get a snapshot first and then what follows', async () => {
    const { source, build } = started();
    source.begin();
    source.emit({ ...phase, timeNs: 3 }, { ...step, timeNs: 4 });
    await nextTurn();
    const late = collect(build.events());
    source.finish('built', 9);
    expect(await late).toMatchObject([
      {
        type: 'snapshot',
        build: 'b',
        seq: 2,
        timeNs: 4,
        tree: { phases: [{ phase: 1, done: 1 }], strays: 0 },
      },
      { type: 'build.finished', seq: 3 },
    ]);
  });

  test('that come after the end get a snapshot and the end', async () => {
    const { source, build } = started();
    source.emit({ ...phase, timeNs: 3 });
    source.finish('failed', 9);
    await build.result;
    await nextTurn();
    expect(await collect(build.events())).toMatchObject([
      { type: 'snapshot', tree: { phases: [{ state: 'unfinished' }] } },
      { type: 'build.finished', outcome: 'failed' },
    ]);
  });

  test('do not hold the result up, nor does one that throws, and that is said once in the events', async () => {
    const { source, build, events } = started();
    const never = build.attach({ name: 'never', receive: () => new Promise(() => undefined) });
    const faulty = build.attach({ name: 'faulty', receive: () => Promise.reject(new Error('oh')) });
    source.begin();
    await faulty.closed;
    source.finish('built');
    expect(await build.result).toMatchObject({ outcome: 'built' });
    never.detach();
    await never.closed;
    const message = 'The consumer faulty threw "oh": it was detached, the build goes on.';
    expect((await events).filter(({ type }) => type === 'log')).toMatchObject([
      { severity: 'warning', origin: 'trtscope', message },
    ]);
  });

  test('may cancel from within what they receive', async () => {
    const { source, build, events } = started();
    build.attach({ name: 'judge', receive: () => build.cancel('seen enough') });
    source.begin();
    await expect.poll(() => source.cancels).toMatchObject([{ message: 'seen enough' }]);
    source.finish('cancelled');
    expect((await events).filter(({ type }) => type === 'cancel.requested')).toHaveLength(1);
  });

  test('an iteration that is left early is no fault', async () => {
    const { source, build, events } = started();
    source.begin();
    for await (const event of build.events()) {
      expect(event.type).toBe('build.started');
      break;
    }
    source.finish('built');
    expect((await events).map(({ type }) => type)).toEqual(['build.started', 'build.finished']);
  });

  test('an iteration that fell too far behind says so when it goes on', async () => {
    const source = new ManualSource();
    const build = startBuild(source);
    const iteration = build.events()[Symbol.asyncIterator]();
    source.begin();
    await iteration.next();
    const line = { type: 'log', timeNs: 0, severity: 'info', message: '', origin: 'tensorrt' } as const;
    for (let index = 0; index <= 65_536; index += 1) source.emit(line);
    await expect(iteration.next()).rejects.toMatchObject({ code: 'CONSUMER_DETACHED' });
    source.finish('built');
  });
});

test.each<[BuildOptions, string]>([
  [{ id: '' }, 'The option id must be a string that is not empty, but is "".'],
  [
    { budget: { totalMs: -1 } },
    'The option budget.totalMs must be a number above 0 and at most 8640000000, but is -1.',
  ],
])('the bad options %j are refused before anything starts', (options, message) => {
  const source = new ManualSource();
  expect(() => startBuild(source, options)).toThrow(message);
  expect(source.starts).toBe(0);
});
