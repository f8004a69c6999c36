import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BuildOptions } from '@trtscope/core';
import { expect, test } from 'vitest';
import { startEngineBuild } from '../src/engine-build.ts';
import { record } from './recorded-build.ts';
import { isRunning } from './running.ts';
import { simulate } from './simulator.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Kind {
  readonly name: string;
  readonly lines: readonly string[];
  readonly limits?: BuildOptions;
  readonly end: object;
}

const endless = ['phase 1 Building engine', 'steps 1000000 every 5'];
const overBudget = { outcome: 'cancelled', cancel: { source: 'budget', detail: 'total', later: [] } };

const kinds: readonly Kind[] = [
  {
    name: 'built',
    lines: ['engine 5000', 'phase 9 Building engine', 'steps 9 every 5'],
    end: { outcome: 'built', engine: { bytes: 5000 }, counts: { phases: 1, steps: 9 } },
  },
  {
    name: 'aborted',
    lines: endless,
    end: { outcome: 'cancelled', cancel: { source: 'abort-signal', later: [] } },
  },
  {
    name: 'failed',
    lines: ['phase 1 Building engine', 'fail 4 no such tactic'],
    end: { outcome: 'failed', error: { code: 'BUILD_FAILED', tensorrtCode: 4 } },
  },
  { name: 'slow', lines: endless, limits: { budget: { totalMs: 2000 } }, end: overBudget },
];
const fatal: readonly Kind[] = [
  { name: 'hung', lines: ['hang'], limits: { budget: { totalMs: 2000 } }, end: overBudget },
  {
    name: 'crashed',
    lines: ['crash SEGV'],
    end: { outcome: 'failed', error: { code: 'BUILDER_CRASHED' } },
  },
];

const howMany = 200;

test.each([
  { isolation: 'process', possible: [...kinds, ...fatal] },
  { isolation: 'thread', possible: kinds },
] as const)('200 builds at once in a $isolation all end as they must', async ({ isolation, possible }) => {
  const folder = temporaryFolder();
  const engines = join(folder, 'engines');
  mkdirSync(engines);
  const subjects = possible.map((kind) => {
    mkdirSync(join(folder, kind.name));
    return { kind, ...simulate({ folder: join(folder, kind.name), script: ['build', ...kind.lines] }) };
  });
  const all = Array.from({ length: howMany }, (_, at) => subjects[at % subjects.length]).flatMap(
    (subject, at) => (subject === undefined ? [] : [{ ...subject, output: join(engines, `${at}`) }]),
  );
  const pids = new Set<number>();
  const aborter = new AbortController();
  const toWork = new Set(all.filter(({ kind }) => kind.name === 'aborted').map(({ output }) => output));

  const results = await Promise.all(
    all.map(async ({ kind, model, output, tensorrt }) => {
      const build = startEngineBuild(
        { model, output, tensorrt, isolation, graceMs: 1000 },
        kind.name === 'aborted' ? { signal: aborter.signal } : kind.limits,
      );
      const { result } = await record(build, (event) => {
        if (event.type === 'build.started') pids.add(event.pid ?? 0);
        if (event.type === 'step.completed' || event.type === 'build.finished') toWork.delete(output);
        if (toWork.size === 0) aborter.abort();
      });
      return result;
    }),
  );

  expect(results).toMatchObject(all.map(({ kind }) => kind.end));
  const built = all.filter(({ kind }) => kind.name === 'built').map(({ output }) => output);
  expect(new Set(readdirSync(engines))).toEqual(new Set(built.map((output) => basename(output))));
  expect(pids.size).toBe(isolation === 'process' ? howMany : 1);
  expect([...pids].filter((pid) => pid !== process.pid && isRunning(pid))).toEqual([]);
});
