import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildEvent } from '@trtscope/core';
import { expect, test } from 'vitest';
import { logOf } from './recorded-build.ts';
import { simulate } from './simulator.ts';
import { temporaryFolder } from './temporary-folder.ts';

const canMount =
  spawnSync('/usr/bin/unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!canMount) console.log('skipped: a mount namespace of its own needs root');

const program = `
const { readFileSync, readdirSync } = await import('node:fs');
const { startEngineBuild } = await import(${JSON.stringify(new URL('../src/engine-build.ts', import.meta.url))});
const [options, folder] = process.argv.slice(1);
const events = [];
const build = startEngineBuild(JSON.parse(options));
build.attach({ name: 'test', receive: (batch) => void events.push(...batch) });
await build.result;
console.log(JSON.stringify({ events, left: readdirSync(folder), cache: readFileSync(folder + '/t.cache', 'utf8') }));`;

test.skipIf(!canMount).each(['process', 'thread'] as const)(
  'a timing cache on a full disk stays as it was, and a build in a %s makes its engine and says so',
  (isolation) => {
    const folder = temporaryFolder();
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const old = 'trtscope simulator timing cache\n1\n';
    const full = `mount -t tmpfs -o size=8k tmpfs "$0"; printf '${old}' > "$0/t.cache"; printf x > "$0/full"; exec "$@"`;
    const timingCacheFile = join(disk, 't.cache');
    const options = JSON.stringify({ ...simulate({ folder }), timingCacheFile, isolation });
    const node = [process.execPath, '--input-type=module', '-e', program, options, disk];
    const args = ['--mount', 'sh', '-ec', full, disk, ...node];
    const report = JSON.parse(execFileSync('/usr/bin/unshare', args, { encoding: 'utf8' })) as {
      readonly events: readonly BuildEvent[];
      readonly left: readonly string[];
      readonly cache: string;
    };
    expect(report.events.at(-1)).toMatchObject({ outcome: 'built', cleanup: { timingCacheSaved: false } });
    expect(logOf(report.events, 'trtscope').join()).toMatch(
      /t\.cache: it cannot be written: No space left on device \(after 0 of \d+ bytes\)\./,
    );
    expect(report.cache).toBe(old);
    expect(report.left.toSorted()).toEqual(['full', 't.cache']);
  },
);
