import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { SpanLimits } from '@opentelemetry/sdk-trace';
import { afterEach, expect, test } from 'vitest';
import type { TraceOptions } from '../src/index.ts';
import { logged } from './logged.ts';
import { ended, finished, scriptedBuild, started, steps } from './scripted-build.ts';
import type { ScriptedEvent } from './scripted-build.ts';
import { stepIndexes, traced } from './traced.ts';

afterEach(() => diag.disable());

/** One phase of `count` steps, traced. */
async function phaseOf(count: number, options?: TraceOptions, spanLimits?: SpanLimits) {
  const events = [
    started(1, { name: 'Cloning network graph', from: 0, announced: count }),
    ...steps(1, count, 100),
    finished(1, 1_000_000, count),
    ended(1_000_001),
  ];
  return (await traced(scriptedBuild(events), options, spanLimits)).span('Cloning network graph');
}

test('under an SDK with the default limit nothing is dropped, and counts are exact', async () => {
  const span = await phaseOf(5_000);
  expect(span.events.length).toBeLessThanOrEqual(120);
  expect(span.droppedEventsCount).toBe(0);
  expect(stepIndexes(span)).toEqual(expect.arrayContaining([0, 4_999]));
  expect(span.attributes).toMatchObject({
    'tensorrt.phase.steps.completed': 5_000,
    'tensorrt.phase.step_events.recorded': span.events.length,
    'tensorrt.phase.step_events.stride': 64,
  });
});

test('with a cap of 2,000 a phase of 1,827 steps keeps every one', async () => {
  const span = await phaseOf(1_827, { maxEventsPerSpan: 2_000 }, { eventCountLimit: 2_048 });
  expect(stepIndexes(span)).toEqual(Array.from({ length: 1_827 }, (_, index) => index));
  expect(span.droppedEventsCount).toBe(0);
});

test('the 16 slowest steps say how long they took', async () => {
  const events = [
    started(1, { name: 'Timing', from: 0 }),
    ...steps(1, 30, 10),
    ...steps(1, 1, 5_000_000, 10, 30),
    finished(1, 5_000_001, 31),
    ended(5_000_002),
  ];
  const span = (await traced(scriptedBuild(events))).span('Timing');
  const withDuration = span.events.filter(
    (event) => event.attributes?.['tensorrt.step.duration'] !== undefined,
  );
  expect(withDuration).toHaveLength(16);
  expect(withDuration.at(-1)?.attributes).toEqual({
    'tensorrt.step.index': 30,
    'tensorrt.step.duration': 0.0049997,
  });
});

test('a merged step says how many it stands for and how long the longest took', async () => {
  const events: ScriptedEvent[] = [
    started(1, { name: 'Timing', from: 0 }),
    {
      type: 'step.completed',
      timeNs: 900,
      phase: 1,
      step: 9,
      thread: 7,
      done: 10,
      merged: 9,
      longest: { step: 4, forNs: 500 },
    },
    finished(1, 901, 10),
    ended(902),
  ];
  const span = (await traced(scriptedBuild(events))).span('Timing');
  expect(span.events[0]?.attributes).toEqual({
    'tensorrt.step.index': 9,
    'tensorrt.step.merged': 9,
    'tensorrt.step.duration': 5e-7,
  });
  expect(span.attributes).toMatchObject({ 'tensorrt.phase.steps.completed': 10 });
});

test('a build has 4,000 step events at most, and exact counts past them', async () => {
  const events = Array.from({ length: 100 }, (_, index) => [
    started(index + 1, { name: 'Timing', from: index * 10_000 }),
    ...steps(index + 1, 80, index * 10_000 + 1),
    finished(index + 1, index * 10_000 + 9_000, 80),
  ]).flat();
  const { spans, root } = await traced(scriptedBuild([...events, ended(1_000_000)]));
  const phases = spans.filter((span) => span !== root);
  const recorded = phases.map((span) => span.events.length);
  expect(recorded.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(4_000);
  expect(recorded.slice(0, 40)).toEqual(Array.from({ length: 40 }, () => 80));
  for (const span of phases) expect(span.attributes['tensorrt.phase.steps.completed']).toBe(80);
});

test('the policy none makes no events and leaves the counts', async () => {
  const span = await phaseOf(50, { stepEvents: 'none' });
  expect(span.events).toEqual([]);
  expect(span.attributes).toMatchObject({ 'tensorrt.phase.steps.completed': 50 });
  expect(span.attributes).not.toHaveProperty('tensorrt.phase.step_events.recorded');
});

test('the policy logs makes the same choice as log records of the phase’s span, and no span events', async () => {
  const { loggerProvider, named } = logged();
  const span = await phaseOf(5_000, { stepEvents: 'logs', loggerProvider });
  const records = named('tensorrt.step');
  const indexes = records.map((record) => record.attributes['tensorrt.step.index'] as number);
  expect(span.events).toEqual([]);
  expect(indexes.length).toBeLessThanOrEqual(120);
  expect(indexes).toEqual(expect.arrayContaining([0, 4_999]));
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
  expect(records[1]?.spanContext).toEqual(span.spanContext());
  expect(span.attributes).toMatchObject({
    'tensorrt.phase.steps.completed': 5_000,
    'tensorrt.phase.step_events.recorded': records.length,
  });
});

test('with the policy logs a build stays under the queue of an SDK with defaults', async () => {
  const { loggerProvider, named } = logged();
  const events = Array.from({ length: 60 }, (_, index) => [
    started(index + 1, { name: 'Timing', from: index * 10_000 }),
    ...steps(index + 1, 100, index * 10_000 + 1),
    finished(index + 1, index * 10_000 + 9_000, 100),
  ]).flat();
  await traced(scriptedBuild([...events, ended(1_000_000)]), { loggerProvider, stepEvents: 'logs' });
  expect(named('tensorrt.step').length).toBeGreaterThan(1_000);
  expect(named('tensorrt.step').length).toBeLessThanOrEqual(1_500);
});

test('the cap of a build is an option', async () => {
  const span = await phaseOf(500, { maxEventsPerBuild: 40 });
  expect(span.events.length).toBeLessThanOrEqual(20);
  expect(stepIndexes(span)).toEqual(expect.arrayContaining([0, 499]));
});

test('the policy all hands every step over, and warns once when the SDK dropped some', async () => {
  const warnings: string[] = [];
  diag.setLogger(
    {
      error: ignore,
      warn: (message) => warnings.push(message),
      info: ignore,
      debug: ignore,
      verbose: ignore,
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const span = await phaseOf(200, { stepEvents: 'all' });
  expect(span.droppedEventsCount).toBe(72);
  expect(span.attributes).toMatchObject({ 'tensorrt.phase.step_events.recorded': 128 });
  expect(warnings.filter((line) => line.includes('OTEL_SPAN_EVENT_COUNT_LIMIT'))).toHaveLength(1);
  expect((await phaseOf(200, { stepEvents: 'all' }, { eventCountLimit: 1_000 })).events).toHaveLength(200);
});

test('a lower limit in the environment is kept to', async () => {
  const environment = { OTEL_SPAN_EVENT_COUNT_LIMIT: '50' };
  const span = await phaseOf(500, { environment }, { eventCountLimit: 50 });
  expect(span.events.length).toBeLessThanOrEqual(50);
  expect(span.droppedEventsCount).toBe(0);
});

function ignore(): void {}
