import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StepSample } from '../src/step-sample.ts';

/** A sample of `count` steps, 10 ns each, with some slow ones. */
function sampleOf(count: number, limit: number, slow: readonly number[] = []): StepSample {
  const sample = new StepSample(limit);
  let timeNs = 0;
  for (let index = 0; index < count; index += 1) {
    const forNs = slow.includes(index) ? 1_000 + index : 10;
    timeNs += forNs;
    sample.add({ index, timeNs, forNs });
  }
  return sample;
}

test('as many steps as the limit are kept whole', () => {
  const { steps, stride } = sampleOf(120, 120).select(2_000);
  expect(steps.map((step) => step.index)).toEqual(Array.from({ length: 120 }, (_, index) => index));
  expect(stride).toBe(1);
});

test('past the limit the first, the last, the slowest and a systematic sample are kept, in time order', () => {
  const slow = [17, 3_333, 9_999, 15_001];
  const { steps, slowest, stride } = sampleOf(20_000, 120, slow).select(2_000);
  const kept = steps.map((step) => step.index);
  expect(kept.length).toBeLessThanOrEqual(120);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept).toEqual(kept.toSorted((a, b) => a - b));
  expect(kept).toEqual(expect.arrayContaining([0, 19_999, ...slow]));
  expect([...slowest].filter((step) => step.forNs > 10).map((step) => step.index)).toEqual(slow);
  expect(stride).toBe(256);
  for (let index = 0; index < 20_000; index += stride) expect(kept).toContain(index);
});

test('a phase that was whole is thinned when the build has less room left', () => {
  const { steps, stride } = sampleOf(100, 120, [33]).select(40);
  const kept = steps.map((step) => step.index);
  expect(kept.length).toBeLessThanOrEqual(40);
  expect(kept).toEqual(expect.arrayContaining([0, 33, 99]));
  expect(stride).toBe(8);
});

test('the selection never passes the limit or the allowance, and has the first and the last where there is room', () => {
  fc.assert(
    fc.property(fc.nat(400), fc.nat(150), fc.nat(150), (count, limit, allowance) => {
      const room = Math.min(limit, allowance);
      const { steps } = sampleOf(count, limit).select(allowance);
      const kept = steps.map((step) => step.index);
      expect(kept.length).toBeLessThanOrEqual(room);
      expect(new Set(kept).size).toBe(kept.length);
      if (count <= room) expect(kept.length).toBe(count);
      else if (room >= 2) expect(kept).toEqual(expect.arrayContaining([0, count - 1]));
    }),
  );
});
