import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { CancelController } from '../src/cancel-controller.ts';
import { checkCancelOptions, type CancelOptions } from '../src/cancel-options.ts';
import type { CancelReason } from '../src/events.ts';
import { FakeClock } from './fake-clock.ts';

function watched(options: CancelOptions & { limitsAreWatched?: boolean }, clock = new FakeClock()) {
  const requests: CancelReason[] = [];
  const firsts: boolean[] = [];
  const warnings: object[] = [];
  const controller = new CancelController({
    limitsAreWatched: false,
    ...options,
    clock,
    elapsedNs: () => clock.nowNs(),
    onRequest: (reason, first) => {
      requests.push(reason);
      firsts.push(first);
    },
    onWarning: (warning) => warnings.push({ ...warning, atNs: clock.nowNs() }),
  });
  controller.watch();
  return { controller, clock, requests, firsts, warnings };
}

const minute = 60_000;

describe('requests', () => {
  test('the first one counts, and every one is told', () => {
    const { controller, clock, requests, firsts } = watched({});
    clock.advance(3);
    controller.request({ source: 'os-signal', message: 'Ctrl-C', detail: 'SIGINT' });
    controller.request({});
    expect(requests).toEqual([
      { source: 'os-signal', message: 'Ctrl-C', requestedAtNs: 3e6, detail: 'SIGINT' },
      { source: 'call', message: 'the caller cancelled the build', requestedAtNs: 3e6 },
    ]);
    expect(firsts).toEqual([true, false]);
    expect(controller.first).toBe(requests[0]);
  });

  test('the same words are asked once, and no more than 64 requests are kept', () => {
    const { controller, requests } = watched({});
    for (let index = 0; index < 3; index += 1) controller.request({ message: 'again' });
    expect(requests).toHaveLength(1);
    for (let index = 0; index < 100; index += 1) controller.request({ message: `again ${index}` });
    expect(requests).toHaveLength(64);
  });

  test('nothing is asked once disposed', () => {
    const { controller, clock, requests } = watched({ budget: { totalMs: 5 } });
    controller.dispose();
    controller.dispose();
    controller.request({});
    clock.advance(10);
    expect([requests, clock.waiting]).toEqual([[], 0]);
  });
});

