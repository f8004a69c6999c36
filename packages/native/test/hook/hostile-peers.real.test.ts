import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HookListener } from '../../src/hook/hook-listener.ts';
import { signalTree } from '../../src/hook/signal-tree.ts';
import { makeFolder, removeFolder } from '../temporary-folder.ts';
import { peer, program, watching, wholeBuild } from './watching.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log('not root, so nobody here can be another user: those tests are skipped');

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
    expect(await peer(path, 'connections')).toBe('8 are heard');
    expect(notices).toEqual(['a process was refused more than 8 connections']);
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

test('a process that has got the number of one that is gone is not signalled', async () => {
  const child = spawn('sleep', ['60']);
  const exit = once(child, 'exit');
  await once(child, 'spawn');
  const started = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
  signalTree(child.pid ?? 0, 'kill', `${Number(started) - 1}`);
  signalTree(child.pid ?? 0, 'terminate', started);
  expect(await exit).toEqual([null, 'SIGTERM']);
});
