import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BudgetWatch } from '../src/budget-watch.ts';
import type { Budget } from '../src/build.ts';
import { cancelSources } from '../src/event-fields.ts';
import type { CancelReport } from '../src/result.ts';
import { phaseStarted } from './events.ts';

const page = readFileSync(new URL('../../../docs/cancel.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('|'));

test.each(cancelSources)('docs/cancel.md names the source %s', (source) => {
  expect(page).toContain(`\`${source}\``);
});

test.each<[Budget, string]>([
  [{ totalMs: 300_000 }, 'totalMs'],
  [{ phaseMs: { GLOB: 300_000 } }, 'phaseMs'],
  [{ stepMs: 30_000 }, 'stepMs'],
  [{ quietMs: 30_000 }, 'quietMs'],
])('docs/cancel.md has the name and the words of the budget %j', (budget, field) => {
  const spent: string[] = [];
  const watch = new BudgetWatch(budget, {
    onWarning: () => undefined,
    onSpent: (name, message) => spent.push(`\`${name}\``, message.replace('GLOB', 'NAME')),
  });
  watch.apply(phaseStarted(1, { name: 'GLOB' }));
  watch.advance(1e15);
  const row = rows.find((line) => line.startsWith(`| \`${field}\``));
  expect(spent).toHaveLength(2);
  for (const words of spent) expect(row).toContain(words);
});

test('docs/cancel.md has every field of the report', () => {
  const fields: { readonly [Field in keyof Required<CancelReport>]: true } = {
    source: true,
    message: true,
    detail: true,
    requestedAtNs: true,
    phasePath: true,
    step: true,
    acknowledged: true,
    latencyNs: true,
    escalation: true,
    temporariesRemoved: true,
    timingCacheSaved: true,
    later: true,
    tooLate: true,
  };
  const report = page.slice(page.indexOf('## The report'));
  for (const field of Object.keys(fields)) expect(report).toContain(`\`${field}\``);
});
