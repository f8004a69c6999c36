import { percentile } from '../percentile.ts';
import type { CancelTrial } from './cancel-trials.ts';
import type { CancelLatency } from './measure.ts';

const columns = ['n', 'p50', 'p99', 'max'] as const;
const labelWidth = 44;

/** Milliseconds, of as many as there were. */
type Spread = Readonly<Record<(typeof columns)[number], number>>;

/** What a terminal shows of it all. */
export function latencyTable({ seed, graceMs, boundMs, groups }: CancelLatency): string {
  const rows = [`Cancels at random moments of real builds: grace ${graceMs} ms, seed ${seed}; milliseconds`];
  for (const isolation of ['process', 'thread'] as const) {
    const bound = isolation === 'process' ? `at most ${boundMs} ms` : 'without a bound';
    rows.push('', row(`In a ${isolation}, ${bound}`, columns));
    const own = groups.filter((group) => group.isolation === isolation);
    for (const { model, trials } of own) rows.push(...groupRows(model, trials));
    const all = own.flatMap(({ trials }) => trials);
    rows.push(...groupRows('all of them', all));
  }
  return rows.join('\n');
}

/** How long TensorRT took to answer, and how long we took to return, whether it answered or not. */
export function spreadsOf(trials: readonly CancelTrial[]): Readonly<Record<'answered' | 'returned', Spread>> {
  return {
    answered: spread(trials.flatMap(({ answeredAfterMs }) => answeredAfterMs ?? [])),
    returned: spread(trials.map(({ returnedAfterMs }) => returnedAfterMs)),
  };
}

function groupRows(name: string, trials: readonly CancelTrial[]): string[] {
  const { answered, returned } = spreadsOf(trials);
  return [
    `  ${name}: ${endsOf(trials)}`,
    spreadRow('    until TensorRT answered', answered),
    spreadRow('    until we returned', returned),
  ];
}

function endsOf(trials: readonly CancelTrial[]): string {
  const count = (is: (trial: CancelTrial) => boolean) => trials.filter(is).length;
  return [
    `${count(({ answeredAfterMs }) => answeredAfterMs !== undefined)} answered`,
    `${count(({ escalation }) => escalation === 'terminate')} terminated`,
    `${count(({ escalation }) => escalation === 'kill')} killed`,
    `${count(({ tooLate }) => tooLate)} too late`,
  ].join(', ');
}

function spread(values: readonly number[]): Spread {
  const at = (share: number) => percentile(values, share) ?? Number.NaN;
  return { n: values.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

function spreadRow(label: string, { n, ...times }: Spread): string {
  const shown = [times.p50, times.p99, times.max].map((ms) => (Number.isNaN(ms) ? '-' : ms.toFixed(1)));
  return row(label, [`${n}`, ...shown]);
}

function row(label: string, cells: readonly string[]): string {
  return label.padEnd(labelWidth) + cells.map((cell) => cell.padStart(9)).join('');
}
