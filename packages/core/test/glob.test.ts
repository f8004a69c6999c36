import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatcher } from '../src/glob.ts';

test.each([
  ['Timing*', 'Timing tactics', true],
  ['Timing*', 'Timing', true],
  ['Timing*', 'More Timing', false],
  ['*', '', true],
  ['*', 'two\nlines', true],
  ['T?ming', 'Timing', true],
  ['T?ming', 'Tming', false],
  ['?', '😀', true],
  ['*graph*', 'Optimizing graph', true],
  ['*a?a', 'aaba', true],
  ['*a?a', 'abab', false],
  ['a**', 'a', true],
  ['a*?', 'a', false],
  ['a.c', 'abc', false],
  ['(a|b)[c]{2}^$\\d+-/', '(a|b)[c]{2}^$\\d+-/', true],
  ['timing*', 'Timing tactics', false],
])('%j against %j is %j', (glob, text, matches) => {
  expect(globMatcher(glob)(text)).toBe(matches);
});

test('a glob matches what the same regular expression does', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
  fc.assert(
    fc.property(short, short, (glob, text) => {
      const pattern = glob.replaceAll('*', '.*').replaceAll('?', '.');
      expect(globMatcher(glob)(text)).toBe(new RegExp(`^${pattern}$`, 'u').test(text));
    }),
  );
});

test('a glob of many stars takes no time', () => {
  expect(globMatcher('*a'.repeat(40))('a'.repeat(5000) + 'b')).toBe(false);
});
