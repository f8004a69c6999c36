import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { startBuild, type BuildOptions } from '../src/build.ts';
import type { SourceEvent } from '../src/events.ts';
import type { CancelReport } from '../src/result.ts';
import type { BuildSource } from '../src/source.ts';
import { FakeClock } from './fake-clock.ts';
import { ManualSource } from './manual-source.ts';

function started(options: BuildOptions = {}) {
  const source = new ManualSource();
  const clock = new FakeClock();
  const build = startBuild(source, { id: 'b', clock, ...options });
  const types: string[] = [];
  build.attach({ name: 'types', receive: (events) => void types.push(...events.map(({ type }) => type)) });
  source.begin();
  const cancel = async (): Promise<CancelReport | undefined> => (await build.result).cancel;
  return { source, clock, build, types, cancel };
}

const phases: SourceEvent[] = [
  { type: 'phase.started', timeNs: 1, phase: 1, name: 'root', thread: 1, origin: 'tensorrt' },
  { type: 'phase.started', timeNs: 2, phase: 2, parent: 1, name: 'leaf', thread: 1, origin: 'tensorrt' },
  { type: 'step.completed', timeNs: 3, phase: 2, step: 4, thread: 1, done: 5 },
];

describe('cancelling', () => {
  test('reports who asked, where the build was, when it answered and how long it took', async () => {
    const { source, clock, build, cancel } = started();
    source.emit(...phases);
    clock.advance(10);
    build.cancel({ source: 'os-signal', message: 'Ctrl-C', detail: 'SIGINT' });
    clock.advance(2);
    source.emit({ type: 'cancel.acknowledged', timeNs: 12e6, by: 'step', phase: 2, step: 5 });
    clock.advance(3);
    source.finish('cancelled');
    expect(source.cancels).toMatchObject([{ source: 'os-signal', detail: 'SIGINT', requestedAtNs: 10e6 }]);
    expect(await cancel()).toEqual({
      source: 'os-signal',
      message: 'Ctrl-C',
      detail: 'SIGINT',
      requestedAtNs: 10e6,
      phasePath: ['root', 'leaf'],
      step: 4,
      acknowledged: { by: 'step', atNs: 12e6, phase: 'leaf', step: 5 },
      latencyNs: 5e6,
      escalation: 'none',
      temporariesRemoved: [],
      later: [],
      tooLate: false,
    });
  });

  test('asks the source once; later requests are listed', async () => {
    const { source, build, types, cancel } = started();
    build.cancel('first');
    build.cancel('second');
    build.cancel({ source: 'file', message: 'third' });
    expect(source.cancels.map(({ message }) => message)).toEqual(['first']);
    source.finish('cancelled');
    expect(await cancel()).toMatchObject({
      source: 'call',
      message: 'first',
      later: [
        { source: 'call', message: 'second' },
        { source: 'file', message: 'third' },
      ],
    });
    await expect.poll(() => types).toContain('build.finished');
    expect(types.filter((type) => type === 'cancel.requested')).toHaveLength(3);
  });

  test('after the end does nothing', async () => {
    const { source, build } = started();
    source.finish('built');
    build.cancel();
    build.escalate();
    await build.result;
    build.cancel();
    expect([source.cancels, source.escalations]).toEqual([[], 0]);
    expect(await build.result).not.toHaveProperty('cancel');
  });

  test('when the engine was in place already yields a built build that says so', async () => {
    const { source, build } = started();
    build.cancel();
    source.finish('built');
    expect(await build.result).toMatchObject({ outcome: 'built', cancel: { tooLate: true } });
  });

  test('a failure before the answer is a failure, with the request on record', async () => {
    const { source, build } = started();
    build.cancel();
    source.finish('failed');
    expect(await build.result).toMatchObject({ outcome: 'failed', cancel: { tooLate: false } });
  });

  test.each<SourceEvent>([
    { type: 'cancel.acknowledged', timeNs: 0, by: 'step' },
    { type: 'cancel.escalated', timeNs: 0, to: 'kill' },
  ])('a failure after $type is a cancel', async (event) => {
    const { source, build } = started();
    build.cancel();
    source.emit(event);
    source.finish('failed');
    expect(await build.result).toMatchObject({ outcome: 'cancelled' });
  });

  test('a source that stops by itself makes a cancel of the program', async () => {
    const { source, build } = started();
    source.finish('cancelled');
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      cancel: { source: 'program', latencyNs: 0 },
    });
  });

  test('a source that cannot be told to stop is no fault of the caller, and is said in the events', async () => {
    const source: BuildSource = {
      kind: 'deaf',
      subject: {},
      start: (context) => {
        context.emit([{ type: 'build.started', timeNs: 0, startedAt: context.startedAt }]);
        return {
          cancel: () => {
            throw new Error('the socket is closed');
          },
          ended: new Promise(() => undefined),
        };
      },
    };
    const build = startBuild(source);
    const messages: string[] = [];
    build.attach({
      name: 'logs',
      receive: (events) => {
        for (const event of events) if (event.type === 'log') messages.push(event.message);
      },
    });
    build.cancel();
    await expect
      .poll(() => messages)
      .toEqual(['The deaf source could not be told to stop: the socket is closed.']);
  });
});

