// Every relative link of every page leads somewhere.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
const faults = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/gu)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/u.test(target) && !existsSync(join(dirname(page), target)))
    .map((target) => `${page} links to ${target}, which is not there`),
);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
