import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Build } from '@trtscope/core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hookEnvironment } from '../../src/hook/hook-environment.ts';
import { HookListener } from '../../src/hook/hook-listener.ts';
import { watchPrograms } from '../../src/hook/watch-programs.ts';
import type { WatchOptions } from '../../src/hook/watch-programs.ts';
import { hookPath } from '../../src/native-parts.ts';
import { makeFolder, removeFolder, temporaryFolder } from '../temporary-folder.ts';
import { simulate } from '../simulator.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log('not root, so nobody here can be another user: those tests are skipped');

async function watching(options: WatchOptions = {}, folder = temporaryFolder()) {
  const builds: Build[] = [];
  const notices: string[] = [];
  const watch = await watchPrograms(join(folder, 'hook'), {
    ...options,
    onBuild: (build) => builds.push(build),
    onNotice: (sentence) => notices.push(sentence),
  });
  onTestFinished(() => watch.close());
  return { builds, notices, path: watch.path };
}

/** Starts a process that does something at the socket; answers what it says of that. It stays until the test's end. */
async function peer(path: string, deed: string, user?: number): Promise<string> {
  const words = [
    join(import.meta.dirname, 'hostile-peer.ts'),
    path,
    deed,
    ...(user === undefined ? [] : [`${user}`]),
  ];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return text.trim();
}

/** A program that builds, and goes on past its first phase when it is let. */
async function program(path: string, builds: readonly Build[]) {
  const before = builds.length;
  const folder = temporaryFolder();
  const gate = join(folder, 'gate');
  const script = [
    'build',
    'phase 3000 Building engine',
    'steps 1000',
    `await ${gate}`,
    'steps 2000',
    'finish',
  ];
  const options = JSON.stringify({ ...simulate({ folder, script }), isolation: 'thread' });
  const code = `import { buildEngine } from ${JSON.stringify(join(import.meta.dirname, '../../src/index.ts'))};
    await buildEngine(${options});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: hookEnvironment(process.env, hookPath(), path),
    stdio: 'inherit',
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const exit = once(child, 'exit');
  await vi.waitFor(() => expect(builds.slice(before).at(-1)?.tree.phases().at(-1)?.done).toBe(1000), 20_000);
  const build = builds.slice(before).find((one) => one.tree.phases().at(-1)?.done === 1000);
  return async () => {
    writeFileSync(gate, '');
    expect(await exit).toEqual([0, null]);
    return build?.result;
  };
}

const wholeBuild = { outcome: 'built', counts: { phases: 1, steps: 3000 }, strays: 0 };

describe('a socket', () => {
  test('is for us alone, in a folder of a random name that is for us alone', async () => {
    const listener = await HookListener.open({
      limits: [],
      graceMs: 1,
      climb: () => undefined,
      onBuild: () => undefined,
      onNotice: () => undefined,
    });
    expect(statSync(listener.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(listener.path)).mode & 0o777).toBe(0o700);
    await listener.close(0);
    expect(() => statSync(dirname(listener.path))).toThrow('ENOENT');
  });

  test.skipIf(!isRoot)('is closed to another user', async () => {
    const { path, builds, notices } = await watching();
    expect(await peer(path, 'connect', nobody)).toBe('refused');
    expect(await peer(path, 'connect')).toBe('welcome');
    expect(builds).toEqual([]);
    expect(notices).toEqual([]);
  });

  test.skipIf(!isRoot)('lets the user in that is allowed, and no other', async () => {
    const folder = makeFolder('/tmp');
    onTestFinished(() => removeFolder(folder));
    const { chmodSync } = await import('node:fs');
    chmodSync(folder, 0o755);
    const { path, builds, notices } = await watching({ allowUsers: [nobody] }, folder);
    expect(statSync(path).mode & 0o777).toBe(0o666);
    for (let time = 0; time < 2; time++) expect(await peer(path, 'connect', nobody - 1)).toBe('refused');
    expect(notices).toEqual([
      `a process of user ${nobody - 1} was refused; allow that user with --allow-uid`,
    ]);
    expect(await peer(path, 'build', nobody)).toBe('done');
    expect(await builds[0]?.result).toMatchObject({ outcome: 'built', counts: { steps: 100 } });
    expect(await peer(path, 'connect')).toBe('welcome');
  });
});

describe('a hostile process', () => {
  test.each([
    ['endless line', 'cut off', 'longer than 262144 characters'],
    ['phases', 'cut off', 'more phases than can be kept'],
    ['builds', 'cut off', 'more than 256 builds at once'],
    ['garbage', 'cut off', 'makes no sense'],
    ['notices', 'done', 'there is more of this, which is left out'],
  ])('that sends %s is %s, and a build that goes on meanwhile ends right', async (deed, says, notice) => {
    const { path, builds, notices } = await watching();
    const goOn = await program(path, builds);
    const before = process.memoryUsage().rss;
    expect(await peer(path, deed)).toBe(says);
    await vi.waitFor(() => expect(notices.join('\n')).toContain(notice));
    expect(notices.length).toBeLessThanOrEqual(101);
    console.log(`${deed}: ${((process.memoryUsage().rss - before) / 1e6).toFixed(0)} MB more`);
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
    expect(await goOn()).toMatchObject(wholeBuild);
  });

  test('that makes 10,000 connections has eight, and others have theirs', async () => {
    const { path, builds, notices } = await watching();
    const goOn = await program(path, builds);
    expect(await peer(path, 'connections')).toBe('8 are open');
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/^process \d+ was refused more than 8 connections$/u);
    const goOnToo = await program(path, builds);
    expect(await goOn()).toMatchObject(wholeBuild);
    expect(await goOnToo()).toMatchObject(wholeBuild);
  });

  test('that falls silent within a line holds nobody up', async () => {
    const { path, builds } = await watching();
    expect(await peer(path, 'half a line')).toBe('silent');
    const goOn = await program(path, builds);
    expect(await goOn()).toMatchObject(wholeBuild);
  });
});