describe('an abort signal', () => {
  test('asks with the words of its reason, whatever that is', () => {
    const reasons: [unknown, string, string?][] = [
      [undefined, 'This operation was aborted', 'AbortError'],
      ['enough', 'enough'],
      [new TypeError('bad shape'), 'bad shape', 'TypeError'],
      [{ any: 'thing' }, 'the abort signal was aborted'],
      ['', 'the abort signal was aborted'],
    ];
    for (const [reason, message, detail] of reasons) {
      const abort = new AbortController();
      const { requests } = watched({ signal: abort.signal });
      abort.abort(reason);
      const words = {
        source: 'abort-signal',
        message,
        requestedAtNs: 0,
        ...(detail !== undefined && { detail }),
      };
      expect(requests).toEqual([words]);
    }
  });

  test('that was aborted before asks at once', () => {
    const { requests } = watched({ signal: AbortSignal.abort('too late') });
    expect(requests).toMatchObject([{ source: 'abort-signal', message: 'too late' }]);
  });

  test('has no listener left once disposed', () => {
    const { signal } = new AbortController();
    const { controller } = watched({ signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    controller.dispose();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a deadline', () => {
  test('asks when it has come', () => {
    const clock = new FakeClock();
    const deadline = new Date(clock.wallMs + 5000);
    const { requests } = watched({ deadline }, clock);
    clock.advance(4999);
    expect(requests).toEqual([]);
    clock.advance(1);
    const detail = deadline.toISOString();
    const message = `the deadline ${detail} has passed`;
    expect(requests).toEqual([{ source: 'deadline', message, requestedAtNs: 5e9, detail }]);
  });

  test('that is past asks at once', () => {
    const clock = new FakeClock();
    expect(watched({ deadline: new Date(clock.wallMs) }, clock).requests).toHaveLength(1);
  });

  test('may be years away', () => {
    const { clock, requests } = watched({ deadline: new Date('2100-01-01') });
    clock.advance(30 * 24 * 60 * minute);
    expect([requests, clock.waiting]).toEqual([[], 1]);
  });

  test('is kept by the wall clock, also when that is set meanwhile', () => {
    const clock = new FakeClock();
    const { requests } = watched({ deadline: new Date(clock.wallMs + 10 * minute) }, clock);
    clock.setWall(-5 * minute);
    clock.advance(10 * minute);
    expect(requests).toEqual([]);
    clock.setWall(4 * minute);
    clock.advance(minute);
    expect(requests).toHaveLength(1);
  });
});

describe('a budget', () => {
  test('warns at 0.8 of it, and asks when it is spent', () => {
    const { clock, requests, warnings } = watched({ budget: { totalMs: 5 * minute } });
    clock.advance(4 * minute);
    expect(warnings).toEqual([{ budget: 'total', limitNs: 300e9, usedNs: 240e9, atNs: 240e9 }]);
    expect(requests).toEqual([]);
    clock.advance(minute);
    const message = 'the budget of 5 min is spent';
    expect(requests).toEqual([{ source: 'budget', message, requestedAtNs: 300e9, detail: 'total' }]);
    expect(warnings).toHaveLength(1);
  });

  test.each([
    [0.5, 50e6],
    [1, 100e6],
  ])('warns at another part of it: %d', (warnAt, atNs) => {
    const { clock, warnings } = watched({ budget: { totalMs: 100, warnAt } });
    clock.advance(200);
    expect(warnings).toMatchObject([{ atNs }]);
  });

  test('without a total watches nothing', () => {
    expect(watched({ budget: {} }).clock.waiting).toBe(0);
  });
});

describe('bad options', () => {
  test.each<[object, new () => Error, string]>([
    [{ signal: 5 }, TypeError, 'The option signal must be an AbortSignal, but is 5.'],
    [{ signal: null }, TypeError, 'The option signal must be an AbortSignal, but is null.'],
    [{ deadline: '2030' }, TypeError, 'The option deadline must be a Date, but is "2030".'],
    [
      { deadline: new Date('x') },
      RangeError,
      'The option deadline must be a valid Date, but is an invalid one.',
    ],
    [{ budget: 5 }, TypeError, 'The option budget must be an object, but is 5.'],
    [
      { budget: { totalMs: '5m' } },
      TypeError,
      'The option budget.totalMs must be a number above 0 and at most 8640000000, but is "5m".',
    ],
    [
      { budget: { totalMs: 0 } },
      RangeError,
      'The option budget.totalMs must be a number above 0 and at most 8640000000, but is 0.',
    ],
    [
      { budget: { totalMs: NaN } },
      RangeError,
      'The option budget.totalMs must be a number above 0 and at most 8640000000, but is NaN.',
    ],
    [
      { budget: { total: 5 } },
      TypeError,
      'The option budget.total does not exist; expected totalMs, phaseMs, stepMs, quietMs, warnAt, onSpent.',
    ],
    [{ budget: [] }, TypeError, 'The option budget must be an object, but is [].'],
    [
      { budget: { stepMs: 9e9 } },
      RangeError,
      'The option budget.stepMs must be a number above 0 and at most 8640000000, but is 9000000000.',
    ],
    [
      { budget: { quietMs: null } },
      TypeError,
      'The option budget.quietMs must be a number above 0 and at most 8640000000, but is null.',
    ],
    [{ budget: { phaseMs: 5 } }, TypeError, 'The option budget.phaseMs must be an object, but is 5.'],
    [
      { budget: { phaseMs: { 'Timing*': -1 } } },
      RangeError,
      'The option budget.phaseMs["Timing*"] must be a number above 0 and at most 8640000000, but is -1.',
    ],
    [
      { budget: { phaseMs: { '': 5 } } },
      RangeError,
      'The option budget.phaseMs must have globs of phase names, such as "Timing *", but has "".',
    ],
    [
      { budget: { warnAt: 80 } },
      RangeError,
      'The option budget.warnAt must be a number from 0 to 1, but is 80.',
    ],
  ])('%j are refused', (options, kind, message) => {
    const check = (): void => checkCancelOptions(options);
    expect(check).toThrow(kind);
    expect(check).toThrow(message);
  });

  test('good ones pass', () => {
    const { signal } = new AbortController();
    checkCancelOptions({ signal, deadline: new Date(0), budget: { totalMs: 0.5, warnAt: 0 } });
    checkCancelOptions({ budget: { phaseMs: { 'a b*?': 8_640_000_000 }, stepMs: 1, quietMs: 1 } });
  });
});
