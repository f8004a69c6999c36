import { execFile } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const lockModule = join(import.meta.dirname, '../../scripts/bootstrap/lock.mjs');

// Says when it goes in and when it comes out, with a turn of the event loop between.
const program = `
  import { appendFileSync } from 'node:fs';
  import { setImmediate } from 'node:timers/promises';
  import { withLock } from '${lockModule}';
  await withLock(process.argv[1], async () => {
    appendFileSync(process.argv[2], 'in ');
    for (let turn = 0; turn < 1000; turn += 1) await setImmediate();
    appendFileSync(process.argv[2], 'out ');
  });`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trtscope-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function holdLock() {
  const args = ['--input-type=module', '-e', program, folder, join(folder, 'said')];
  return promisify(execFile)(process.execPath, args);
}

function said(): string {
  return readFileSync(join(folder, 'said'), 'utf8');
}

test('processes that want the same lock go in one after the other', async () => {
  await Promise.all([holdLock(), holdLock(), holdLock()]);
  expect(said()).toBe('in out in out in out ');
  expect(lstatSync(join(folder, 'lock'), { throwIfNoEntry: false })).toBeUndefined();
});

test('a lock whose owner has died is taken over', async () => {
  const dead = 2 ** 30;
  symlinkSync(`${hostname()} ${dead}`, join(folder, 'lock'));
  await holdLock();
  expect(said()).toBe('in out ');
});
