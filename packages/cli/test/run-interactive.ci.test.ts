import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { Terminal } from './terminal.ts';
import { watched } from './transparency.ts';

const python = fileURLToPath(new URL('fixtures/interactive.py', import.meta.url));
const [ctrlC, ctrlD, ctrlZ] = ['\u0003', '\u0004', '\u001a'];

afterEach(() => Terminal.killAll());

/** A shell with jobs, in which `$RUN` is what stands before a command. */
function shell(before: readonly string[]): Terminal {
  return new Terminal(['--norc', '--noprofile', '-i'], {
    program: '/bin/bash',
    env: { PS1: '> ', RUN: before.join(' '), PYTHON: python, HISTFILE: '' },
  });
}

async function converse(before: readonly string[]): Promise<readonly string[]> {
  const terminal = shell(before);
  const count = (text: string, rows: readonly string[] = terminal.rows) =>
    rows.filter((row) => row.includes(text)).length;
  // Waits for one row more with the answer.
  const after = async (act: () => void, answer: string) => {
    const known = count(answer);
    act();
    await terminal.until((rows) => count(answer, rows) > known);
  };
  const type = (text: string, answer: string) => after(() => terminal.type(text), answer);
  const prompt = () => terminal.until((rows) => rows.at(-1)?.trim() === '>');
  await prompt();
  await type('$RUN python3 $PYTHON\r', 'size 80 24');
  await type('hello\r', 'read hello');
  await after(() => terminal.resize(90, 30), 'size 90 30');
  await type(ctrlZ, 'Stopped');
  await prompt();
  await type('jobs\r', '[1]+  Stopped');
  await prompt();
  await type('fg\r', 'continued');
  await type('again\r', 'read again');
  await type(ctrlC, 'interrupted');
  await prompt();
  await type('echo code $?\r', 'code 3');
  await prompt();
  await type('$RUN python3 $PYTHON\r', 'size 90 30');
  await type(ctrlD, 'at the end');
  await prompt();
  await type('$RUN stty -ixon; echo "set $(stty -a | grep -c -e -ixon)"\r', 'set 1');
  await prompt();
  terminal.type('exit\r');
  await terminal.ended;
  return terminal.rows;
}

describe('an interactive program', { timeout: 120_000 }, () => {
  test('is stopped, goes on, is resized and interrupted, and the screen is the same with and without us', async () => {
    const plain = await converse([]);
    expect(plain).toContain('in front: True terminals: True True True');
    expect(await converse(watched)).toEqual(plain);
  });
});
