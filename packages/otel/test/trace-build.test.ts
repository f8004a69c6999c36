import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { traceBuild } from '../src/index.ts';
import { ended, failed, finished, scriptedBuild, started, steps } from './scripted-build.ts';
import type { ScriptedEvent } from './scripted-build.ts';
import { sinceStartNs, traced } from './traced.ts';

const smallBuild: readonly ScriptedEvent[] = [
  started(1, { name: 'start', from: 0, origin: 'trtscope' }),
  { type: 'tensorrt.loaded', timeNs: 900, edition: 'tensorrt_rtx', version: '1.7.1' },
  finished(1, 1_000),
  started(2, { name: 'Building engine', from: 1_000, announced: 3 }),
  started(3, { name: 'Timing node "conv1" 3/7', from: 1_100, parent: 2, announced: 2 }),
  ...steps(3, 2, 1_200),
  finished(3, 1_300, 2),
  ...steps(2, 2, 1_400),
  finished(2, 2_000, 2),
  ended(2_500),
];

test('a build becomes one trace: a span for it and one for each phase, under their parents', async () => {
  const { spans, root, span, parentOf } = await traced(scriptedBuild(smallBuild));
  expect(spans.map(({ name }) => name).toSorted()).toEqual([
    'Building engine',
    'Timing node',
    'build net',
    'start',
  ]);
  expect(parentOf(root)).toBeUndefined();
  expect(parentOf(span('start'))).toBe(root);
  expect(parentOf(span('Building engine'))).toBe(root);
  expect(parentOf(span('Timing node'))).toBe(span('Building engine'));
  for (const { kind } of spans) expect(kind).toBe(SpanKind.INTERNAL);
});

test('spans and step events have the native times, to the nanosecond', async () => {
  const { root, span } = await traced(scriptedBuild(smallBuild));
  const timing = span('Timing node');
  expect([sinceStartNs(root.startTime), sinceStartNs(root.endTime)]).toEqual([0, 2_500]);
  expect([sinceStartNs(timing.startTime), sinceStartNs(timing.endTime)]).toEqual([1_100, 1_300]);
  expect(timing.events.map(({ name, time }) => [name, sinceStartNs(time)])).toEqual([
    ['tensorrt.step', 1_200],
    ['tensorrt.step', 1_210],
  ]);
});

test('the build’s span says what was built, with what, and how much', async () => {
  const build = scriptedBuild(smallBuild, { id: 'b-1' });
  const { root } = await traced(build);
  expect(root.attributes).toEqual({
    'tensorrt.build.id': 'b-1',
    'tensorrt.network.name': 'net',
    'file.path': '/out/net.engine',
    'tensorrt.build.result': 'built',
    'tensorrt.build.steps.completed': 4,
    'tensorrt.build.phase.count': 2,
    'tensorrt.version': '1.7.1',
    'tensorrt.edition': 'tensorrt_rtx',
    'tensorrt.engine.size': 4_096,
  });
  expect(root.status.code).toBe(SpanStatusCode.UNSET);
});

test('a phase’s span has its title, place and counts', async () => {
  const { span } = await traced(scriptedBuild(smallBuild));
  expect(span('Timing node').attributes).toEqual({
    'tensorrt.phase.name': 'Timing node "conv1" 3/7',
    'tensorrt.phase.depth': 1,
    'tensorrt.phase.origin': 'tensorrt',
    'tensorrt.phase.steps.total': 2,
    'tensorrt.phase.steps.completed': 2,
    'tensorrt.phase.step_events.recorded': 2,
    'tensorrt.phase.step_events.stride': 1,
    'thread.id': 7,
  });
  expect(span('start').attributes).toMatchObject({ 'tensorrt.phase.origin': 'trtscope' });
});

test('a failed build is an error, and so is the phase that was innermost, though TensorRT has finished it', async () => {
  const { root, span } = await traced(
    scriptedBuild([
      started(1, { name: 'Building engine', from: 10 }),
      started(2, { name: 'Timing tactics', from: 20, parent: 1 }),
      finished(2, 40),
      finished(1, 50),
      started(3, { name: 'finish', from: 50, origin: 'trtscope' }),
      finished(3, 60),
      failed(60, 'no tactic', ['Building engine', 'Timing tactics']),
    ]),
  );
  const error = { code: SpanStatusCode.ERROR, message: 'no tactic' };
  expect(root.status).toEqual(error);
  expect(span('Timing tactics').status).toEqual(error);
  expect(sinceStartNs(span('Timing tactics').endTime)).toBe(40);
  expect(span('Building engine').status.code).toBe(SpanStatusCode.UNSET);
  expect(root.attributes).toMatchObject({ 'tensorrt.build.result': 'failed', 'error.type': 'BUILD_FAILED' });
});

