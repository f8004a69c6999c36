import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ended, failed, finished, scriptedBuild, started, steps } from './scripted-build.ts';
import type { ScriptedEvent } from './scripted-build.ts';
import { sinceStartNs, traced } from './traced.ts';

// Starts, steps and finishes of nine phases with any parents, at any times, in any order.
const id = fc.integer({ min: 1, max: 9 });
const timeNs = fc.nat(1_000);
const event: fc.Arbitrary<ScriptedEvent> = fc.oneof(
  fc
    .tuple(id, timeNs, fc.option(id, { nil: undefined }))
    .map(([phase, from, parent]) =>
      started(phase, { name: `phase ${phase}`, from, ...(parent && { parent }) }),
    ),
  fc
    .tuple(id, timeNs, fc.nat(20))
    .map(([phase, at, first]) => steps(phase, 1, at, 1, first)[0] as ScriptedEvent),
  fc.tuple(id, timeNs, fc.nat(20)).map(([phase, at, done]) => finished(phase, at, done)),
);
const end = fc.oneof(
  timeNs.map(ended),
  timeNs.map((at) => failed(at, 'out of memory')),
);

test('every span ends, and none lies outside its parent, whatever order events come in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 60 }), end, async (events, last) => {
      const build = scriptedBuild([...events, last]);
      const { spans, root, parentOf } = await traced(build);
      const result = await build.result;
      expect(spans).toHaveLength(result.phases.length + 1);
      for (const span of spans) {
        const [startNs, endNs] = [sinceStartNs(span.startTime), sinceStartNs(span.endTime)];
        expect(endNs).toBeGreaterThan(startNs);
        for (const { time } of span.events) {
          expect(sinceStartNs(time)).toBeGreaterThanOrEqual(startNs);
          expect(sinceStartNs(time)).toBeLessThanOrEqual(endNs);
        }
        const parent = parentOf(span);
        if (parent === undefined) {
          expect(span).toBe(root);
          continue;
        }
        expect(startNs).toBeGreaterThanOrEqual(sinceStartNs(parent.startTime));
        expect(endNs).toBeLessThanOrEqual(sinceStartNs(parent.endTime));
      }
    }),
    { numRuns: 300 },
  );
});
