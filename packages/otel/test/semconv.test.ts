import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { telemetryPage, withTables } from '../../../scripts/telemetry-docs.ts';
import { attributes, events, logs, metrics } from '../src/semconv.ts';

const definitions = [attributes, events, logs, metrics].flatMap((table) => Object.values(table));
const source = new URL('../src/', import.meta.url);

test('docs/telemetry.md has the tables that node scripts/telemetry-docs.ts makes', () => {
  const page = readFileSync(telemetryPage, 'utf8');
  expect(withTables(page)).toBe(page);
  for (const { name } of definitions) expect(page).toContain(`\`${name}\``);
});

test('every name is defined in semconv*.ts and nowhere else', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('semconv'),
  );
  const text = files.map((file) => readFileSync(new URL(file, source), 'utf8')).join('\n');
  for (const { name } of definitions) expect(text).not.toContain(`'${name}'`);
});