test('the phase where the error was said is marked, also when others have started since', async () => {
  const { span } = await traced(
    scriptedBuild([
      started(1, { name: 'Building engine', from: 10 }),
      started(2, { name: 'Timing tactics', from: 20, parent: 1 }),
      { type: 'log', timeNs: 30, severity: 'error', message: 'no tactic', origin: 'tensorrt', phase: 2 },
      finished(2, 40),
      started(3, { name: 'Optimizing graph', from: 41, parent: 1 }),
      finished(3, 45),
      finished(1, 50),
      failed(60, 'no tactic', ['Building engine', 'Timing tactics']),
    ]),
  );
  expect(span('Timing tactics').status.code).toBe(SpanStatusCode.ERROR);
  expect(span('Optimizing graph').status.code).toBe(SpanStatusCode.UNSET);
});

test('a phase of ours that failed is marked', async () => {
  const { span } = await traced(
    scriptedBuild([
      started(1, { name: 'load TensorRT', from: 0, origin: 'trtscope' }),
      finished(1, 10),
      started(2, { name: 'parse', from: 10, origin: 'trtscope' }),
      finished(2, 20),
      failed(21, 'no such operator', ['parse']),
    ]),
  );
  expect(span('parse').status).toEqual({ code: SpanStatusCode.ERROR, message: 'no such operator' });
  expect(span('load TensorRT').status.code).toBe(SpanStatusCode.UNSET);
});

test('an error line in a build that succeeds marks nothing', async () => {
  const { root, span } = await traced(
    scriptedBuild([
      started(1, { name: 'Timing tactics', from: 10 }),
      { type: 'log', timeNs: 20, severity: 'error', message: 'skipped', origin: 'tensorrt', phase: 1 },
      finished(1, 30),
      ended(40),
    ]),
  );
  expect(root.status.code).toBe(SpanStatusCode.UNSET);
  expect(span('Timing tactics').status.code).toBe(SpanStatusCode.UNSET);
  expect(sinceStartNs(span('Timing tactics').endTime)).toBe(30);
});

test('a build that ends abruptly still ends every span, and marks the innermost phase', async () => {
  const { root, span } = await traced(
    scriptedBuild([
      started(1, { name: 'Building engine', from: 10 }),
      started(2, { name: 'Timing tactics', from: 20, parent: 1 }),
      ...steps(2, 3, 30),
      failed(60, 'the builder was killed by SIGKILL'),
    ]),
  );
  for (const name of ['Building engine', 'Timing tactics']) {
    expect(sinceStartNs(span(name).endTime)).toBe(60);
    expect(span(name).attributes).toMatchObject({ 'tensorrt.phase.result': 'unfinished' });
  }
  expect(span('Timing tactics').attributes).toMatchObject({ 'tensorrt.phase.steps.completed': 3 });
  expect(span('Timing tactics').status).toMatchObject({ code: SpanStatusCode.ERROR });
  expect(root.status).toEqual({ code: SpanStatusCode.ERROR, message: 'the builder was killed by SIGKILL' });
});

test('one who traces a build that has ended gets its phases with their times, without steps', async () => {
  const build = scriptedBuild(smallBuild);
  await build.result;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  const { spans, root, span } = await traced(build);
  expect(spans).toHaveLength(4);
  expect(span('Timing node').attributes).toMatchObject({ 'tensorrt.phase.steps.completed': 2 });
  expect(sinceStartNs(span('Timing node').endTime) - sinceStartNs(span('Timing node').startTime)).toBe(200);
  expect(root.attributes).toMatchObject({ 'tensorrt.build.steps.completed': 4 });
});

test('without an SDK nothing is recorded and nothing fails', async () => {
  const build = scriptedBuild(smallBuild);
  const { spanContext, done } = traceBuild(build);
  await done;
  expect(spanContext.traceId).toBe('0'.repeat(32));
});

test('bad options are refused', () => {
  expect(() => traceBuild(scriptedBuild(smallBuild), { maxEventsPerSpan: -1 })).toThrow(
    new RangeError('The option maxEventsPerSpan must be a whole number of at least 0, but is -1.'),
  );
  expect(() => traceBuild(scriptedBuild(smallBuild), { stepEvents: 'some' as 'all' })).toThrow(
    new TypeError('The option stepEvents must be sampled, all, logs or none, but is "some".'),
  );
});
