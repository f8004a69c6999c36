import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'trtscope-bootstrap-'));
afterAll(() => rmSync(folder, { recursive: true }));

// A checkout where nothing is compiled yet, and a PATH with Node and whatever else is named.
const checkout = join(folder, 'checkout');
for (const name of ['package.json', 'scripts/bootstrap.mjs', 'scripts/bootstrap', 'scripts/toolchain']) {
  cpSync(join(root, name), join(checkout, name), { recursive: true });
}

function bootstrap(command: string, commandsOnPath: readonly string[], env: Record<string, string> = {}) {
  const bin = mkdtempSync(join(folder, 'bin-'));
  for (const name of ['node', ...commandsOnPath]) symlinkSync(process.execPath, join(bin, name));
  const home = join(bin, 'home');
  mkdirSync(home);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/bootstrap.mjs', command], {
    cwd: checkout,
    env: { PATH: bin, HOME: home, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('tools that are missing are named in one sentence, with the command that installs them', () => {
  const { status, stdout, stderr } = bootstrap('test', ['dnf', 'make']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(
    /^trtscope: cmake, a C\+\+ compiler and python3 with pip are missing; run "(sudo )?dnf install -y cmake gcc-c\+\+ python3-pip", then start again\.\n$/u,
  );
});

test('a cache that cannot be written to is refused by name', () => {
  const cache = join(folder, 'checkout/package.json/cache');
  const { status, stderr } = bootstrap('test', [], { TRTSCOPE_CACHE: cache });
  expect(status).toBe(1);
  expect(stderr).toBe(
    `trtscope: TRTSCOPE_CACHE is ${cache}, which cannot be written to; name another folder.\n`,
  );
});

test('a word that is no command is answered with those that are', () => {
  const { status, stderr } = bootstrap('tset', []);
  expect(status).toBe(1);
  expect(stderr).toBe('trtscope: bootstrap.mjs takes demo, test, prepare, env or run COMMAND.\n');
});
