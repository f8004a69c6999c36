import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  BuildCancelledError,
  BuildFailedError,
  builtOrThrow,
  errorCodes,
  isTrtscopeError,
  TrtscopeError,
} from '../src/errors.ts';
import type { CancelledResult, FailedResult } from '../src/result.ts';

const facts = {
  build: 'b',
  startedAt: [0, 0] as const,
  durationNs: 1,
  phases: [],
  counts: { phases: 0, steps: 0 },
  strays: 0,
};
const failed: FailedResult = {
  outcome: 'failed',
  ...facts,
  error: { code: 'PARSE_FAILED', message: 'no such operator' },
};
const cancelled: CancelledResult = {
  outcome: 'cancelled',
  ...facts,
  cancel: {
    source: 'call',
    message: 'enough',
    requestedAtNs: 0,
    phasePath: [],
    latencyNs: 1,
    escalation: 'none',
    temporariesRemoved: [],
    later: [],
    tooLate: false,
  },
};

test('docs/errors.md has one row for each code, in their order', () => {
  const docs = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...docs.matchAll(/^\| `([A-Z_]+)` *\| \S.*\| \S.*\|$/gm)].map(([, code]) => code);
  expect(rows).toEqual([...errorCodes]);
});

describe('isTrtscopeError', () => {
  test('knows errors of another copy of this package', () => {
    const foreign: unknown = runInNewContext(
      `Object.defineProperty(new Error('x'), Symbol.for('trtscope.error'), { value: true })`,
    );
    expect(foreign).not.toBeInstanceOf(Error);
    expect(isTrtscopeError(foreign)).toBe(true);
  });

  test.each([[new Error('x')], ['x'], [undefined], [{}]])('does not know %s', (value) => {
    expect(isTrtscopeError(value)).toBe(false);
  });
});

describe('builtOrThrow', () => {
  test('answers a built result', () => {
    const built = { outcome: 'built', ...facts } as const;
    expect(builtOrThrow(built)).toBe(built);
  });

  test('throws a failed result with the words of its error', () => {
    expect(() => builtOrThrow(failed)).toThrow(BuildFailedError);
    expect(() => builtOrThrow(failed)).toThrow(
      expect.objectContaining({
        name: 'BuildFailedError',
        code: 'BUILD_FAILED',
        message: 'no such operator',
        result: failed,
      }),
    );
  });

  test('throws a cancelled result with the words of its reason', () => {
    expect(() => builtOrThrow(cancelled)).toThrow(BuildCancelledError);
    expect(() => builtOrThrow(cancelled)).toThrow(
      expect.objectContaining({ code: 'BUILD_CANCELLED', message: 'enough', result: cancelled }),
    );
  });
});

test('an error keeps its cause', () => {
  const cause = new Error('deep');
  expect(new TrtscopeError('SOURCE_FAILED', 'x', { cause }).cause).toBe(cause);
});
