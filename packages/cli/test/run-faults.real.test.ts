import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BuildingProgram } from './building-program.ts';
import type { Built, Meanwhile } from './building-program.ts';
import { mainPath, temporaryFolder } from './command.ts';

const canMount =
  spawnSync('/usr/bin/unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!canMount) console.log('skipped: a mount namespace of its own needs root');

const folder = temporaryFolder();
const sockets = join(folder.path, 'sockets');
const result = join(folder.path, 'result.json');
const before = [process.execPath, mainPath, 'run', '--progress', 'none', '--result', result, '--'];
// Where trtscope is gone, nobody keeps the build to it.
const overBudgetMs = 1100;
const budgeted = [...before.slice(0, -1), '--budget', '1s', '--'];
const env = { TMPDIR: sockets };
let program: BuildingProgram;
let alone: Built;

beforeAll(async () => {
  program = new BuildingProgram(folder.path);
  alone = await program.run({});
});
afterAll(() => {
  folder.remove();
});

function fresh(): void {
  rmSync(result, { force: true });
  rmSync(sockets, { recursive: true, force: true });
  mkdirSync(sockets);
}

function outcomes(): readonly string[] {
  const { builds } = JSON.parse(readFileSync(result, 'utf8')) as {
    readonly builds: readonly { readonly outcome: string }[];
  };
  return builds.map(({ outcome }) => outcome);
}

// Undefined when it is gone.
function stateOf(pid: number): string | undefined {
  try {
    return /^State:\s+(\w)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

const removeSockets: Meanwhile = () => rmSync(sockets, { recursive: true });

const stopTrtscope: Meanwhile = async ({ child, pid, openGate }) => {
  child.kill('SIGSTOP');
  openGate();
  while (!['Z', undefined].includes(stateOf(pid))) await setImmediate();
  child.kill('SIGCONT');
};

const stopProgram: Meanwhile = async ({ pid }) => {
  process.kill(pid, 'SIGSTOP');
  while (stateOf(pid) !== 'T') await setImmediate();
  process.kill(pid, 'SIGCONT');
};

const reuseFiles: Meanwhile = async ({ openModeGate, said }) => {
  openModeGate();
  await said('all files are its own');
};

const forkChild: Meanwhile = async ({ openModeGate, said }) => {
  openModeGate();
  await said('under way\n[3] under way');
};

describe('a build of a command ends as it would have without us', { timeout: 60_000 }, () => {
  test('when nothing happens', async () => {
    fresh();
    expect(alone).toMatchObject({ code: 0, stdout: 'an engine\n', stderr: '[3] under way\n' });
    expect(await program.run({ before, env })).toEqual(alone);
    expect(outcomes()).toEqual(['built']);
    expect(readdirSync(sockets)).toEqual([]);
  });

  test('when trtscope is killed meanwhile, and its budget is void', async () => {
    fresh();
    const built = await program.run({
      before: budgeted,
      env,
      lastsMs: overBudgetMs,
      meanwhile: async ({ child }) => {
        child.kill('SIGKILL');
        await new Promise((resolve) => child.once('exit', resolve));
      },
    });
    expect(built).toEqual({ ...alone, code: null, signal: 'SIGKILL' });
  });

  test('when the folder of the socket is removed before it begins', async () => {
    fresh();
    const remove = ['sh', '-c', 'rm -r "$(dirname "$TRTSCOPE_SOCKET")"; exec "$@"', 'sh'];
    expect(await program.run({ before: [...before, ...remove], env })).toEqual(alone);
    expect(outcomes()).toEqual([]);
  });

  test('when the folder of the socket is removed meanwhile', async () => {
    fresh();
    expect(await program.run({ before, env, meanwhile: removeSockets })).toEqual(alone);
    expect(outcomes()).toEqual(['built']);
  });

  test('when trtscope reads no more', async () => {
    fresh();
    expect(await program.run({ before, env, meanwhile: stopTrtscope })).toEqual(alone);
  });

  test('when the command is stopped and goes on', async () => {
    fresh();
    expect(await program.run({ before, env, meanwhile: stopProgram })).toEqual(alone);
    expect(outcomes()).toEqual(['built']);
  });

  test.skipIf(!canMount).each([
    ['TMPDIR', ['built'], 'mount -t tmpfs -o size=4k tmpfs "$TMPDIR"; printf x > "$TMPDIR/full"; exec "$@"'],
    [
      'every folder for temporaries',
      [],
      `mount --bind /tmp /tmp; mount --bind "$0" "$0"; mount -o remount,bind,ro /tmp
      for taken in "$TMPDIR" /dev/shm; do mount -t tmpfs -o ro tmpfs "$taken"; done; exec "$@"`,
    ],
  ])('when %s is full', async (_, expected, script) => {
    fresh();
    const full = ['/usr/bin/unshare', '--mount', 'sh', '-ec', script, folder.path];
    expect(await program.run({ before: [...full, ...before], env })).toEqual(alone);
    expect(outcomes()).toEqual(expected);
  });
});

describe('a program under watch does as it does without us', { timeout: 60_000 }, () => {
  test.each([
    ['builds in two threads at once', 'two-threads', ['built', 'built']],
    ['closes TensorRT, opens it again and builds again', 'reload', ['built', 'built']],
    ['closes all files once it has a builder, opens its own and builds', 'reuses-files', []],
  ])('when it %s', async (_, mode, expected) => {
    fresh();
    const plain = await program.run({ mode });
    expect(await program.run({ mode, before, env })).toEqual(plain);
    expect(outcomes()).toEqual(expected);
  });

  test('when it closes all files while it builds, and opens its own', async () => {
    fresh();
    const mode = 'reuses-files-late';
    const plain = await program.run({ mode, meanwhile: reuseFiles });
    expect(plain.stdout).toContain('0 bytes in the file, -1 in the socket');
    expect(
      await program.run({ mode, meanwhile: reuseFiles, before: budgeted, env, lastsMs: overBudgetMs }),
    ).toEqual(plain);
  });

  test('when it forks while it builds, and its child builds too', async () => {
    fresh();
    const mode = 'forks';
    const plain = await program.run({ mode, meanwhile: forkChild });
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('exited with 3') as unknown });
    expect(await program.run({ mode, meanwhile: forkChild, before, env })).toEqual(plain);
    expect(outcomes()).toEqual(['built', 'built']);
  });
});
