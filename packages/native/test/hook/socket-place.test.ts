import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clearSocketPath, makeSocketFolder, withMask } from '../../src/hook/socket-place.ts';
import { removeFolder, temporaryFolder } from '../temporary-folder.ts';

const rightsOf = (path: string) => statSync(path).mode & 0o7777;

async function listenAt(path: string) {
  const server = createServer();
  withMask(0o177, () => server.listen(path));
  const rights = rightsOf(path);
  await once(server, 'listening');
  return { rights, close: () => new Promise((resolve) => server.close(resolve)) };
}

// A socket whose listener was killed: the file stays.
function staleSocket(path: string): void {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  try {
    execFileSync(process.execPath, ['-e', script]);
  } catch {
    // It was killed.
  }
}

function made(forAll: boolean): string {
  const folder = makeSocketFolder(forAll);
  removeFolder(folder);
  return folder;
}

describe('the folder of a socket', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('is new, of a random name, and for its owner alone whatever the mask is', () => {
    const folder = withMask(0, () => makeSocketFolder(false));
    expect(rightsOf(folder)).toBe(0o700);
    expect(folder).toMatch(/\/trtscope-[0-9a-f]{16}$/u);
    removeFolder(folder);
    expect(made(false)).not.toBe(folder);
  });

  test('is not made where others could put theirs in its place', () => {
    const parent = temporaryFolder();
    vi.stubEnv('XDG_RUNTIME_DIR', parent);
    expect(dirname(made(false))).toBe(parent);
    chmodSync(parent, 0o777);
    expect(dirname(made(false))).not.toBe(parent);
    chmodSync(parent, 0o1777);
    expect(dirname(made(false))).toBe(parent);
  });

  test('is made where another user gets to it when others are let in', () => {
    const parent = temporaryFolder();
    vi.stubEnv('XDG_RUNTIME_DIR', parent);
    expect(rightsOf(parent)).toBe(0o700);
    const folder = withMask(0o077, () => makeSocketFolder(true));
    expect(dirname(folder)).not.toBe(parent);
    expect(rightsOf(folder)).toBe(0o711);
    removeFolder(folder);
  });
});

describe('a path to listen at', () => {
  test('is for its owner alone from the first moment on', async () => {
    const path = join(temporaryFolder(), 'hook');
    const server = await withMask(0, () => listenAt(path));
    expect(server.rights).toBe(0o600);
    await server.close();
  });

  test('may be free, or that of a listener that is gone', async () => {
    const path = join(temporaryFolder(), 'hook');
    await clearSocketPath(path);
    staleSocket(path);
    expect(statSync(path).isSocket()).toBe(true);
    await clearSocketPath(path);
    expect(existsSync(path)).toBe(false);
  });

  test.each(['file', 'folder', 'link', 'dangling link'])(
    'is refused when it is a %s, which is left alone',
    async (kind) => {
      const folder = temporaryFolder();
      const path = join(folder, 'hook');
      const other = join(folder, 'other');
      if (kind === 'file') writeFileSync(path, 'precious');
      if (kind === 'folder') mkdirSync(path);
      if (kind === 'link') writeFileSync(other, 'precious');
      if (kind.endsWith('link')) symlinkSync(other, path);
      await expect(clearSocketPath(path)).rejects.toThrow('is there and no socket; name another path.');
      if (kind !== 'dangling link') expect(existsSync(path)).toBe(true);
    },
  );

  test('is refused when it is a link to the socket of a listener that is gone', async () => {
    const folder = temporaryFolder();
    staleSocket(join(folder, 'stale'));
    symlinkSync(join(folder, 'stale'), join(folder, 'hook'));
    await expect(clearSocketPath(join(folder, 'hook'))).rejects.toThrow('is there and no socket');
    expect(existsSync(join(folder, 'stale'))).toBe(true);
  });

  test('is refused while somebody listens there', async () => {
    const path = join(temporaryFolder(), 'hook');
    const server = await listenAt(path);
    await expect(clearSocketPath(path)).rejects.toThrow(`Somebody listens at "${path}" already`);
    expect(existsSync(path)).toBe(true);
    await server.close();
  });

  test('is refused when it is longer than a socket may have', async () => {
    await expect(clearSocketPath(`/${'x'.repeat(107)}`)).rejects.toThrow(RangeError);
  });
});
