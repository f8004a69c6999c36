import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TimeFrame, timeAt } from '../src/time-frame.ts';

test('a time is exact to the nanosecond, over the second’s edge too', () => {
  expect(timeAt([1_796_124_000, 999_999_999], 0)).toEqual([1_796_124_000, 999_999_999]);
  expect(timeAt([1_796_124_000, 999_999_999], 1)).toEqual([1_796_124_001, 0]);
  expect(timeAt([1_796_124_000, 123_456_789], 86_400_000_000_001)).toEqual([1_796_210_400, 123_456_790]);
});

test('a frame is at least 1 ns long', () => {
  expect(new TimeFrame(7).end(7)).toBe(8);
  expect(new TimeFrame(7).end(3)).toBe(8);
});

test('a child that outlives its parent ends with it', () => {
  const parent = new TimeFrame(0);
  const child = new TimeFrame(5, parent);
  expect(parent.end(10)).toBe(10);
  expect(child.end(20)).toBe(10);
});

test('a child of a parent that has ended hangs under the nearest ancestor that is open', () => {
  const root = new TimeFrame(0);
  const parent = new TimeFrame(1, root);
  const orphan = new TimeFrame(2, parent);
  parent.end(10);
  expect(new TimeFrame(12, parent).parent).toBe(root);
  expect(new TimeFrame(12, orphan).parent).toBe(root);
});

// Each number starts a frame under an earlier one, or ends one; times come in any order.
const moves = fc.array(fc.record({ ends: fc.boolean(), target: fc.nat(30), timeNs: fc.nat(100) }), {
  minLength: 1,
  maxLength: 60,
});

test('no frame lies outside its parent, whatever order starts and ends come in', () => {
  fc.assert(
    fc.property(moves, (list) => {
      const root = new TimeFrame(0);
      const frames = [root];
      for (const { ends, target, timeNs } of list) {
        const frame = frames[target % frames.length] as TimeFrame;
        if (ends && frame !== root) frame.end(timeNs);
        else if (!ends) frames.push(new TimeFrame(timeNs, frame));
      }
      for (const frame of frames.toReversed()) frame.end(100);
      for (const { parent, startNs, endNs } of frames) {
        expect(endNs).toBeGreaterThan(startNs);
        if (parent === undefined) continue;
        expect(startNs).toBeGreaterThanOrEqual(parent.startNs);
        expect(endNs).toBeLessThanOrEqual(parent.endNs as number);
      }
    }),
    { numRuns: 2_000 },
  );
});
