import { DiagLogLevel, diag } from '@opentelemetry/api';
import { startBuild } from '@trtscope/core';
import type { Build, SourceContext } from '@trtscope/core';
import { afterEach, expect, test } from 'vitest';
import { traceBuild } from '../src/index.ts';
import { metrics } from '../src/semconv.ts';
import { metered } from './metered.ts';
import { ended, failed, finished, scriptedBuild, started, startedAt, steps } from './scripted-build.ts';
import type { ScriptedEvent } from './scripted-build.ts';
import { traced } from './traced.ts';

afterEach(() => diag.disable());

const timing = { 'tensorrt.phase.name': 'Timing' };
const smallBuild: readonly ScriptedEvent[] = [
  started(1, { name: 'parse', from: 0, origin: 'trtscope' }),
  finished(1, 500_000_000),
  started(2, { name: 'Timing 1', from: 1e9, announced: 4 }),
  ...steps(2, 4, 1.1e9),
  finished(2, 3e9, 4),
  ended(4e9),
];

/** A build that the test drives, and whose clock it is. */
function drivenBuild(model = '/models/net.onnx') {
  const clock = { ns: 0 };
  let context: SourceContext | undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  const build: Build = startBuild({
    kind: 'driven',
    subject: { model },
    start: (given) => {
      context = given;
      given.emit([{ type: 'build.started', timeNs: 0, model, startedAt }]);
      return { cancel: () => undefined, ended: promise, elapsedNs: () => clock.ns };
    },
  });
  const emit = async (...events: readonly ScriptedEvent[]) => {
    context?.emit(events);
    await new Promise((done) => {
      setImmediate(done);
    });
  };
  return { build, clock, emit, end: resolve };
}

test('a built build is one duration, one outcome, one size, and none is running any more', async () => {
  const { meterProvider, read } = metered();
  await traced(scriptedBuild(smallBuild), { meterProvider });
  const { series } = await read();
  const built = { 'tensorrt.build.result': 'built' };
  expect(series('tensorrt.build.duration')).toEqual([[built, 1, 4]]);
  expect(series('tensorrt.engine.size')).toEqual([[built, 1, 4_096]]);
  expect(series('tensorrt.build.active')).toEqual([[{}, 0]]);
  expect(series('tensorrt.build.outcomes')).toEqual([
    [built, 1],
    [{ 'tensorrt.build.result': 'cancelled' }, 0],
    [{ 'tensorrt.build.result': 'failed' }, 0],
  ]);
});

test('phases are measured by the name that their spans have, ours apart from TensorRT’s, and only TensorRT’s have steps', async () => {
  const { meterProvider, read } = metered();
  await traced(scriptedBuild(smallBuild), { meterProvider });
  const { series } = await read();
  expect(series('tensorrt.build.phase.duration')).toEqual([
    [{ 'tensorrt.phase.name': 'parse', 'tensorrt.phase.origin': 'trtscope' }, 1, 0.5],
    [{ ...timing, 'tensorrt.phase.origin': 'tensorrt' }, 1, 2],
  ]);
  expect(series('tensorrt.build.phase.steps')).toEqual([[timing, 4]]);
  expect(series('tensorrt.build.phase.active')).toEqual([[timing, 0]]);
});

test('a failed build has its error’s type, and a phase that did not finish no duration', async () => {
  const { meterProvider, read } = metered();
  await traced(scriptedBuild([started(1, { name: 'Timing', from: 1e9 }), failed(2e9, 'no tactic')]), {
    meterProvider,
  });
  const { series } = await read();
  const attributes = { 'tensorrt.build.result': 'failed', 'error.type': 'BUILD_FAILED' };
  expect(series('tensorrt.build.duration')).toEqual([[attributes, 1, 2]]);
  expect(series('tensorrt.build.phase.duration')).toEqual([]);
  expect(series('tensorrt.build.phase.active')).toEqual([[timing, 0]]);
});

test('a cancel has its latency, by who asked and how far it had to go', async () => {
  const { meterProvider, read } = metered();
  const { build, clock, emit, end } = drivenBuild();
  const { done } = traceBuild(build, { meterProvider, environment: {} });
  clock.ns = 2e9;
  build.cancel('enough');
  await emit({ type: 'build.finished', timeNs: 5e9, outcome: 'cancelled' });
  end();
  await done;
  const { series } = await read();
  expect(series('tensorrt.build.cancel.latency')).toEqual([
    [{ 'tensorrt.cancel.source': 'call', 'tensorrt.cancel.escalation': 'none' }, 1, 3],
  ]);
});

test('budget warnings count by the kind of budget, from 0, and never by the user’s glob', async () => {
  const { meterProvider, read } = metered();
  const warning = { type: 'budget.warning', timeNs: 10, limitNs: 100, usedNs: 80 } as const;
  await traced(
    scriptedBuild([
      { ...warning, budget: 'phase "Timing*"' },
      { ...warning, budget: 'phase "Opt*"' },
      { ...warning, budget: 'total' },
      ended(100),
    ]),
    { meterProvider },
  );
  const warnings = (await read()).series('tensorrt.build.budget.warnings');
  expect(warnings.map(([attributes, count]) => [Object.values(attributes)[0], count])).toEqual([
    ['total', 1],
    ['phase', 2],
    ['step', 0],
    ['quiet', 0],
  ]);
});

