import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../src/clock.ts';

function readMs(): number {
  const [seconds, nanoseconds] = systemClock.wallClock();
  expect(Number.isInteger(seconds)).toBe(true);
  expect(Number.isInteger(nanoseconds) && nanoseconds >= 0 && nanoseconds < 1e9).toBe(true);
  return seconds * 1000 + nanoseconds / 1e6;
}

test('time rises, in whole nanoseconds', () => {
  const first = systemClock.nowNs();
  const second = systemClock.nowNs();
  expect(Number.isSafeInteger(first)).toBe(true);
  expect(second).toBeGreaterThanOrEqual(first);
});

describe('the wall clock', () => {
  afterEach(() => vi.restoreAllMocks());

  test('is finer than a millisecond as long as the monotonic clock agrees with it', () => {
    vi.spyOn(performance, 'now').mockReturnValue(5000.25);
    vi.spyOn(Date, 'now').mockReturnValue(Math.floor(performance.timeOrigin + 5001));
    expect(readMs()).toBeCloseTo(performance.timeOrigin + 5000.25, 2);
  });

  test('follows a wall clock that was set while the process ran', () => {
    vi.spyOn(Date, 'now').mockReturnValue(1_900_000_000_123);
    expect(systemClock.wallClock()).toEqual([1_900_000_000, 123_000_000]);
  });
});

describe('timers', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('call back once', () => {
    const calls: number[] = [];
    systemClock.after(50, () => calls.push(1));
    vi.advanceTimersByTime(49);
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(calls).toEqual([1]);
  });

  test('can be taken back', () => {
    systemClock.after(50, () => expect.unreachable())();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('last longer than setTimeout can, and can be taken back in every part', () => {
    const days = 24 * 3_600_000;
    const calls: number[] = [];
    const takeBack = systemClock.after(60 * days, () => calls.push(1));
    vi.advanceTimersByTime(59 * days);
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(2 * days);
    expect(calls).toEqual([1]);
    takeBack();
    systemClock.after(60 * days, () => calls.push(2));
    vi.advanceTimersByTime(30 * days);
    expect(vi.getTimerCount()).toBe(1);
  });
});

test('a waiting timer does not keep the process alive', () => {
  const unref = vi.spyOn(Object.getPrototypeOf(setTimeout(() => undefined, 0)) as { unref(): void }, 'unref');
  systemClock.after(1e6, () => undefined)();
  expect(unref).toHaveBeenCalledOnce();
  unref.mockRestore();
});
