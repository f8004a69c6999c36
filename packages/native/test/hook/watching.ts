import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Build } from '@trtscope/core';
import { expect, onTestFinished, vi } from 'vitest';
import { hookEnvironment } from '../../src/hook/hook-environment.ts';
import { watchPrograms } from '../../src/hook/watch-programs.ts';
import type { WatchOptions } from '../../src/hook/watch-programs.ts';
import { hookPath } from '../../src/native-parts.ts';
import { simulate } from '../simulator.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Listens for programs until the test's end. */
export async function watching(options: WatchOptions = {}, folder = temporaryFolder()) {
  const builds: Build[] = [];
  const notices: string[] = [];
  const watch = await watchPrograms(join(folder, 'hook'), {
    ...options,
    onBuild: (build) => builds.push(build),
    onNotice: (sentence) => notices.push(sentence),
  });
  onTestFinished(() => watch.close());
  return { builds, notices, path: watch.path, close: () => watch.close() };
}

/** Starts a process that does something at the socket; answers what it says of that. It stays until the test's end. */
export async function peer(path: string, deed: string, user?: number): Promise<string> {
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
export async function program(path: string, builds: readonly Build[]) {
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

/** What its result is then. */
export const wholeBuild = { outcome: 'built', counts: { phases: 1, steps: 3000 }, strays: 0 };
