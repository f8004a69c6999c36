import { expect, test } from 'vitest';
import { formatDuration } from '../src/duration.ts';

test.each([
  [0.25, '0.25 ms'],
  [300, '300 ms'],
  [1000, '1 s'],
  [1500, '1.5 s'],
  [300_000, '5 min'],
  [8_100_000, '2.25 h'],
  [100_000, '1.67 min'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
