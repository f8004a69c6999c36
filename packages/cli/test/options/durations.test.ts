import { describe, expect, it } from 'vitest';
import { parseBudget, parseDuration, parseInstant } from '../../src/options/durations.ts';
import { UsageError } from '../../src/usage-error.ts';

describe('parseDuration', () => {
  it.each([
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['500ms', 500],
    ['1m500ms', 60_500],
    ['0s', 0],
  ])('reads %s as %i ms', (text, ms) => {
    expect(parseDuration(text, '--budget')).toBe(ms);
  });

  it.each(['', '90', '5 m', '-5s', '1.5h', '30m1h', '5M', '1d', 's', '1h30'])(
    'refuses "%s" with an example',
    (text) => {
      expect(() => parseDuration(text, '--budget')).toThrow(
        new UsageError(`--budget: "${text}" is not a duration; write it as 90s, 5m, 1h30m or 500ms.`),
      );
    },
  );
});

describe('parseBudget', () => {
  it('refuses a budget of nothing', () => {
    expect(() => parseBudget('0m', '--budget')).toThrow(UsageError);
  });
});

describe('parseInstant', () => {
  it('reads ISO 8601 with an offset', () => {
    expect(parseInstant('2030-01-31T18:00:00+01:00', '--deadline').toISOString()).toBe(
      '2030-01-31T17:00:00.000Z',
    );
  });

  it.each(['tomorrow', '2030-01-31', '18:00', '2030-13-31T18:00:00Z', '1900000000'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseInstant(text, '--deadline')).toThrow(
        /^--deadline: ".*" is not a date with a time; write it as 2\d{3}-.*Z\.$/u,
      );
    },
  );
});