describe('escalating', () => {
  test('asks first when nobody has, and then goes up in the source', async () => {
    const { source, build, cancel } = started();
    build.escalate();
    build.escalate();
    expect([source.cancels.length, source.escalations]).toEqual([1, 2]);
    source.emit({ type: 'cancel.escalated', timeNs: 1, to: 'terminate' });
    source.emit({ type: 'cancel.escalated', timeNs: 2, to: 'kill' });
    source.finish('cancelled');
    expect(await cancel()).toMatchObject({ source: 'call', escalation: 'kill' });
  });
});

describe('what asks by itself', () => {
  test.each<[string, () => BuildOptions]>([
    ['a signal that is aborted', () => ({ signal: AbortSignal.abort() })],
    ['a deadline that is past', () => ({ deadline: new Date(0) })],
  ])('%s starts nothing', async (_what, options) => {
    const source = new ManualSource();
    const build = startBuild(source, options());
    const types: string[] = [];
    for await (const event of build.events()) types.push(event.type);
    expect(types).toEqual(['build.started', 'cancel.requested', 'build.finished']);
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      model: 'net.onnx',
      cancel: { phasePath: [] },
    });
    expect(source.starts).toBe(0);
  });

  test('a signal that aborts while the source starts is passed on', () => {
    const abort = new AbortController();
    const source = new ManualSource();
    const start = source.start.bind(source);
    startBuild(
      { kind: 'k', subject: {}, start: (context) => (abort.abort(), start(context)) },
      { signal: abort.signal },
    );
    expect(source.cancels).toMatchObject([{ source: 'abort-signal' }]);
  });

  test('a budget warns, and then cancels', async () => {
    const { source, clock, types, cancel } = started({ budget: { totalMs: 1000 } });
    clock.advance(1000);
    source.finish('cancelled');
    expect(await cancel()).toMatchObject({ source: 'budget', message: 'the budget of 1 s is spent' });
    await expect
      .poll(() => types)
      .toEqual(['build.started', 'budget.warning', 'cancel.requested', 'build.finished']);
  });

  test('leaves no timer and no listener after the end', async () => {
    const { signal } = new AbortController();
    const { source, clock, build } = started({ signal, deadline: new Date(2e12), budget: { totalMs: 1e6 } });
    expect([clock.waiting, getEventListeners(signal, 'abort').length]).toEqual([2, 1]);
    source.finish('built');
    expect([clock.waiting, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
    await build.result;
  });
});

describe('disposing', () => {
  test('cancels what runs and waits until it has stopped', async () => {
    const { source, build, cancel } = started();
    const disposed = build[Symbol.asyncDispose]();
    expect(source.cancels).toMatchObject([{ source: 'dispose' }]);
    source.finish('cancelled');
    await disposed;
    expect(await cancel()).toMatchObject({ source: 'dispose' });
  });

  test('twice, or after a cancel or the end, asks for nothing more', async () => {
    const { source, build, cancel } = started();
    build.cancel('mine');
    const disposals = [build[Symbol.asyncDispose](), build[Symbol.asyncDispose]()];
    source.finish('cancelled');
    await Promise.all(disposals);
    await build[Symbol.asyncDispose]();
    expect(await cancel()).toMatchObject({ message: 'mine', later: [] });
  });
});

test('ten thousand builds on one signal leave it as it was, and leave no memory behind', async () => {
  const { signal } = new AbortController();
  const source: BuildSource = {
    kind: 'trivial',
    subject: {},
    start: (context) => ({
      cancel: () => undefined,
      ended: Promise.resolve().then(() =>
        context.emit([{ type: 'build.finished', timeNs: 1, outcome: 'built' }]),
      ),
    }),
  };
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const run = async (builds: number): Promise<number> => {
    for (let index = 0; index < builds; index += 1) {
      await startBuild(source, { signal, budget: { totalMs: 1e6 }, deadline: new Date(4e12) }).result;
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    gc();
    return process.memoryUsage().heapUsed;
  };
  const before = await run(500);
  const after = await run(10_000);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(after - before).toBeLessThan(2e6);
});
