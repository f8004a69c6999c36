import { expect, test } from 'vitest';
import { Notices } from '../../src/hook/notices.ts';

function told(sentences: Iterable<string>): string[] {
  const passed: string[] = [];
  const notices = new Notices((sentence) => passed.push(sentence));
  for (const sentence of sentences) notices.tell(sentence);
  return passed;
}

test('a sentence that is said again and again is passed on once', () => {
  expect(told(['one', 'two', 'one', 'one'])).toEqual(['one', 'two']);
});

test('of a flood of sentences a hundred are passed on, and that there were more', () => {
  const passed = told(Array.from({ length: 100_000 }, (_, index) => `${index}`));
  expect(passed).toHaveLength(101);
  expect(passed.slice(-2)).toEqual(['99', 'there is more of this, which is left out']);
});

test('a sentence without end is cut', () => {
  expect(told(['x'.repeat(10_000)])[0]).toHaveLength(2000);
});
