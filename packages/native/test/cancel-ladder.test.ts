import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CancelLadder } from '../src/cancel-ladder.ts';
import type { Rung } from '../src/cancel-ladder.ts';

function ladder(graceMs: number): { ladder: CancelLadder; climbed: Rung[] } {
  const climbed: Rung[] = [];
  return { ladder: new CancelLadder(graceMs, (rung) => climbed.push(rung)), climbed };
}

describe('CancelLadder', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('asks at once, and kills what has not come to its end by itself soon after a second grace', () => {
    const { ladder: it, climbed } = ladder(100);
    it.begin();
    vi.advanceTimersByTime(399);
    expect(climbed).toEqual(['ask']);
    vi.advanceTimersByTime(1);
    expect(climbed).toEqual(['ask', 'kill']);
    vi.advanceTimersByTime(10_000);
    expect(climbed).toHaveLength(2);
  });

  test('does not ask a builder that has begun by itself, but watches it', () => {
    const { ladder: it, climbed } = ladder(100);
    it.follow();
    it.begin();
    vi.advanceTimersByTime(350);
    it.follow();
    expect(climbed).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(climbed).toEqual(['kill']);
  });

  test('going up a rung leaves one grace until the end', () => {
    const { ladder: it, climbed } = ladder(100);
    it.begin();
    vi.advanceTimersByTime(90);
    it.escalate();
    expect(climbed).toEqual(['ask', 'terminate']);
    vi.advanceTimersByTime(299);
    expect(climbed).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(climbed).toEqual(['ask', 'terminate', 'kill']);
  });

  test('going up twice kills at once, and then there is no higher rung', () => {
    const { ladder: it, climbed } = ladder(100);
    it.escalate();
    it.escalate();
    it.escalate();
    it.escalate();
    expect(climbed).toEqual(['ask', 'terminate', 'kill']);
  });

  test('beginning twice begins once', () => {
    const { ladder: it, climbed } = ladder(100);
    it.begin();
    it.begin();
    expect(climbed).toEqual(['ask']);
  });

  test('without a grace it kills at once', () => {
    const { ladder: it, climbed } = ladder(0);
    it.begin();
    expect(climbed).toEqual(['kill']);
  });

  test('once stopped it goes nowhere', () => {
    const { ladder: it, climbed } = ladder(100);
    it.begin();
    it.stop();
    vi.advanceTimersByTime(1000);
    it.escalate();
    it.begin();
    expect(climbed).toEqual(['ask']);
  });
});
