import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mainPath, startProgram, temporaryFolder } from './command.ts';

/** What stands before a command to have it watched, without a word. */
export const watched: readonly string[] = [process.execPath, mainPath, 'run', '--progress', 'none', '--'];

export interface Ordinary {
  readonly name: string;
  readonly words: readonly string[];
  /** What starts the command, watched or not. */
  readonly around?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Why it cannot be tried here. */
  readonly impossible?: string | undefined;
  /** What it says at least, lest both say nothing alike. */
  readonly says?: string | RegExp;
}

/** A folder for what the tests of a file need. */
export function folderForTests(): string {
  const folder = temporaryFolder();
  afterAll(() => {
    folder.remove();
  });
  return folder.path;
}

/** A test that a program does the same with and without us, in a fresh folder of always the same name. */
export function testOrdinary(folder: string, program: Ordinary): void {
  const { name, words, around = [], env, impossible, says = '' } = program;
  if (impossible !== undefined) console.log(`skipped: ${name}: ${impossible}`);
  const cwd = join(folder, 'work');
  const end = async (command: readonly string[]) => {
    rmSync(cwd, { recursive: true, force: true });
    mkdirSync(cwd);
    const { code, signal, stdout, stderr } = await startProgram([...around, ...command], {
      cwd,
      env: { LC_ALL: 'C', ...env },
    }).ended;
    return { code: signal === null ? code : 128 + constants.signals[signal], stdout, stderr };
  };
  test.skipIf(impossible !== undefined)(`${name} does and says the same`, { timeout: 120_000 }, async () => {
    const plain = await end(words);
    expect(`${plain.code}\n${plain.stdout}${plain.stderr}`).toMatch(says);
    expect(await end([...watched, ...words])).toEqual(plain);
  });
}

/** Why a program cannot be had here, if it cannot. */
export function missing(program: string): string | undefined {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? undefined : `there is no ${program}`;
}
