import { readFileSync, readdirSync } from 'node:fs';
import { SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { decodeEvents, replaySource, startBuild } from '@trtscope/core';
import { describe, expect, test } from 'vitest';
import { traced } from './traced.ts';

const folder = new URL('../../../test/recordings/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

/** A recorded build, played as fast as it goes and traced; `file` is in test/recordings. */
async function replayed(file: string, maxEventsPerSpan: number, eventCountLimit: number) {
  const events = decodeEvents(readFileSync(new URL(file, folder), 'utf8'));
  const build = startBuild(replaySource(events, { speed: 'max' }));
  const trace = await traced(build, { maxEventsPerSpan }, { eventCountLimit });
  return { ...trace, result: await build.result };
}

describe.each(files)('the recording %s', (file) => {
  test.each([
    [120, 128],
    [2_000, 2_048],
  ])('loses no event with a cap of %i under a limit of %i, and has exact counts', async (cap, limit) => {
    const { spans, root, result } = await replayed(file, cap, limit);
    expect(spans).toHaveLength(result.phases.length + 1);
    for (const span of spans) {
      expect(span.droppedEventsCount).toBe(0);
      expect(span.events.length).toBeLessThanOrEqual(cap);
    }
    const events = spans.flatMap((span) => span.events).filter(({ name }) => name === 'tensorrt.step').length;
    if (cap === 2_000) expect(events).toBe(result.counts.steps);
    expect(root.attributes['tensorrt.build.steps.completed']).toBe(result.counts.steps);
    const completed = spans
      .filter((span) => span.attributes['tensorrt.phase.origin'] === 'tensorrt')
      .map((span) => span.attributes['tensorrt.phase.steps.completed'] as number);
    expect(completed.reduce((sum, steps) => sum + steps, 0)).toBe(result.counts.steps);
  });

  test('has its phases’ spans under their parents and inside their times', async () => {
    const { spans, root, parentOf, result } = await replayed(file, 120, 128);
    for (const span of spans.filter((one) => one !== root)) {
      const parent = parentOf(span);
      expect(compare(span.startTime, parent?.startTime)).toBeGreaterThanOrEqual(0);
      expect(compare(span.endTime, parent?.endTime)).toBeLessThanOrEqual(0);
    }
    const nameOf = (id: number | undefined) => result.phases.find(({ phase }) => phase === id)?.name;
    const recorded = result.phases.map(({ name, parent }) => `${name} < ${nameOf(parent)}`);
    const exported = spans
      .filter((span) => span !== root)
      .map((span) => `${titleOf(span)} < ${titleOf(parentOf(span))}`);
    expect(exported.toSorted()).toEqual(recorded.toSorted());
  });

  test('is an error only if the build failed', async () => {
    const { spans, root, result } = await replayed(file, 120, 128);
    const marked = spans.filter((span) => span.status.code === SpanStatusCode.ERROR);
    if (result.outcome !== 'failed') {
      expect(marked).toEqual([]);
      return;
    }
    expect(root.status).toEqual({ code: SpanStatusCode.ERROR, message: result.error.message });
    const innermost = marked.filter((span) => span !== root).map((span) => span.name);
    expect(innermost).toEqual(result.error.phasePath?.slice(-1) ?? []);
  });
});

function compare(a: readonly [number, number], b: readonly [number, number] | undefined): number {
  return a[0] - (b?.[0] ?? 0) || a[1] - (b?.[1] ?? 0);
}

function titleOf(span: ReadableSpan | undefined): string {
  return String(span?.attributes['tensorrt.phase.name']);
}
