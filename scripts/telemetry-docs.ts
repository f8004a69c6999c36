// Writes the tables of docs/telemetry.md from packages/otel/src/semconv.ts: node scripts/telemetry-docs.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { attributes, events, logs, metrics, spans } from '../packages/otel/src/semconv.ts';
import type { Definition } from '../packages/otel/src/semconv.ts';

export const telemetryPage = new URL('../docs/telemetry.md', import.meta.url);

/** The page with its tables as they should be: each stands between `<!-- table: NAME -->` and `<!-- end -->`. */
export function withTables(page: string): string {
  const tables: Record<string, string> = {
    spans: table(spans, [
      ['span', (row) => code(row.name)],
      ['kind', (row) => row.on],
    ]),
    events: table(events, [
      ['event', (row) => code(row.name)],
      ['on', (row) => row.on],
    ]),
    logs: table(logs, [
      ['event name', (row) => code(row.name)],
      ['severity', (row) => row.on],
    ]),
    attributes: table(attributes, [
      ['attribute', (row) => code(row.name)],
      ['on', (row) => row.on],
      ['type', (row) => row.type ?? ''],
      ['unit', (row) => row.unit ?? ''],
    ]),
    metrics: table(metrics, [
      ['metric', (row) => code(row.name)],
      ['kind', (row) => row.type ?? ''],
      ['unit', (row) => row.unit ?? ''],
      ['attributes', (row) => row.on.split(', ').map(code).join(', ')],
    ]),
  };
  return page.replace(/<!-- table: (\w+) -->\n[^]*?<!-- end -->/gu, (whole, name: string) =>
    tables[name] === undefined ? whole : `<!-- table: ${name} -->\n\n${tables[name]}\n\n<!-- end -->`,
  );
}

type Column = readonly [title: string, cell: (row: Definition) => string];

function table(definitions: Readonly<Record<string, Definition>>, special: readonly Column[]): string {
  const columns: readonly Column[] = [
    ...special,
    ['stability', (row) => row.stability],
    ['meaning', (row) => row.brief],
  ];
  const titles = columns.map(([title]) => title);
  const cells = Object.values(definitions).map((row) => columns.map(([, cell]) => cell(row)));
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [
    line(titles),
    line(widths.map((width) => '-'.repeat(width))),
    ...cells.map((row) => line(row)),
  ].join('\n');
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

if (import.meta.main) writeFileSync(telemetryPage, withTables(readFileSync(telemetryPage, 'utf8')));
