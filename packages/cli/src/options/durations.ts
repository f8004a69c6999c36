import { UsageError } from '../usage-error.ts';

const pattern = /^(?:(?<h>\d+)h)?(?:(?<m>\d+)m(?!s))?(?:(?<s>\d+)s)?(?:(?<ms>\d+)ms)?$/u;
const unitMs = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Milliseconds of a duration such as `90s`, `5m`, `1h30m` or `500ms`. Throws a UsageError that names `option`. */
export function parseDuration(text: string, option: string): number {
  const parts = Object.entries(pattern.exec(text)?.groups ?? {}).filter(([, amount]) => amount !== undefined);
  if (parts.length === 0) {
    throw new UsageError(`${option}: "${text}" is not a duration; write it as 90s, 5m, 1h30m or 500ms.`);
  }
  return parts.reduce((sum, [unit, amount]) => sum + Number(amount) * unitMs[unit as keyof typeof unitMs], 0);
}

/** A duration above zero. */
export function parseBudget(text: string, option: string): number {
  const ms = parseDuration(text, option);
  if (ms === 0) {
    throw new UsageError(`${option}: "${text}" leaves no time at all; write it as 90s, 5m, 1h30m or 500ms.`);
  }
  return ms;
}

const isoPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?$/u;

/** A date with a time, in ISO 8601; without an offset it is local time. */
export function parseInstant(text: string, option: string): Date {
  const date = new Date(isoPattern.test(text) ? text : Number.NaN);
  if (Number.isNaN(date.getTime())) {
    const example = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
    throw new UsageError(`${option}: "${text}" is not a date with a time; write it as ${example}Z.`);
  }
  return date;
}
