import { expect, test } from 'vitest';
import { percentile } from '../../bench/percentile.ts';
import { seededRandom } from '../../bench/seeded-random.ts';

test('a percentile is one of the values, by its rank', () => {
  const values = Array.from({ length: 200 }, (_, at) => 200 - at);
  expect([0, 0.5, 0.99, 0.995, 1].map((share) => percentile(values, share))).toEqual([1, 100, 198, 199, 200]);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.5)).toBeUndefined();
});

test('random moments are the same for the same seed, and lie anywhere', () => {
  const [random, again, other] = [1, 1, 2].map(seededRandom);
  const numbers = Array.from({ length: 10_000 }, () => random?.() ?? 0);
  expect(Array.from({ length: 10_000 }, again ?? (() => 0))).toEqual(numbers);
  expect(other?.()).not.toBe(numbers[0]);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const inside = numbers.filter((number) => Math.floor(10 * number) === tenth).length;
    expect(Math.abs(inside - 1000)).toBeLessThan(150);
  }
});
