import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CancelReport } from '@trtscope/core';
import { cacheFolder } from '@trtscope/native';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainPath, run, start, temporaryFolder } from './command.ts';
import type { Ended } from './command.ts';
import { Terminal } from './terminal.ts';

const model = join(cacheFolder(), 'models/light_resnet50.onnx');
const folder = temporaryFolder();
const inFolder = (name: string) => join(folder.path, name);
const json = (name: string) => JSON.parse(readFileSync(inFolder(name), 'utf8')) as Record<string, unknown>;

afterAll(() => folder.remove());

/** What is left of a build: files whose names begin so, and processes that were told of them. */
function leftOf(name: string): readonly string[] {
  const files = readdirSync(folder.path).filter((file) => file.replace(/^\./u, '').startsWith(name));
  const processes = readdirSync('/proc').filter(
    (pid) => /^\d+$/u.test(pid) && commandOf(pid).includes(inFolder(name)),
  );
  return [...files, ...processes];
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describe('trtscope build', () => {
  let built: Ended;

  beforeAll(async () => {
    const files = [
      '-o',
      inFolder('one.engine'),
      '--record',
      inFolder('one.jsonl'),
      '--result',
      inFolder('one.json'),
    ];
    built = await run(['build', model, ...files]);
  }, 120_000);

  it('exits with 0, says so on stderr, and nothing on stdout', () => {
    expect(built).toMatchObject({ code: 0, stdout: '' });
    expect(built.stderr).toMatch(/^trtscope: built .*one\.engine, 2\.9 MB, in /mu);
  });

  it('writes the engine and a result that knows all about it', () => {
    const bytes = statSync(inFolder('one.engine')).size;
    expect(json('one.json')).toMatchObject({
      outcome: 'built',
      model,
      output: inFolder('one.engine'),
      durationNs: expect.any(Number),
      engine: { path: inFolder('one.engine'), bytes, sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) },
      tensorrt: { edition: 'tensorrt_rtx', version: '1.7.1' },
      counts: { phases: 12, steps: 1883 },
      strays: 0,
      callbacks: { count: expect.any(Number), ns: expect.any(Number) },
    });
  });

  it('records what replays to the same phases', async () => {
    const { code, stderr } = await run([
      'replay',
      inFolder('one.jsonl'),
      '--speed',
      'max',
      '--result',
      inFolder('two.json'),
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('trtscope: built ');
    expect(json('two.json')).toEqual(json('one.json'));
  });

  it('is not disturbed by a reader that leaves after the first line', async () => {
    const { child, ended } = start(['build', model, '-o', inFolder('head.engine'), '--progress', 'json']);
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(inFolder('head.engine')).equals(readFileSync(inFolder('one.engine')))).toBe(true);
  });

  it('shows the build in a terminal and keeps the whole tree there', async () => {
    const terminal = new Terminal([mainPath, 'build', model, '-o', inFolder('tty.engine')]);
    await terminal.until((rows) => rows.some((row) => row.startsWith('▸ ')));
    expect((await terminal.ended).exitCode).toBe(0);
    expect(terminal.cursorHidden).toBe(false);
    const phases = json('one.json')['phases'] as readonly unknown[];
    expect(terminal.rows.filter((row) => /^ *✓ /u.test(row))).toHaveLength(phases.length + 1);
    expect(terminal.rows.join('')).toMatch(/✓ built .*tty\.engine, 2\.9 MB, in \d/u);
  });

  it('stops at Ctrl-C with 130 and leaves nothing behind', async () => {
    const terminal = new Terminal([mainPath, 'build', model, '-o', inFolder('stopped.engine')]);
    await terminal.until((rows) => rows.some((row) => row.includes('▸ Building engine')));
    terminal.type('\u0003');
    expect((await terminal.ended).exitCode).toBe(130);
    expect(terminal.rows.join('')).toMatch(/■ cancelled after .* by os-signal: received SIGINT \(Ctrl-C\)/u);
    expect(leftOf('stopped')).toEqual([]);
  });

  it('goes up a rung at a second Ctrl-C, however long the grace is', async () => {
    const args = [
      'build',
      model,
      '-o',
      inFolder('twice.engine'),
      '--grace',
      '1h',
      '--result',
      inFolder('2.json'),
    ];
    const terminal = new Terminal([mainPath, ...args]);
    await terminal.until((rows) => rows.some((row) => row.includes('▸ Determining refit engines')));
    terminal.type('\u0003');
    await terminal.until((rows) => rows.some((row) => row.startsWith('cancelling…')));
    terminal.type('\u0003');
    expect((await terminal.ended).exitCode).toBe(130);
    expect(terminal.rows.join('')).toMatch(
      /; terminated, .*its process was gone after .*, ended .* after the request/u,
    );
    expect(json('2.json')).toMatchObject({
      cancel: { escalation: 'terminate', acknowledged: { by: 'exit' } },
    });
    expect(leftOf('twice')).toEqual([]);
  });

  it('stops when a phase takes longer than its budget, and says which', async () => {
    const args = ['-o', inFolder('phase.engine'), '--grace', '50ms', '--result', inFolder('phase.json')];
    const { code, stderr } = await run(['build', model, ...args, '--phase-budget', 'Determining*=100ms']);
    expect(code).toBe(124);
    const message = 'the phase "Determining refit engines" has used up its budget of 100 ms';
    expect(stderr).toContain('warning: 8');
    expect(stderr).toContain(`by budget: ${message}, in Building engine > `);
    const { cancel } = json('phase.json') as { cancel: CancelReport };
    expect(cancel).toMatchObject({ detail: 'phase "Determining*"', message });
    // On a busy machine 50 ms may not be enough to leave in.
    expect(cancel.escalation).toMatch(/^(terminate|kill)$/);
    expect(cancel.phasePath.at(-1)).toBe('Determining refit engines');
    expect(leftOf('phase.engine')).toEqual([]);
  });

  it.each(['--cancel-file', '--cancel-on-stdin'])('stops with 3 by %s', async (option) => {
    const stop = inFolder('please-stop');
    const more = option === '--cancel-file' ? [option, stop] : [option];
    const args = ['build', model, '-o', inFolder('asked.engine'), ...more];
    const { child, ended, said } = start(args, { stdin: 'pipe' });
    await said('Building engine started');
    writeFileSync(stop, '');
    child.stdin?.write('please stop\n');
    const { code, stderr } = await ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^trtscope: cancelled after .* by (?:file: .*please-stop" is there|stdin: please stop), in /mu,
    );
    expect(leftOf('asked')).toEqual([]);
  });

  it('stops when its budget is over with 124 and leaves only the result', async () => {
    const args = [
      '-o',
      inFolder('late.engine'),
      '--budget',
      '300ms',
      '--grace',
      '100ms',
      '--result',
      inFolder('result.json'),
    ];
    const { code, stderr } = await run(['build', model, ...args]);
    expect(code).toBe(124);
    expect(stderr).toContain('by budget: the budget of 300 ms is spent');
    expect(json('result.json')).toMatchObject({
      outcome: 'cancelled',
      cancel: { source: 'budget', detail: 'total' },
    });
    expect(leftOf('late')).toEqual([]);
  });

  it.each([
    ['an empty model', '', []],
    ['a model that is text', 'not a model\n', []],
    ['no TensorRT', undefined, ['--tensorrt', '/usr/share']],
  ])('fails for %s with 1, one sentence and no file', async (_, text, more) => {
    if (text !== undefined) writeFileSync(inFolder('bad.onnx'), text);
    const path = text === undefined ? model : inFolder('bad.onnx');
    const { code, stderr, stdout } = await run([
      'build',
      path,
      '-o',
      inFolder('failed.engine'),
      '--progress',
      'none',
      ...more,
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^trtscope: \S.*\n$/u);
    expect(leftOf('failed')).toEqual([]);
  });

  it('writes to the current folder when no output is named', async () => {
    const { code } = await run(['build', model, '--progress', 'none', '--isolation', 'thread'], {
      cwd: folder.path,
    });
    expect(code).toBe(0);
    expect(existsSync(inFolder('light_resnet50.engine'))).toBe(true);
  });
});
