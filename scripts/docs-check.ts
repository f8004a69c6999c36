// Every relative link of every page leads somewhere, and the tables that are made from code are as the code has them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { telemetryPage, withTables } from './telemetry-docs.ts';

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
const faults = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/gu)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/u.test(target) && !existsSync(join(dirname(page), target)))
    .map((target) => `${page} links to ${target}, which is not there`),
);
const telemetry = readFileSync(telemetryPage, 'utf8');
if (withTables(telemetry) !== telemetry) {
  faults.push('docs/telemetry.md is not what semconv.ts says: run node scripts/telemetry-docs.ts');
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
