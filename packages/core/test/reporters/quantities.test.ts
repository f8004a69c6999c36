import { describe, expect, it } from 'vitest';
import { bytesText, durationText, elapsedText } from '../../src/reporters/quantities.ts';

describe('durationText', () => {
  it.each([
    [-5, '0 ms'],
    [499_999, '0 ms'],
    [12e6, '12 ms'],
    [999.6e6, '1.0 s'],
    [4.24e9, '4.2 s'],
    [9.96e9, '10 s'],
    [59.6e9, '1m 00s'],
    [125e9, '2m 05s'],
    [3725e9, '1h 02m'],
  ])('of %d ns is %s', (ns, text) => {
    expect(durationText(ns)).toBe(text);
  });
});

describe('elapsedText', () => {
  it('counts whole seconds that have passed', () => {
    expect([0, 999e6, 1e9, 59.9e9, 60e9].map(elapsedText)).toEqual(['0 s', '0 s', '1 s', '59 s', '1m 00s']);
  });
});

describe('bytesText', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [98_304_000, '98.3 MB'],
    [355_007_388, '355 MB'],
    [2.5e12, '2.5 TB'],
  ])('of %d is %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});
