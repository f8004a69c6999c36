import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Build, BuildEvent, PhaseSummary } from '@trtscope/core';
import { describe, expect, test, vi } from 'vitest';
import type { EngineBuildOptions } from '../src/build-options.ts';
import { startEngineBuild } from '../src/engine-build.ts';
import { builderPath } from '../src/native-parts.ts';
import { logOf, record } from './recorded-build.ts';
import { simulate } from './simulator.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Lines = readonly string[];

describe.each(['process', 'thread'] as const)('a script performed in a %s', (isolation) => {
  const start = (script: Lines, options: Partial<EngineBuildOptions> = {}) =>
    startEngineBuild({ ...simulate({ script }), isolation, ...options });
  const perform = (script: Lines, onEvent?: (event: BuildEvent) => void) => record(start(script), onEvent);

  test('nests its phases, makes steps of an outer one meanwhile, and finishes early', async () => {
    const { result } = await perform([
      'build',
      'phase 6 Building engine',
      '  phase 5 Computing profile costs',
      '    steps 3',
      '    phase 2 Determining refit engines',
      '      steps 2 of Computing profile costs',
      '    finish',
      '  finish',
      '  steps 1 from 5',
    ]);
    expect(result.phases.filter(({ origin }) => origin === 'tensorrt').map(spoken)).toEqual([
      'Building engine 1/6',
      '  Computing profile costs 5/5',
      '    Determining refit engines 0/2',
    ]);
    expect(result.strays).toBe(0);
  });

  test('speaks of phases that are not there', async () => {
    const { result, events } = await perform([
      'build',
      'phase 1 One < Nobody',
      'steps 2 of Somebody',
      'finish Somebody',
    ]);
    expect(events).toContainEqual(expect.objectContaining({ name: 'One', parentName: 'Nobody' }));
    expect(result).toMatchObject({ outcome: 'built', strays: 3 });
  });

  test('calls back from several threads at once', async () => {
    const { result, events } = await perform([
      'build',
      'phase 1 Outer',
      'threads 4',
      '  phase 500 Worker {thread}',
      '  steps 500',
      '  finish',
      'end',
      'steps 1',
    ]);
    const workers = result.phases.filter(({ depth }) => depth === 1);
    expect(workers.map(spoken).toSorted()).toEqual([0, 1, 2, 3].map((n) => `  Worker ${n} 500/500`));
    const threads = events.flatMap((event) =>
      event.type === 'phase.started' && event.origin === 'tensorrt' ? [event.thread] : [],
    );
    expect(new Set(threads).size).toBe(5);
  });

  test('pauses in real time, in the parser, in a step and in the silent tail', async () => {
    const { result } = await perform([
      'pause 20',
      'build',
      'phase 2 Building engine',
      'steps 2 every 10',
      'finish',
      'pause 20.5',
    ]);
    const [parse, building, tail] = ['parse', 'Building engine', 'finish'].map((name) =>
      durationMs(result.phases, name),
    );
    expect(parse).toBeGreaterThanOrEqual(20);
    expect(building).toBeGreaterThanOrEqual(20);
    expect(tail).toBeGreaterThanOrEqual(20.5);
  });

  test('waits for a file', async () => {
    const gate = join(temporaryFolder(), 'gate');
    const { result } = await perform([`await ${gate}`, 'build', 'phase 1 One'], (event) => {
      if (event.type === 'phase.started' && event.name === 'parse') writeFileSync(gate, '');
    });
    expect(result.outcome).toBe('built');
  });

  test('ends all its phases and has code 7 when the monitor says no', async () => {
    const build = start([
      'build',
      'phase 1 Outer',
      'threads 4',
      '  phase 1 Inner',
      '  steps 100000 every 1',
      'end',
    ]);
    const { result, events } = await record(
      build,
      cancelAtFirstStep(() => build),
    );
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { acknowledged: { by: 'step' } } });
    expect(result.phases.every(({ finishedNs }) => finishedNs !== undefined)).toBe(true);
    expect(events).toContainEqual(expect.objectContaining({ type: 'log', code: 7 }));
  });

  test('goes on although it was told to stop, and counts the answers', async () => {
    const build = start(['build', 'answers', 'ignore 2', 'phase 9 One', 'steps 100000 every 1']);
    const { result, events } = await record(
      build,
      cancelAtFirstStep(() => build),
    );
    expect(result.outcome).toBe('cancelled');
    expect(logOf(events, 'tensorrt')).toContain(
      `simulator: ${result.counts.steps} answers, 3 of them no, 0 yes after a no`,
    );
  });

  test('is told to stop by every answer after a cancel, on eight threads too', async () => {
    const work = ['threads 8', 'phase 1 Worker {thread}', 'steps 100000 every 1', 'end'];
    const build = start(['build', 'answers', 'ignore 4000', 'phase 1 One', ...work]);
    const { result, events } = await record(
      build,
      cancelAtFirstStep(() => build),
    );
    expect(result.outcome).toBe('cancelled');
    const told = logOf(events, 'tensorrt').find((line) => line.startsWith('simulator: ')) ?? '';
    const [, no = 0, late] = told.match(/\d+/g)?.map(Number) ?? [];
    expect(no).toBeGreaterThan(4000);
    expect(late).toBe(0);
  });

  test('reports errors with codes, and may succeed all the same', async () => {
    const { result, events } = await perform(['build', 'error 3 not so bad', 'log verbose x', 'log error y']);
    expect(result.outcome).toBe('built');
    expect(
      events.flatMap((event) => (event.type === 'log' ? [[event.severity, event.message, event.code]] : [])),
    ).toEqual(
      expect.arrayContaining([
        ['error', 'not so bad', 3],
        ['error', 'y', undefined],
      ]),
    );
    expect(logOf(events, 'tensorrt')).not.toContain('x');
  });

  test('ends without an engine and without a word', async () => {
    const { result } = await perform(['build', 'phase 1 One', 'null']);
    expect(result).toMatchObject({
      outcome: 'failed',
      error: { message: expect.stringContaining('it gave no reason') as unknown },
    });
  });

  test('gives an engine of that size, the same for the same seed', async () => {
    const hashes = await Promise.all(
      [['engine 100001 7'], ['engine 100001 7'], ['engine 100001 8']].map(async (lines) => {
        const simulation = simulate({ script: ['build', ...lines] });
        await startEngineBuild({ ...simulation, isolation }).result;
        const bytes = readFileSync(simulation.output);
        expect(bytes.subarray(0, 25).toString()).toBe('trtscope simulator engine');
        expect(bytes).toHaveLength(100_001);
        return createHash('sha256').update(bytes).digest('hex');
      }),
    );
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  test.each([
    [['layers 0'], 'MODEL_INVALID', 'holds no network (0 layers, 1 outputs)'],
    [['outputs 0'], 'MODEL_INVALID', 'holds no network (1 layers, 0 outputs)'],
    [['input -1x3x224 in:0'], 'SHAPES_INVALID', 'in:0 (-1x3x224) has dynamic dimensions'],
    [
      ['refuse 6 no such thing', 'refuse 9 nor such'],
      'PARSE_FAILED',
      'no such thing; an unsupported attribute',
    ],
    [['phase 1 One'], 'PARSE_FAILED', 'Line 2: `phase` belongs after the line `build`'],
    [['build', 'pause soon'], 'PARSE_FAILED', 'Line 3: a number of milliseconds is wanted, not "soon"'],
    [['build', 'threads 2'], 'PARSE_FAILED', '`end` is missing'],
    [['grow 1MiB more'], 'PARSE_FAILED', 'Line 2: nothing more is wanted, not "more"'],
    [['dance'], 'PARSE_FAILED', '`dance` is no line of a script'],
  ])('%j is %s', async (script, code, words) => {
    const { result } = await perform(script);
    expect(result).toMatchObject({
      outcome: 'failed',
      error: { code, message: expect.stringContaining(words) as unknown },
    });
  });

  test('costs less than a millisecond when it says nothing', async () => {
    const costs: number[] = [];
    for (let i = 0; i < 10; i++) {
      const { phases } = await start(['build']).result;
      const at = (name: string) => phases.find((phase) => phase.name === name)?.startedNs ?? Number.NaN;
      costs.push((at('write') - at('parse')) / 1e6);
    }
    expect(Math.min(...costs)).toBeLessThan(1);
  });
});

