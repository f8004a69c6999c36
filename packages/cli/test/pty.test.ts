import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { mainPath, recordingPath } from './command.ts';
import { Terminal } from './terminal.ts';

const fixture = fileURLToPath(new URL('fixtures/watch.ts', import.meta.url));
const replay = [mainPath, 'replay', recordingPath('synthetic-1500-layers-cancelled')];
const isStopped = (pid: number) => / T /u.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
const showsTree = (rows: readonly string[]) => rows.some((row) => row.includes('▸ Building engine'));

afterEach(() => Terminal.killAll());

describe('a command in a terminal', { timeout: 30_000 }, () => {
  it('shows the live tree, keeps the final one, and gives the cursor back', async () => {
    const terminal = new Terminal(replay);
    await terminal.until(showsTree);
    expect(terminal.cursorHidden).toBe(true);
    expect((await terminal.ended).exitCode).toBe(3);
    expect(terminal.cursorHidden).toBe(false);
    expect(terminal.rows.filter((row) => row.includes('Optimizing graph'))).toHaveLength(1);
    expect(terminal.rows.join('')).toMatch(
      /■ cancelled after 2\.6 s by call: .*, ended .* after the request$/u,
    );
  });

  it('is cancelled by Ctrl-C with 130, and leaves the tree and the reason', async () => {
    const terminal = new Terminal([...replay, '--speed', '0.1']);
    await terminal.until(showsTree);
    terminal.type('\u0003');
    expect((await terminal.ended).exitCode).toBe(130);
    expect(terminal.cursorHidden).toBe(false);
    expect(terminal.rows.some((row) => row.startsWith('■ Building engine'))).toBe(true);
    expect(terminal.rows.join('')).toContain('by os-signal: received SIGINT (Ctrl-C)');
  });
});

describe('a program that shows a build', { timeout: 30_000 }, () => {
  it.each([
    ['exit', 7],
    ['throw', 1],
    ['end', 0],
  ])('gives the cursor back when it ends by "%s"', async (how, code) => {
    const terminal = new Terminal([fixture, how]);
    await terminal.until(showsTree);
    expect((await terminal.ended).exitCode).toBe(code);
    expect(terminal.output).toContain('\u001b[?25l');
    expect(terminal.cursorHidden).toBe(false);
  });

  it.each([
    ['SIGINT', 2],
    ['SIGQUIT', 3],
  ])('gives the cursor back when %s kills it', async (signal, number) => {
    const terminal = new Terminal([fixture]);
    await terminal.until(showsTree);
    terminal.kill(signal);
    expect((await terminal.ended).signal).toBe(number);
    expect(terminal.cursorHidden).toBe(false);
  });

  // Its frames stand still: no program can know of a size that changes while a frame is under way.
  it('has one copy of each row after its terminal was resized', async () => {
    const terminal = new Terminal([fixture, 'stand still']);
    await terminal.until(() => terminal.frames === 1);
    const sizes = [
      [20, 24],
      [60, 10],
      [12, 12],
      [100, 30],
    ] as const;
    for (const [at, [columns, rows]] of sizes.entries()) {
      terminal.resize(columns, rows);
      await terminal.until(() => terminal.frames === at + 2);
      expect(terminal.rows.map((row) => row.slice(0, 6))).toEqual(['a line', 'model.', '▸ Buil', '0% · 0']);
    }
  });

  it('has its own output above the tree', async () => {
    const terminal = new Terminal([fixture, 'log']);
    expect((await terminal.ended).exitCode).toBe(0);
    const own = terminal.rows.filter((row) => !row.startsWith('0%'));
    expect(own).toEqual([
      'a line of its own',
      'half',
      ' a line',
      'model.onnx',
      expect.stringContaining('▸ Building engine'),
    ]);
  });

  it('takes the terminal back when it goes on after a suspension', async () => {
    const terminal = new Terminal([fixture]);
    await terminal.until(showsTree);
    const before = terminal.output.length;
    terminal.kill('SIGTSTP');
    await terminal.until(() => !terminal.cursorHidden);
    // The signal to go on is lost on a process that has not stopped yet.
    while (!isStopped(terminal.pid)) await setImmediate();
    terminal.kill('SIGCONT');
    await terminal.until(() => terminal.cursorHidden && terminal.output.length > before);
    terminal.kill('SIGTERM');
    await terminal.ended;
    expect(terminal.cursorHidden).toBe(false);
  });
});
