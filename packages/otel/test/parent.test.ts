import { ROOT_CONTEXT, context, propagation, trace } from '@opentelemetry/api';
import type { Context, SpanContext } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ended, scriptedBuild } from './scripted-build.ts';
import { traced } from './traced.ts';

const explicit = spanContext('1');
const active = spanContext('2');
const environment = { TRACEPARENT: `00-${'3'.repeat(32)}-${'3'.repeat(16)}-01` };

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});

afterAll(() => {
  context.disable();
  propagation.disable();
});

test('an explicit parent goes before the caller’s span and the environment', async () => {
  const options = { parent: contextOf(explicit), environment };
  const { root } = await context.with(contextOf(active), () => traced(scriptedBuild([ended(10)]), options));
  expect(root.parentSpanContext).toMatchObject({ spanId: explicit.spanId });
  expect(root.spanContext().traceId).toBe(explicit.traceId);
});

test('the caller’s span is the parent when the build is traced inside one', async () => {
  const { root } = await context.with(contextOf(active), () =>
    traced(scriptedBuild([ended(10)]), { environment }),
  );
  expect(root.parentSpanContext).toMatchObject({ spanId: active.spanId });
});

test('TRACEPARENT in the environment is the parent when there is no other', async () => {
  const { root } = await traced(scriptedBuild([ended(10)]), { environment });
  expect(root.parentSpanContext).toMatchObject({ spanId: '3'.repeat(16), isRemote: true });
  expect(root.spanContext().traceId).toBe('3'.repeat(32));
});

test('a TRACEPARENT that makes no sense is passed over', async () => {
  const { root } = await traced(scriptedBuild([ended(10)]), { environment: { TRACEPARENT: 'nonsense' } });
  expect(root.parentSpanContext).toBeUndefined();
});

test('a parent that was not sampled leaves the build unrecorded', async () => {
  const unsampled = { TRACEPARENT: environment.TRACEPARENT.replace(/01$/u, '00') };
  const { spans } = await traced(scriptedBuild([ended(10)]), { environment: unsampled });
  expect(spans).toEqual([]);
});

test('the builds of one batch link to it', async () => {
  const links = [{ context: explicit, attributes: { 'batch.index': 1 } }];
  const { root } = await traced(scriptedBuild([ended(10)]), { links });
  expect(root.links).toMatchObject(links);
  expect(root.parentSpanContext).toBeUndefined();
});

function spanContext(digit: string): SpanContext {
  return { traceId: digit.repeat(32), spanId: digit.repeat(16), traceFlags: 1 };
}

function contextOf(parent: SpanContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}