describe('a script that ends a process', () => {
  // What the builder has not yet written when it dies is lost: so it dies when its phase has been heard of.
  test.each([
    ['crash SEGV', 'SIGSEGV'],
    ['crash ABRT', 'SIGABRT'],
    ['crash KILL', 'SIGKILL'],
    ['exit 17', 'exited with code 17'],
  ])('by `%s` is a failure that says so, and where', async (line, words) => {
    const gate = join(temporaryFolder(), 'gate');
    const { result } = await record(
      startInProcess(['build', 'phase 1 One', `await ${gate}`, line]),
      (event) => {
        if (event.type === 'phase.started' && event.name === 'One') writeFileSync(gate, '');
      },
    );
    expect(result).toMatchObject({
      outcome: 'failed',
      error: { message: expect.stringContaining(words) as unknown, phasePath: ['One'] },
    });
  });

  test('never, is told to leave after the grace', async () => {
    const build = startInProcess(['build', 'phase 1 One', 'hang']);
    const { result } = await record(build, (event) => {
      if (event.type === 'phase.started' && event.name === 'One') build.cancel();
    });
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { escalation: 'terminate' } });
  });

  test('by memory shows in the peak, and fails under a limit with TensorRT’s code', async () => {
    const script = ['build', 'phase 1 One', 'grow 200MiB over 20'];
    const built = await startInProcess(script).result;
    expect(built.outcome).toBe('built');
    expect(built.peakMemoryBytes).toBeGreaterThan(200 * 2 ** 20);

    const limited = join(temporaryFolder(), 'limited-builder');
    writeFileSync(limited, `#!/bin/sh\nulimit -v 200000\nexec "${builderPath()}"\n`, { mode: 0o755 });
    const simulation = simulate({ script });
    vi.stubEnv('TRTSCOPE_BUILDER', limited);
    const failed = await startEngineBuild(simulation).result;
    vi.unstubAllEnvs();
    expect(failed).toMatchObject({ outcome: 'failed', error: { tensorrtCode: 2, phasePath: ['One'] } });
  });
});

function startInProcess(script: Lines): Build {
  return startEngineBuild({ ...simulate({ script }), graceMs: 50 });
}

function spoken({ depth, name, done, steps }: PhaseSummary): string {
  return `${'  '.repeat(depth)}${name} ${done}/${steps}`;
}

function durationMs(phases: readonly PhaseSummary[], name: string): number {
  const phase = phases.find((one) => one.name === name);
  return ((phase?.finishedNs ?? 0) - (phase?.startedNs ?? 0)) / 1e6;
}

function cancelAtFirstStep(build: () => { cancel: () => void }): (event: BuildEvent) => void {
  let asked = false;
  return ({ type }) => {
    if (type === 'step.completed' && !asked) {
      asked = true;
      build().cancel();
    }
  };
}
