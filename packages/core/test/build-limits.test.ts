import { getEventListeners } from 'node:events';
import { access } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { startBuild, type Budget, type BuildOptions } from '../src/build.ts';
import type { BuildSource } from '../src/source.ts';
import { customTrigger, fileTrigger, osSignals, stdinTrigger } from '../src/triggers/index.ts';
import { FakeClock } from './fake-clock.ts';
import { ManualSource } from './manual-source.ts';
import { phases, started } from './started-build.ts';

describe('what asks by itself', () => {
  test.each<[string, () => BuildOptions]>([
    ['a signal that is aborted', () => ({ signal: AbortSignal.abort() })],
    ['a deadline that is past', () => ({ deadline: new Date(0) })],
  ])('%s starts nothing, whoever watches', async (_what, options) => {
    const source = new ManualSource({ watchesLimits: true });
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

  test.each<[string, Budget, string]>([
    ['a phase', { phaseMs: { 'l?af': 100 } }, 'phase "l?af"'],
    ['a step', { stepMs: 100 }, 'step'],
    ['silence', { quietMs: 100 }, 'quiet'],
  ])('a budget of %s warns and cancels by the clock, with one timer', async (_what, budget, detail) => {
    const { source, clock, types, cancel } = started({ budget });
    source.emit(...phases);
    for (let done = 6; done < 10; done += 1) {
      clock.advance(15);
      expect(clock.waiting).toBe(1);
      source.emit({
        type: 'step.completed',
        timeNs: clock.nowNs(),
        phase: 2,
        step: done - 1,
        thread: 1,
        done,
      });
    }
    clock.advance(100);
    source.finish('cancelled');
    const requestedAtNs = detail.startsWith('phase') ? 100e6 + 2 : 160e6;
    expect(await cancel()).toMatchObject({
      source: 'budget',
      detail,
      requestedAtNs,
      phasePath: ['root', 'leaf'],
    });
    await expect.poll(() => types.at(-1)).toBe('build.finished');
    expect(types.filter((type) => type === 'budget.warning')).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  test('a budget that was spent before the news of it came is spent, but not by the end of the build', async () => {
    const [late, ended] = [started({ budget: { stepMs: 100 } }), started({ budget: { totalMs: 100 } })];
    late.source.emit(...phases, { type: 'phase.finished', timeNs: 200e6, phase: 2, done: 5 });
    late.source.finish('cancelled', 300e6);
    expect(await late.cancel()).toMatchObject({ source: 'budget', detail: 'step' });
    ended.source.finish('built', 200e6);
    expect(await ended.cancel()).toBeUndefined();
  });

  test('a source that watches limits is told of them, and nothing else watches', async () => {
    const source = new ManualSource({ watchesLimits: true });
    const clock = new FakeClock();
    const limits = { deadline: new Date(clock.wallMs + 5000), budget: { totalMs: 1000, stepMs: 10 } };
    startBuild(source, { clock, ...limits });
    source.begin();
    source.emit(...phases);
    clock.advance(10_000);
    expect([source.context.limits, source.cancels, clock.waiting]).toEqual([limits, [], 0]);
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

test(
  'ten thousand builds on one signal, with every trigger, leave all as it was and no memory behind',
  { timeout: 30_000 },
  async () => {
    const { signal } = new AbortController();
    const lines = new PassThrough();
    const source: BuildSource = {
      kind: 'trivial',
      subject: {},
      start: (context) => ({
        cancel: () => undefined,
        ended: Promise.resolve().then(() =>
          context.emit([...phases, { type: 'build.finished', timeNs: 1, outcome: 'built' }]),
        ),
      }),
    };
    const budget = { totalMs: 1e6, phaseMs: { '*': 1e6 }, stepMs: 1e6, quietMs: 1e6 };
    const options = { signal, budget, deadline: new Date(4e12) };
    const listeners = () => [
      getEventListeners(signal, 'abort').length,
      ...['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name)),
      ...['data', 'end', 'error'].map((name) => lines.listenerCount(name)),
    ];
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    const run = async (builds: number): Promise<number> => {
      for (let index = 0; index < builds; index += 1) {
        const build = startBuild(source, options);
        osSignals(build);
        stdinTrigger(build, lines);
        customTrigger(build, () => () => undefined);
        fileTrigger(build, '/nowhere/stop');
        await build.result;
      }
      // Until the last look for a file has come back.
      await access('/nowhere/stop').catch(() => undefined);
      gc();
      return process.memoryUsage().heapUsed;
    };
    const before = listeners();
    const heap = await run(500);
    const grown = (await run(10_000)) - heap;
    expect(listeners()).toEqual(before);
    expect(grown).toBeLessThan(2e6);
  },
);
