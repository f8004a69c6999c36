import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildResult } from '@trtscope/core';
import { describe, expect, test } from 'vitest';
import { startEngineBuild } from '../src/engine-build.ts';
import { gatedBuild } from './gated-build.ts';
import { killedBuild } from './killed-build.ts';
import { logOf, record } from './recorded-build.ts';
import { simulate } from './simulator.ts';
import { temporaryFolder } from './temporary-folder.ts';

const isolations = ['process', 'thread'] as const;

function refusal(result: BuildResult): { code: string; message: string } {
  if (result.outcome !== 'failed') throw new Error(`it was ${result.outcome}`);
  return result.error;
}

function cacheLines(path: string): string[] {
  return readFileSync(path, 'utf8').trim().split('\n').slice(1);
}

describe.each(isolations)('while a build in a %s is at work', (first) => {
  test.each(isolations)(
    'a second one in a %s to its target is refused before TensorRT is loaded',
    async (second) => {
      const folder = temporaryFolder();
      const holder = gatedBuild(folder, first);
      const pid = await holder.pid;
      const other = await record(startEngineBuild({ ...simulate({ folder }), isolation: second }));
      const { code, message } = refusal(other.result);
      expect(code).toBe('TARGET_BUSY');
      expect(message).toContain(`model.engine is being built by process ${pid}`);
      expect(message.includes('this one')).toBe(first === second && first === 'thread');
      expect(other.events.some(({ type }) => type === 'tensorrt.loaded')).toBe(false);
      expect(other.result.phases.map(({ name }) => name)).toEqual(['start']);
      holder.open();
      expect(await holder.result).toMatchObject({ outcome: 'built', engine: { bytes: 4096 } });
      expect(readdirSync(folder).toSorted()).toEqual(['gate', 'model.engine', 'model.onnx']);
    },
  );

  test('one to another target is not', async () => {
    const folder = temporaryFolder();
    const holder = gatedBuild(folder, first);
    await holder.pid;
    const output = join(folder, 'other.engine');
    const other = await startEngineBuild({ ...simulate({}), output, isolation: first }).result;
    expect(other.outcome).toBe('built');
    holder.open();
    expect((await holder.result).outcome).toBe('built');
  });

  test('its target is free again once it is cancelled, and it says which temporary it removed', async () => {
    const folder = temporaryFolder();
    const holder = gatedBuild(folder, first);
    await holder.pid;
    const temporaries = readdirSync(folder).filter((name) => name.endsWith('.trtscope-tmp'));
    expect(temporaries).toHaveLength(1);
    holder.build.cancel();
    holder.open();
    expect(await holder.result).toMatchObject({
      outcome: 'cancelled',
      cancel: { temporariesRemoved: temporaries.map((name) => join(folder, name)) },
    });
    expect(readdirSync(folder).toSorted()).toEqual(['gate', 'model.onnx']);
    const next = await startEngineBuild({ ...simulate({ folder }), isolation: first }).result;
    expect(next.outcome).toBe('built');
  });
});

describe('what a killed program leaves', () => {
  test('is swept by the next build to the same target, and told', async () => {
    const folder = temporaryFolder();
    const left = await killedBuild(folder);
    expect(left).toMatch(/^\.model\.engine\.\d+\.\w+\.trtscope-tmp$/);
    const { result, events } = await record(startEngineBuild(simulate({ folder })));
    expect(result.outcome).toBe('built');
    expect(logOf(events, 'trtscope')).toContain(
      `Removed ${join(folder, left)}, which a process that is gone had left.`,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('stays when another target is built beside it', async () => {
    const folder = temporaryFolder();
    const left = await killedBuild(folder);
    const output = join(folder, 'other.engine');
    expect((await startEngineBuild({ ...simulate({ folder }), output }).result).outcome).toBe('built');
    expect(existsSync(join(folder, left))).toBe(true);
  });
});

describe.each(isolations)('the timing cache of a build in a %s', (isolation) => {
  test('has what all builds have learnt that save it at once', async () => {
    const timingCacheFile = join(temporaryFolder(), 'shared.cache');
    const builds = Array.from({ length: 6 }, (_, at) =>
      startEngineBuild({ ...simulate({ script: ['build', `engine ${at}`] }), timingCacheFile, isolation }),
    );
    const results = await Promise.all(builds.map((build) => build.result));
    expect(results.map(({ outcome }) => outcome)).toEqual(builds.map(() => 'built'));
    expect(cacheLines(timingCacheFile)).toHaveLength(6);
  });

  test('is saved when a cancel ends it, as far as it has grown', async () => {
    const timingCacheFile = join(temporaryFolder(), 't.cache');
    const script = ['build', 'phase 1 Measuring', 'steps 100000 every 1'];
    const cancelled = async () => {
      const build = startEngineBuild({ ...simulate({ script }), timingCacheFile, isolation });
      const { result } = await record(build, (event) => {
        if (event.type === 'step.completed') build.cancel();
      });
      return result.cancel?.timingCacheSaved;
    };
    expect(await cancelled()).toBe(true);
    expect(cacheLines(timingCacheFile)).toHaveLength(1);
    expect(await cancelled()).toBe(false);
  });

  test('is not saved when a cancel comes before it has learnt anything', async () => {
    const timingCacheFile = join(temporaryFolder(), 't.cache');
    const build = startEngineBuild({ ...simulate({ script: 'pause 300' }), timingCacheFile, isolation });
    const { result } = await record(build, (event) => {
      if (event.type === 'phase.started' && event.name === 'parse') build.cancel();
    });
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { timingCacheSaved: false } });
    expect(existsSync(timingCacheFile)).toBe(false);
  });

  test('is told to be saved when the cancel came too late', async () => {
    const timingCacheFile = join(temporaryFolder(), 't.cache');
    const build = startEngineBuild({ ...simulate({}), timingCacheFile, isolation });
    const { result } = await record(build, (event) => {
      if (event.type === 'phase.started' && event.name === 'hash') build.cancel();
    });
    expect(result).toMatchObject({
      outcome: 'built',
      cancel: { tooLate: true, temporariesRemoved: [], timingCacheSaved: true },
    });
  });

  test('that another build is making into its engine is left alone, and told', async () => {
    const folder = temporaryFolder();
    const holder = gatedBuild(folder, isolation);
    await holder.pid;
    const timingCacheFile = join(folder, 'model.engine');
    const other = await record(startEngineBuild({ ...simulate({}), timingCacheFile, isolation }));
    holder.open();
    expect((await holder.result).outcome).toBe('built');
    expect(other.result.outcome).toBe('built');
    expect(logOf(other.events, 'trtscope')).toContainEqual(
      expect.stringMatching(/model\.engine: it cannot be written: process \d+ keeps it to itself\.$/),
    );
  });
});
