import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Build, BuildEvent } from '@trtscope/core';
import { describe, expect, test } from 'vitest';
import type { EngineBuildOptions } from '../src/build-options.ts';
import { startEngineBuild } from '../src/engine-build.ts';
import { record } from './recorded-build.ts';
import { isRunning } from './running.ts';
import { simulate } from './simulator.ts';
import { demoModel } from './source-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

const hang = ['build', 'phase 1 Building engine', 'hang'];

/** A build to which something is done as soon as it has begun a phase of TensorRT's. */
async function disturbed(
  options: EngineBuildOptions,
  disturb: (build: Build, pid: number) => void,
  phase = 'Building engine',
) {
  const build = startEngineBuild(options);
  let pid = 0;
  const recorded = await record(build, (event) => {
    if (event.type === 'build.started') pid = event.pid ?? 0;
    if (event.type === 'phase.started' && event.name === phase) disturb(build, pid);
  });
  expect(isRunning(pid)).toBe(false);
  return recorded;
}

function rungs(events: readonly BuildEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'cancel.escalated' ? [event.to] : []));
}

describe("a builder process's ladder", () => {
  test('ends a build in a long step of TensorRT after a grace', async () => {
    const folder = temporaryFolder();
    const options = { model: demoModel, output: join(folder, 'm.engine'), graceMs: 50 };
    const { result, events } = await disturbed(
      options,
      (build) => build.cancel('enough'),
      'Determining refit engines',
    );
    expect(result).toMatchObject({
      outcome: 'cancelled',
      cancel: { acknowledged: { by: 'exit' }, escalation: 'terminate' },
    });
    expect(result.cancel?.latencyNs).toBeLessThan(350e6);
    expect(result.cancel?.phasePath.at(-1)).toBe('Determining refit engines');
    expect(rungs(events)).toEqual(['terminate']);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('goes up at once when asked again, and kills when asked a third time', async () => {
    const second = await disturbed({ ...simulate({ script: hang }), graceMs: 60_000 }, (build) => {
      build.cancel();
      build.escalate();
    });
    expect(second.result.cancel).toMatchObject({ escalation: 'terminate', acknowledged: { by: 'exit' } });
    expect(rungs(second.events)).toEqual(['terminate']);
    const third = await disturbed({ ...simulate({ script: hang }), graceMs: 60_000 }, (build, pid) => {
      // Or it may have left, and said so, before it is killed.
      process.kill(pid, 'SIGSTOP');
      build.cancel();
      build.escalate();
      build.escalate();
    });
    expect(third.result.cancel?.escalation).toBe('kill');
    expect(rungs(third.events).at(-1)).toBe('kill');
  });

  test('does not go up when TensorRT answers', async () => {
    const script = ['build', 'phase 1 Building engine', 'steps 100000 every 1'];
    const { result, events } = await disturbed({ ...simulate({ script }), graceMs: 5000 }, (build) => {
      build.cancel();
    });
    expect(result.cancel).toMatchObject({ escalation: 'none', acknowledged: { by: 'step' } });
    expect(rungs(events)).toEqual([]);
  });

  test('holds in the silent tail', async () => {
    const script = ['build', 'phase 1 Building engine', 'steps 1', 'finish', 'hang'];
    const { result } = await disturbed(
      { ...simulate({ script }), graceMs: 50 },
      (build) => build.cancel(),
      'finish',
    );
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { escalation: 'terminate' } });
  });

  test('reaches a builder that has been stopped and heard of nothing', async () => {
    const { result, events } = await disturbed(
      { ...simulate({ script: hang }), graceMs: 50 },
      (build, pid) => {
        process.kill(pid, 'SIGSTOP');
        build.cancel();
      },
    );
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { escalation: 'kill' } });
    expect(result.cancel?.latencyNs).toBeLessThan(550e6);
    expect(rungs(events)).toEqual(['kill']);
  });

  test('has a SIGTERM of somebody else end a build that is being cancelled', async () => {
    const { result } = await disturbed({ ...simulate({ script: hang }), graceMs: 60_000 }, (build, pid) => {
      build.cancel();
      setTimeout(() => process.kill(pid, 'SIGTERM'), 50);
    });
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { escalation: 'terminate' } });
  });
});