test('a build is seen while it runs: builds and phases that are active, progress, the longest silence', async () => {
  const { meterProvider, read } = metered();
  const { build, clock, emit, end } = drivenBuild();
  const { done } = traceBuild(build, { meterProvider, environment: {} });
  await emit(started(1, { name: 'Timing', from: 1e9, announced: 4 }));
  const first = await read();
  expect(first.series('tensorrt.build.phase.steps')).toEqual([[timing, 0]]);
  await emit(...steps(1, 3, 2e9, 1e9));
  clock.ns = 34e9;
  const { series } = await read();
  expect(series('tensorrt.build.active')).toEqual([[{}, 1]]);
  expect(series('tensorrt.build.phase.active')).toEqual([[timing, 1]]);
  expect(series('tensorrt.build.phase.steps')).toEqual([[timing, 3]]);
  expect(series('tensorrt.build.progress')).toEqual([[{ 'tensorrt.network.name': 'net' }, 0.75]]);
  expect(series('tensorrt.build.quiet')).toEqual([[{}, 30]]);
  await emit(finished(1, 35e9, 4), ended(36e9));
  end();
  await done;
  const last = await read();
  expect(last.series('tensorrt.build.progress')).toEqual([[{ 'tensorrt.network.name': 'net' }, 1]]);
  expect(last.series('tensorrt.build.quiet')).toEqual([[{}, 0]]);
});

test('of several builds of one network the slowest and the most silent is told', async () => {
  const { meterProvider, read } = metered();
  const [one, other] = [drivenBuild(), drivenBuild()];
  const traces = [one, other].map(({ build }) => traceBuild(build, { meterProvider, environment: {} }));
  for (const [driven, made] of [
    [one, 3],
    [other, 1],
  ] as const) {
    await driven.emit(started(1, { name: 'Timing', from: 0, announced: 4 }), ...steps(1, made, 1e9, 1e9));
    driven.clock.ns = 11e9;
  }
  const { series } = await read();
  expect(series('tensorrt.build.active')).toEqual([[{}, 2]]);
  expect(series('tensorrt.build.progress')).toEqual([[{ 'tensorrt.network.name': 'net' }, 0.25]]);
  expect(series('tensorrt.build.quiet')).toEqual([[{}, 10]]);
  for (const { emit, end } of [one, other]) {
    await emit(ended(12e9));
    end();
  }
  await Promise.all(traces.map(({ done }) => done));
});

test('past 100 phase names all further ones are one series, counts stay exact, and it is said once', async () => {
  const warnings: string[] = [];
  diag.setLogger(
    { error: ignore, warn: (line) => warnings.push(line), info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const names = Array.from({ length: 260 }, (_, index) => `Timing ${word(index)}`);
  const events = names.flatMap((name, index) => [
    started(index + 1, { name, from: index * 100 }),
    ...steps(index + 1, 2, index * 100 + 10),
    finished(index + 1, index * 100 + 90, 2),
  ]);
  const { meterProvider, read } = metered();
  await traced(scriptedBuild([...events, ended(1e6)]), { meterProvider });
  const { series } = await read();
  const counted = series('tensorrt.build.phase.steps');
  expect(counted).toHaveLength(101);
  expect(counted).toContainEqual([{ 'tensorrt.phase.name': 'other' }, 320]);
  expect(series('tensorrt.build.phase.duration')).toHaveLength(101);
  expect(warnings).toEqual([
    `Metrics keep 100 phase names apart: "${names[100]}" and all further ones count as "other".`,
  ]);
});

test('every metric has the name, unit, words and boundaries of semconv.ts', async () => {
  const { meterProvider, read } = metered();
  const { build, clock, emit, end } = drivenBuild();
  const { done } = traceBuild(build, { meterProvider, environment: {} });
  await emit(started(1, { name: 'Timing', from: 0, announced: 1 }), finished(1, 10));
  clock.ns = 20;
  build.cancel();
  await emit(ended(100));
  end();
  await done;
  const { metric } = await read();
  const { doctorProbes: _, ...ofBuilds } = metrics;
  for (const definition of Object.values(ofBuilds)) {
    const found = metric(definition.name);
    expect(found?.descriptor).toMatchObject({ unit: definition.unit, description: definition.brief });
    if (!('buckets' in definition)) continue;
    expect(found?.dataPoints[0]?.value).toMatchObject({ buckets: { boundaries: definition.buckets } });
  }
});

/** Letters only: digits do not count in a phase's name. */
function word(index: number): string {
  return String.fromCodePoint(97 + (index % 26), 97 + Math.floor(index / 26));
}

function ignore(): void {}
