import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BuildResult } from '@trtscope/core';
import { afterAll, describe, expect, it } from 'vitest';
import { recordingPath, run, start, temporaryFolder } from './command.ts';
import { runHere } from './in-process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const built = recordingPath('synthetic-convnet');
const slow = recordingPath('synthetic-1500-layers-cancelled');

/** A recording that ends as told, after a cancel where one is given. */
function recordingOf(name: string, outcome: string, cancel?: { source: string; detail?: string }): string {
  const path = join(folder.path, `${name}.jsonl`);
  const base = (seq: number) => ({ build: name, seq, timeNs: seq });
  const reason = { ...cancel, message: 'of the test', requestedAtNs: 1 };
  const error = { code: 'BUILD_FAILED', message: 'broken on purpose' };
  const lines = [
    { v: 1, type: 'build.started', ...base(0), model: 'm.onnx', startedAt: [0, 0] },
    ...(cancel === undefined ? [] : [{ type: 'cancel.requested', ...base(1), reason }]),
    { type: 'build.finished', ...base(2), outcome, ...(outcome === 'failed' && { error }) },
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

async function written(path: string): Promise<void> {
  const changes = watch(dirname(path));
  for await (const { filename } of changes) {
    if (filename === basename(path) && existsSync(path)) return;
  }
}

describe('trtscope replay', { timeout: 30_000 }, () => {
  it.each([
    ['built', undefined, 0],
    ['failed', undefined, 1],
    ['cancelled', { source: 'budget', detail: 'total' }, 124],
    ['cancelled', { source: 'deadline' }, 124],
    ['cancelled', { source: 'os-signal', detail: 'SIGHUP' }, 129],
    ['cancelled', { source: 'os-signal', detail: 'SIGINT' }, 130],
    ['cancelled', { source: 'os-signal', detail: 'SIGTERM' }, 143],
    ['cancelled', { source: 'budget', detail: 'phase "Timing*"' }, 124],
    ['cancelled', { source: 'call' }, 3],
    ['cancelled', { source: 'file' }, 3],
    ['cancelled', { source: 'stdin' }, 3],
    ['cancelled', { source: 'custom' }, 3],
  ])('exits as a build that was %s by %j: %i', async (outcome, cancel, code) => {
    const path = recordingOf(`${outcome}-${code}-${cancel?.source}`, outcome, cancel);
    expect(await runHere('replay', path, '--progress', 'none')).toMatchObject({ code, stdout: '' });
  });

  it('writes the recording itself to stdout with --progress json, and nothing else anywhere', async () => {
    const { code, stdout, stderr } = await run(['replay', built, '--speed', 'max', '--progress', 'json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(readFileSync(built, 'utf8'));
  });

  it('is not disturbed by a reader that leaves', async () => {
    const { child, ended } = start(['replay', built, '--speed', 'max', '--progress', 'json']);
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('writes plain lines to stderr without a terminal, even when tty is asked for, and no escape code', async () => {
    const { stdout, stderr } = await run(['replay', built, '--speed', 'max', '--progress', 'tty'], {
      env: { FORCE_COLOR: '1', TERM: 'xterm' },
    });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^trtscope: built .*synthetic-convnet\.engine, 5\.0 MB, in 150 ms$/mu);
    expect(stderr).not.toContain('\u001b');
  });

  it('writes a result and a recording that is the same again', async () => {
    const [result, record] = [join(folder.path, 'result.json'), join(folder.path, 'again.jsonl')];
    const { code } = await runHere('replay', built, '--speed', 'max', '--result', result, '--record', record);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(result, 'utf8'))).toMatchObject({
      outcome: 'built',
      engine: { bytes: 5_037_724 },
      tensorrt: { edition: 'tensorrt_rtx', version: '1.7.1' },
      counts: { phases: 12 },
    });
    expect(readFileSync(record, 'utf8')).toBe(readFileSync(built, 'utf8'));
    expect(readdirSync(folder.path).filter((name) => name.includes('-tmp'))).toEqual([]);
  });

  it('says in one sentence why a build failed, when its progress does not', async () => {
    const path = recordingOf('failure', 'failed');
    expect((await runHere('replay', path, '--progress', 'none')).stderr).toBe(
      'trtscope: broken on purpose\n',
    );
    expect((await runHere('replay', path, '--progress', 'json')).stderr).toBe(
      'trtscope: broken on purpose\n',
    );
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is cancelled by %s with %i, and still writes result and recording', async (signal, code) => {
    const [result, record] = [join(folder.path, `${signal}.json`), join(folder.path, `${signal}.jsonl`)];
    const { child, ended, said } = start([
      'replay',
      slow,
      '--speed',
      '0.1',
      '--result',
      result,
      '--record',
      record,
    ]);
    await said('Building engine started');
    child.kill(signal);
    expect((await ended).code).toBe(code);
    expect(JSON.parse(readFileSync(result, 'utf8'))).toMatchObject({
      outcome: 'cancelled',
      cancel: { detail: signal },
    });
    expect(readFileSync(record, 'utf8')).toContain('"outcome":"cancelled"');
  });

  it.each<readonly [string, readonly string[], string, string]>([
    ['the whole', ['--budget', '1s'], 'total', 'the budget of 1 s is spent'],
    [
      'a phase',
      ['--phase-budget', 'No such=1ms', '--phase-budget', 'Computing profile*=500ms'],
      'phase "Computing profile*"',
      'the phase "Computing profile costs" has used up its budget of 500 ms',
    ],
    [
      'a step',
      ['--step-budget', '1s', '--warn-at', '50%'],
      'step',
      'the phase "Determining refit engines" has made no step for 1 s',
    ],
    ['silence', ['--quiet-budget', '1s'], 'quiet', 'TensorRT has made no callback for 1 s'],
  ])(
    'is ended by a budget of %s with 124, at the same event at any speed',
    async (_, args, detail, message) => {
      const ends = [];
      for (const speed of ['max', '20']) {
        const result = join(folder.path, 'budget.json');
        const said = await runHere(
          'replay',
          slow,
          '--speed',
          speed,
          ...args,
          '--result',
          result,
          '--verbose',
        );
        expect(said.code).toBe(124);
        expect(said.stderr).toContain('% of the ');
        expect(said.stderr).toContain(`by budget: ${message}`);
        const { cancel, counts, durationNs } = JSON.parse(readFileSync(result, 'utf8')) as BuildResult;
        expect(cancel).toMatchObject({ source: 'budget', detail, message });
        ends.push({ counts, durationNs });
      }
      expect(ends[0]).toEqual(ends[1]);
    },
  );

  it('is cancelled with 3 by a file that appears, and by one that is there', async () => {
    const stop = join(folder.path, 'stop');
    const args = ['replay', slow, '--speed', '0.1', '--cancel-file', stop];
    const { ended, said } = start(args);
    await said('Building engine started');
    writeFileSync(stop, '');
    const line = `by file: the file "${stop}" is there`;
    expect(await ended).toMatchObject({ code: 3, stderr: expect.stringContaining(line) as string });
    expect(await runHere(...args)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(line) as string,
    });
  });

  it('is cancelled with 3 by a line on stdin, and not by its end', async () => {
    const args = ['replay', slow, '--cancel-on-stdin', '--speed'];
    const { child, ended, said } = start([...args, '0.1'], { stdin: 'pipe' });
    await said('Building engine started');
    child.stdin?.write('enough for today\n');
    const stderr = expect.stringContaining('by stdin: enough for today, in Building engine') as string;
    expect(await ended).toMatchObject({ code: 3, stderr });
    const { stderr: unmoved } = await run([...args, 'max']);
    expect(unmoved).not.toContain('stdin');
  });

  it('does not wait for a reader that takes nothing once a signal has come', async () => {
    // More than a pipe holds.
    const path = join(folder.path, 'long.jsonl');
    const lines = readFileSync(built, 'utf8').trimEnd().split('\n');
    const log = JSON.stringify({
      type: 'log',
      build: 'synthetic-convnet',
      seq: 3,
      timeNs: 1,
      severity: 'info',
      origin: 'tensorrt',
      message: 'x'.repeat(1000),
    });
    writeFileSync(
      path,
      [...lines.slice(0, 2), ...Array.from({ length: 500 }, () => log), ...lines.slice(2)].join('\n'),
    );
    const result = join(folder.path, 'long.json');
    const { child, ended, said } = start([
      'replay',
      path,
      '--speed',
      'max',
      '--progress',
      'json',
      '--result',
      result,
    ]);
    const kept = written(result);
    await said('build.started');
    child.stdout?.pause();
    await kept;
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    child.stdout?.resume();
    expect((await ended).code).toBe(0);
  });
});
