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

  test('asks at once, terminates after a grace and kills after a second one', () => {
    const { ladder: it, climbed } = ladder(100);
    it.begin();
    expect(climbed).toEqual(['ask']);
    vi.advanceTimersByTime(99);
    expect(climbed).toEqual(['ask']);
    vi.advanceTimersByTime(1);
    expect(climbed).toEqual(['ask', 'terminate']);
    vi.advanceTimersByTime(100);
    expect(climbed).toEqual(['ask', 'terminate', 'kill']);
    vi.advanceTimersByTime(10_000);
    expect(climbed).toHaveLength(3);
  });

  test('going up a rung early starts that rung its own grace', () => {
    const { ladder: it, climbed } = ladder(100);
    it.begin();
    vi.advanceTimersByTime(90);
    it.escalate();
    expect(climbed).toEqual(['ask', 'terminate']);
    vi.advanceTimersByTime(99);
    expect(climbed).toHaveLength(2);
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
