import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ReadableSpan, SpanLimits } from '@opentelemetry/sdk-trace';
import type { Build } from '@trtscope/core';
import { traceBuild } from '../src/index.ts';
import type { TraceOptions } from '../src/index.ts';
import { startedAt } from './scripted-build.ts';

/** The finished spans of one traced build. */
export interface Traced {
  readonly spans: readonly ReadableSpan[];
  readonly root: ReadableSpan;
  /** The only span of that name. */
  readonly span: (name: string) => ReadableSpan;
  readonly parentOf: (span: ReadableSpan) => ReadableSpan | undefined;
}

/** Traces a build with an SDK of the test's own, which has the default limits unless others are given. */
export async function traced(
  build: Build,
  options: TraceOptions = {},
  spanLimits: SpanLimits = {},
): Promise<Traced> {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({
    spanLimits,
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const { spanContext, done } = traceBuild(build, { tracerProvider, environment: {}, ...options });
  await done;
  const spans = exporter.getFinishedSpans();
  const byId = (id: string | undefined) => spans.find((span) => span.spanContext().spanId === id);
  return {
    spans,
    root: byId(spanContext.spanId) as ReadableSpan,
    span: (name) => {
      const found = spans.filter((span) => span.name === name);
      if (found.length !== 1) throw new Error(`${found.length} spans are named ${name}`);
      return found[0] as ReadableSpan;
    },
    parentOf: (span) => byId(span.parentSpanContext?.spanId),
  };
}

/** Nanoseconds since the scripted build's beginning. */
export function sinceStartNs([seconds, nanoseconds]: readonly [number, number]): number {
  return (seconds - startedAt[0]) * 1e9 + nanoseconds - startedAt[1];
}

/** Indexes of the steps that became events, in their order. */
export function stepIndexes(span: ReadableSpan): number[] {
  return span.events.map((event) => event.attributes?.['tensorrt.step.index'] as number);
}
