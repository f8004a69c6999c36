import { describe, expect, test } from 'vitest';
import { startBuild, type Build } from '../src/build.ts';
import type { BuildEvent, BuildFinished, BuildStarted } from '../src/events.ts';
import { PhaseTree } from '../src/phase-tree.ts';
import { replaySource } from '../src/replay-source.ts';
import { BuildSummary } from '../src/build-summary.ts';
import { logLine, phaseStarted, stepCompleted } from './events.ts';
import { FakeClock } from './fake-clock.ts';
import { recordedEvents, recordingNames } from './recordings.ts';

async function* later(events: readonly BuildEvent[]): AsyncGenerator<BuildEvent> {
  for (const event of events) yield event;
}

/** Lets every promise that can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function eventsOf(build: Build): Promise<BuildEvent[]> {
  const events: BuildEvent[] = [];
  for await (const event of build.events()) events.push(event);
  return events;
}

const started: BuildStarted = {
  type: 'build.started',
  build: 'past',
  seq: 4,
  timeNs: 0,
  model: 'old.onnx',
  startedAt: [1_600_000_000, 5],
};

function recording(...events: BuildEvent[]): BuildEvent[] {
  const end: BuildFinished = {
    type: 'build.finished',
    build: 'past',
    seq: 99,
    timeNs: 10e9,
    outcome: 'built',
  };
  return [started, ...events, end].map((event, index) =>
    Object.assign(event, { build: 'past', seq: 4 + index }),
  );
}

async function* broken(): AsyncGenerator<BuildEvent> {
  yield started;
  yield phaseStarted(1);
  throw new Error('disk gone');
}

describe.each(recordingNames)('the recording %s', (name) => {
  test('replays to the events that it holds, and to the result that they make', async () => {
    const events = recordedEvents(name);
    const build = startBuild(replaySource(events, { speed: 'max' }));
    expect(await eventsOf(build)).toEqual(events);

    const tree = new PhaseTree();
    const summary = new BuildSummary();
    for (const event of events) {
      tree.apply(event);
      summary.apply(event, tree);
    }
    expect(await build.result).toEqual(summary.result(events.at(-1) as BuildFinished, tree));
    expect(build.tree.snapshot()).toEqual(tree.snapshot());
    expect([build.id, build.elapsedNs()]).toEqual([name, events.at(-1)?.timeNs]);
  });
});

describe('identity', () => {
  test('is known at once where the events are at hand', () => {
    const build = startBuild(replaySource(recording(), { clock: new FakeClock() }));
    expect([build.id, build.subject, build.startedAt]).toEqual([
      'past',
      { model: 'old.onnx' },
      [1_600_000_000, 5],
    ]);
  });

  test('is known at once where the first event is given beforehand, and that event comes once', async () => {
    const build = startBuild(replaySource(later(recording()), { speed: 'max', started }));
    expect(build.id).toBe('past');
    expect((await eventsOf(build)).map(({ type, seq }) => [type, seq])).toEqual([
      ['build.started', 4],
      ['build.finished', 5],
    ]);
  });

  test('is known from the first event on otherwise', async () => {
    const build = startBuild(replaySource(later(recording()), { speed: 'max' }));
    expect(build.id).not.toBe('past');
    expect(await build.result).toMatchObject({
      build: 'past',
      model: 'old.onnx',
      startedAt: [1_600_000_000, 5],
    });
    expect(build.id).toBe('past');
  });

  test('gives way to an id that is asked for', async () => {
    const build = startBuild(replaySource(recording(), { speed: 'max' }), { id: 'mine' });
    expect(await build.result).toMatchObject({ build: 'mine', model: 'old.onnx' });
  });
});

describe('pace', () => {
  test.each([
    [1, 2000],
    [4, 500],
    [0.5, 4000],
  ])('at speed %d two seconds take %d ms, and elapsed time is the time of then', async (speed, ms) => {
    const clock = new FakeClock();
    const events = recording(logLine('a', 2e9), logLine('b', 4e9));
    const build = startBuild(replaySource(events, { speed, clock }), { clock });
    const seen: string[] = [];
    build.attach({ name: 'seen', receive: (batch) => void seen.push(...batch.map(({ type }) => type)) });
    clock.advance(ms / 2);
    await settle();
    expect([build.elapsedNs(), seen]).toEqual([1e9, ['build.started']]);
    clock.advance(ms / 2);
    await settle();
    clock.advance(ms / 2);
    await settle();
    expect([build.elapsedNs(), seen]).toEqual([3e9, ['build.started', 'log']]);
    await build[Symbol.asyncDispose]();
  });

  test('time never runs ahead of the next event', () => {
    const clock = new FakeClock();
    const build = startBuild(replaySource(recording(logLine('a', 2e9)), { clock }), { clock });
    clock.advance(1999);
    expect(build.elapsedNs()).toBe(1.999e9);
    clock.advance(5000);
    expect(build.elapsedNs()).toBe(2e9);
  });

  test.each([0, -1, NaN, Infinity, 'fast'])('a speed of %s is refused', (speed) => {
    expect(() => replaySource([], { speed: speed as number })).toThrow(
      'The option speed must be a number above 0 or "max"',
    );
  });
});

describe('cancelling a replay', () => {
  test('ends it as a build that answered at its last step, at that time', async () => {
    const clock = new FakeClock();
    const events = recording(
      phaseStarted(1, { timeNs: 1 }),
      stepCompleted(1, 3, { timeNs: 2 }),
      logLine('a', 5e9),
    );
    const build = startBuild(replaySource(events, { clock }), { clock });
    clock.advance(1000);
    build.cancel('seen enough');
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      durationNs: 1e9,
      cancel: {
        message: 'seen enough',
        requestedAtNs: 1e9,
        phasePath: ['phase 1'],
        acknowledged: { by: 'step', atNs: 1e9, phase: 'phase 1', step: 2 },
      },
    });
    expect(build.tree.get(1)?.state).toBe('unfinished');
    expect(clock.waiting).toBe(0);
  });

  test('before the first event ends it too', async () => {
    const build = startBuild(replaySource(later(recording(logLine('a', 5e9)))));
    build.cancel();
    expect(await build.result).toMatchObject({ outcome: 'cancelled', cancel: { phasePath: [] } });
  });

  test('after its last event changes nothing', async () => {
    const build = startBuild(replaySource(recording(), { speed: 'max' }));
    await build.result;
    build.cancel();
    expect(await build.result).toMatchObject({ outcome: 'built' });
  });
});

describe('a recording that', () => {
  test('breaks off makes a failed build', async () => {
    const build = startBuild(replaySource([started, phaseStarted(1, { timeNs: 7 })], { speed: 'max' }));
    expect(await build.result).toMatchObject({
      outcome: 'failed',
      durationNs: 7,
      error: { code: 'SOURCE_FAILED' },
    });
  });

  test('breaks amid its reading is played up to there', async () => {
    const build = startBuild(replaySource(broken(), { speed: 'max' }));
    expect(await build.result).toMatchObject({
      error: { code: 'SOURCE_FAILED', message: 'The replay source failed: disk gone.' },
      counts: { phases: 1 },
    });
  });

  test('begins amid a build, with a snapshot, goes on from there', async () => {
    const tree = new PhaseTree();
    tree.apply(phaseStarted(1, { steps: 4 }));
    const snapshot: BuildEvent = {
      type: 'snapshot',
      build: 'past',
      seq: 8,
      timeNs: 3,
      tree: tree.snapshot(),
    };
    const end: BuildEvent = { type: 'build.finished', build: 'past', seq: 10, timeNs: 9, outcome: 'built' };
    const events = [snapshot, stepCompleted(1, 2, { seq: 9, timeNs: 4 }), end];
    const build = startBuild(replaySource(events, { speed: 'max' }));
    expect(await build.result).toMatchObject({
      outcome: 'built',
      counts: { phases: 1, steps: 2 },
      strays: 0,
    });
  });
});

test('a replay of very many events leaves the consumers their turn, and loses none', async () => {
  const steps = Array.from({ length: 20_000 }, (_, index) => stepCompleted(1, index + 1, { timeNs: index }));
  const events = [started, phaseStarted(1), ...steps].map((event, seq) =>
    Object.assign(event, { build: 'past', seq: 4 + seq }),
  );
  const build = startBuild(replaySource(events, { speed: 'max' }));
  const all = await eventsOf(build);
  expect(all.filter(({ type }) => type === 'step.completed')).toHaveLength(20_000);
});
