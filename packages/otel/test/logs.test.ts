import { ROOT_CONTEXT, logs } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';
import type { LogSeverity } from '@trtscope/core';
import { afterEach, expect, test } from 'vitest';
import { logged } from './logged.ts';
import { metered } from './metered.ts';
import { ended, failed, finished, scriptedBuild, started, steps } from './scripted-build.ts';
import type { ScriptedEvent } from './scripted-build.ts';
import { sinceStartNs, traced } from './traced.ts';

afterEach(() => logs.disable());

const line = (severity: LogSeverity, message: string, phase?: number): ScriptedEvent => ({
  type: 'log',
  timeNs: 30,
  severity,
  message,
  origin: 'tensorrt',
  ...(phase !== undefined && { phase }),
});

test('TensorRT’s lines have their severity, time and text, and belong to the span of the phase they were said in', async () => {
  const { loggerProvider, records } = logged();
  const { root, span } = await traced(
    scriptedBuild(
      [
        started(1, { name: 'Building engine', from: 10 }),
        started(2, { name: 'Timing "conv1"', from: 20, parent: 1 }),
        line('warning', 'half precision is slow here', 2),
        line('verbose', 'said between phases'),
        ended(100),
      ],
      { id: 'b-1' },
    ),
    { loggerProvider },
  );
  const [inPhase, outside] = records().filter((record) => record.eventName === undefined);
  expect(inPhase).toMatchObject({
    severityText: 'WARN',
    severityNumber: 13,
    body: 'half precision is slow here',
  });
  expect(sinceStartNs(inPhase?.hrTime ?? [0, 0])).toBe(30);
  expect(inPhase?.spanContext).toEqual(span('Timing').spanContext());
  expect(inPhase?.attributes).toEqual({
    'tensorrt.build.id': 'b-1',
    'tensorrt.log.origin': 'tensorrt',
    'tensorrt.phase.name': 'Timing "conv1"',
  });
  expect(outside?.spanContext).toEqual(root.spanContext());
});

test.each<readonly [LogSeverity, string, number]>([
  ['internal_error', 'FATAL', 21],
  ['error', 'ERROR', 17],
  ['warning', 'WARN', 13],
  ['info', 'INFO', 9],
  ['verbose', 'DEBUG', 5],
])('TensorRT’s severity %s is %s', async (severity, severityText, severityNumber) => {
  const { loggerProvider, records } = logged();
  await traced(scriptedBuild([line(severity, 'said'), ended(100)]), { loggerProvider });
  expect(records().find(({ body }) => body === 'said')).toMatchObject({ severityText, severityNumber });
});

test('a build’s start is told at once, and its end with how it went', async () => {
  const { loggerProvider, records, named } = logged();
  const build = scriptedBuild(
    [started(1, { name: 'Timing', from: 10 }), ...steps(1, 3, 20), finished(1, 90, 3), ended(2e9)],
    { id: 'b-1' },
  );
  const trace = traced(build, { loggerProvider });
  expect(records()).toHaveLength(1);
  const { root } = await trace;
  const [begun] = named('tensorrt.build.started');
  const [over] = named('tensorrt.build.finished');
  expect(begun?.attributes).toEqual({
    'tensorrt.build.id': 'b-1',
    'tensorrt.network.name': 'net',
    'file.path': '/out/net.engine',
  });
  expect(over).toMatchObject({ severityText: 'INFO', spanContext: root.spanContext() });
  expect(over?.attributes).toEqual({
    'tensorrt.build.id': 'b-1',
    'tensorrt.build.result': 'built',
    'tensorrt.build.elapsed': 2,
    'tensorrt.build.steps.completed': 3,
  });
  expect([begun, over].map((record) => sinceStartNs(record?.hrTime ?? [0, 0]))).toEqual([0, 2e9]);
});

test('a failed build’s end is an error with TensorRT’s words', async () => {
  const { loggerProvider, named } = logged();
  await traced(scriptedBuild([failed(100, 'no tactic')]), { loggerProvider });
  expect(named('tensorrt.build.finished')[0]).toMatchObject({
    severityText: 'ERROR',
    body: 'no tactic',
    attributes: { 'tensorrt.build.result': 'failed', 'error.type': 'BUILD_FAILED' },
  });
});

test('budget warnings and silence are told with their figures', async () => {
  const { loggerProvider, named } = logged();
  const { span } = await traced(
    scriptedBuild([
      started(1, { name: 'Timing', from: 10 }),
      { type: 'budget.warning', timeNs: 20, budget: 'phase "Timing*"', limitNs: 10e9, usedNs: 8e9 },
      { type: 'quiet', timeNs: 30, phase: 1, forNs: 60e9, alive: true, cpu: 0.97 },
      finished(1, 90),
      ended(100),
    ]),
    { loggerProvider },
  );
  expect(named('tensorrt.budget.warning')[0]).toMatchObject({
    severityText: 'WARN',
    attributes: {
      'tensorrt.budget.name': 'phase "Timing*"',
      'tensorrt.budget.limit': 10,
      'tensorrt.budget.used': 8,
    },
  });
  expect(named('tensorrt.quiet')[0]).toMatchObject({
    severityText: 'WARN',
    spanContext: span('Timing').spanContext(),
    attributes: {
      'tensorrt.quiet.duration': 60,
      'tensorrt.quiet.alive': true,
      'tensorrt.quiet.cpu': 0.97,
    },
  });
});

test('the provider that is registered globally takes the logs, where none is given', async () => {
  const { loggerProvider, named } = logged();
  logs.setGlobalLoggerProvider(loggerProvider);
  await traced(scriptedBuild([ended(100)]));
  expect(named('tensorrt.build.finished')).toHaveLength(1);
});

test('where tracing is suppressed nothing is recorded: no span, no metric, no log', async () => {
  const { loggerProvider, records } = logged();
  const { meterProvider, read } = metered();
  const build = scriptedBuild([started(1, { name: 'Timing', from: 10 }), ...steps(1, 3, 20), ended(100)]);
  const { spans } = await traced(build, {
    loggerProvider,
    meterProvider,
    stepEvents: 'logs',
    parent: suppressTracing(ROOT_CONTEXT),
  });
  const { metric } = await read();
  expect([spans, records(), metric('tensorrt.build.duration')]).toEqual([[], [], undefined]);
});
