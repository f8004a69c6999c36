import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cacheFolder } from '../src/cache-folder.ts';
import { startEngineBuild } from '../src/engine-build.ts';
import { record } from './recorded-build.ts';
import { blockUntil } from './busy-loop.ts';
import { isRunning } from './running.ts';
import { makeFolder, removeFolder, temporaryFolder } from './temporary-folder.ts';

const model = join(cacheFolder(), 'models/light_densenet121.onnx');

// Its one long step is most of it.
describe('a build of DenseNet-121 in a program that is busy all the time', () => {
  let wholeMs: number;

  beforeAll(async () => {
    const folder = makeFolder();
    const result = await startEngineBuild({ model, output: join(folder, 'e') }).result;
    removeFolder(folder);
    if (result.outcome !== 'built') throw new Error(JSON.stringify(result));
    wholeMs = result.durationNs / 1e6;
  });

  test('over its budget ends within two graces and a quarter of a second, with nothing left', async () => {
    const totalMs = 0.4 * wholeMs;
    const graceMs = Math.round(0.1 * wholeMs);
    const folder = temporaryFolder();
    const build = startEngineBuild({ model, output: join(folder, 'e'), graceMs }, { budget: { totalMs } });
    const pid = await new Promise<number>((resolve) => {
      build.attach({
        name: 'test',
        receive: ([event]) => {
          if (event?.type === 'build.started') resolve(event.pid ?? 0);
        },
      });
    });
    blockUntil(() => !isRunning(pid), 2 * totalMs + 2 * graceMs + 1000);
    const goneMs = build.elapsedNs() / 1e6;
    const result = await build.result;
    expect(result).toMatchObject({
      outcome: 'cancelled',
      cancel: { source: 'budget', acknowledged: { by: 'exit' }, escalation: 'terminate' },
    });
    expect(goneMs).toBeLessThan(totalMs + 2 * graceMs + 250);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('in a thread, over its budget, stops at the next step', async () => {
    const totalMs = 0.1 * wholeMs;
    const output = join(temporaryFolder(), 'e');
    const build = startEngineBuild({ model, output, isolation: 'thread' }, { budget: { totalMs } });
    const recorded = record(build);
    blockUntil(() => build.elapsedNs() > 2e6 * totalMs, 3 * totalMs);
    const { result, events } = await recorded;
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { source: 'budget' } });
    const requestedNs = result.cancel?.requestedAtNs ?? 0;
    const next = events.find((event) => event.type === 'step.completed' && event.timeNs >= requestedNs);
    const acknowledgedNs = result.cancel?.acknowledged?.atNs ?? Infinity;
    expect(requestedNs / 1e6).toBeLessThan(totalMs + 50);
    expect(acknowledgedNs).toBeLessThanOrEqual(next?.timeNs ?? 0);
  });
});
