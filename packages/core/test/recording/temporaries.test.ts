import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBuild } from '../../src/build.ts';
import { recordTo, replaceFile, temporaryFor } from '../../src/recording/index.ts';
import { ManualSource } from '../manual-source.ts';

const modulePath = fileURLToPath(new URL('../../src/recording/index.ts', import.meta.url));
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trtscope-temporaries-'));
  path = join(folder, 'result.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Leaves a temporary of `path` as a process does that is killed. */
function leftByTheDead(target = path): string {
  const program = `
    const { temporaryFor } = await import(${JSON.stringify(modulePath)});
    const { writeFileSync } = await import('node:fs');
    writeFileSync(temporaryFor(${JSON.stringify(target)}), 'half');
    process.kill(process.pid, 'SIGKILL');`;
  const before = new Set(readdirSync(folder));
  spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  return readdirSync(folder).find((one) => !before.has(one)) ?? 'none';
}

describe('replacing a file', () => {
  test('sweeps what a killed process left for it, and nothing else', async () => {
    const dead = leftByTheDead();
    const others = [
      leftByTheDead(join(folder, 'other.json')),
      basename(temporaryFor(path)),
      '.result.json.bak',
    ];
    // Of a process that we cannot see.
    others.push(dead.replace(/\.[0-9a-f]{8}/u, '.00000000'));
    for (const name of others.slice(1)) writeFileSync(join(folder, name), '');
    await replaceFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(folder).toSorted()).toEqual([...others, 'result.json'].toSorted());
  });

  test('that cannot be done leaves the target and its folder as they were', async () => {
    mkdirSync(path);
    await expect(replaceFile(path, 'new')).rejects.toMatchObject({ syscall: 'rename' });
    expect(readdirSync(folder)).toEqual(['result.json']);
  });
});

test('a recording sweeps what a killed process left for it', async () => {
  leftByTheDead();
  const source = new ManualSource();
  const build = startBuild(source);
  const recorded = recordTo(build, path);
  source.begin();
  source.finish('built');
  expect(await recorded).toMatchObject({ written: true });
  expect(readdirSync(folder)).toEqual(['result.json']);
});
