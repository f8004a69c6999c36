import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, fit, padded, printable } from '../../src/reporters/display-text.ts';

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['构建', 4],
    ['ｱ', 1],
    ['Ａ', 2],
    ['한', 2],
    ['🚀', 2],
    ['👩‍👩‍👧', 2],
    ['🇨🇭', 2],
    ['❤️', 2],
    ['❤', 1],
    ['\u200b', 0],
    ['𠮷', 2],
    ['1', 1],
  ])('of %j is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('printable', () => {
  it('leaves no control character, of whatever text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe('fit and padded', () => {
  it('make text as wide as asked, never wider', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (raw, columns) => {
        const text = printable(raw);
        const fitted = fit(text, columns, '…');
        expect(displayWidth(fitted)).toBeLessThanOrEqual(columns);
        expect(displayWidth(padded(fitted, columns))).toBe(columns);
      }),
    );
  });
});
