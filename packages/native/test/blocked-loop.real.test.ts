import type { BuildOptions, BuildResult } from '@trtscope/core';
import { describe, expect, test } from 'vitest';
import type { EngineBuildOptions } from '../src/build-options.ts';
import { startEngineBuild } from '../src/engine-build.ts';
import { blockFor, blockUntil } from './busy-loop.ts';
import { isRunning } from './running.ts';
import { simulate } from './simulator.ts';
import { demoModel } from './source-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Blocked {
  readonly result: BuildResult;
  /** Since the build began. */
  readonly blockedUntilNs: number;
  /** Whether its process was there when this thread came to itself. */
  readonly wasRunning: boolean;
}

/** A build whose program does nothing but count for as long as `block` takes. */
async function blocked(
  options: EngineBuildOptions,
  buildOptions: BuildOptions,
  block: (pid: number) => void,
): Promise<Blocked> {
  const build = startEngineBuild(options, buildOptions);
  const pid = await new Promise<number>((resolve) => {
    build.attach({
      name: 'test',
      receive: ([event]) => {
        if (event?.type === 'build.started') resolve(event.pid ?? 0);
      },
    });
  });
  block(pid);
  const blockedUntilNs = build.elapsedNs();
  const wasRunning = isRunning(pid);
  return { result: await build.result, blockedUntilNs, wasRunning };
}

function times({ cancel }: BuildResult): { requestedNs: number; acknowledgedNs: number } {
  return { requestedNs: cancel?.requestedAtNs ?? 0, acknowledgedNs: cancel?.acknowledged?.atNs ?? Infinity };
}

const endlessSteps = ['build', 'phase 1 Building engine', 'steps 100000 every 1'];

describe.each(['process', 'thread'] as const)(
  'a program that is busy while it builds in a %s',
  (isolation) => {
    test('has its build stopped at the first step after the budget', async () => {
      const options = { ...simulate({ script: endlessSteps }), isolation };
      const { result, blockedUntilNs } = await blocked(options, { budget: { totalMs: 400 } }, () => {
        blockFor(800);
      });
      const { requestedNs, acknowledgedNs } = times(result);
      expect(result).toMatchObject({
        outcome: 'cancelled',
        cancel: { source: 'budget', detail: 'total', acknowledged: { by: 'step' }, escalation: 'none' },
      });
      expect(requestedNs).toBeGreaterThanOrEqual(400e6);
      expect(acknowledgedNs).toBeLessThan(blockedUntilNs);
      expect(result.durationNs).toBeLessThan(blockedUntilNs);
    });

    test('has a build of TensorRT stopped while it is still busy', async () => {
      const output = `${temporaryFolder()}/m.engine`;
      const options = { model: demoModel, output, isolation, graceMs: 200 };
      const { result, blockedUntilNs } = await blocked(options, { budget: { totalMs: 100 } }, () => {
        blockFor(1000);
      });
      expect(result).toMatchObject({ outcome: 'cancelled', cancel: { source: 'budget' } });
      expect(times(result).acknowledgedNs).toBeLessThan(blockedUntilNs);
    });

    test('has its build stopped at a deadline, by a phase, a step and a silence', async () => {
      const script = ['build', 'phase 1 Building engine', 'steps 1', 'pause 600', 'steps 100000 every 1'];
      const limits = [
        [{ deadline: new Date(Date.now() + 300) }, { source: 'deadline' }],
        [{ budget: { phaseMs: { 'Building ?ngine': 100 } } }, { detail: 'phase "Building ?ngine"' }],
        [{ budget: { stepMs: 100 } }, { detail: 'step' }],
        [{ budget: { quietMs: 100 } }, { detail: 'quiet' }],
      ] as const;
      const builds = limits.map(([limit]) => startEngineBuild({ ...simulate({ script }), isolation }, limit));
      blockFor(1500);
      for (const [at, build] of builds.entries()) {
        const result = await build.result;
        expect(result).toMatchObject({ outcome: 'cancelled', cancel: limits[at]?.[1] });
        expect(times(result).acknowledgedNs).toBeLessThan(1500e6);
      }
    });
  },
);

describe('a builder process whose program is busy', () => {
  test('leaves by itself after a grace, and tells how', async () => {
    const options = { ...simulate({ script: ['build', 'phase 1 Building engine', 'hang'] }), graceMs: 100 };
    const { result, blockedUntilNs, wasRunning } = await blocked(
      options,
      { budget: { totalMs: 200 } },
      (pid) => blockUntil(() => !isRunning(pid)),
    );
    expect(wasRunning).toBe(false);
    expect(result).toMatchObject({
      outcome: 'cancelled',
      callbacks: { count: 1 },
      cancel: {
        source: 'budget',
        acknowledged: { by: 'exit' },
        escalation: 'terminate',
        temporariesRemoved: [expect.stringContaining('trtscope-tmp')],
      },
    });
    expect(result.durationNs).toBeLessThan(blockedUntilNs);
    expect(result.cancel?.latencyNs).toBeLessThan(350e6);
  });

  test('leaves without a grace at once', async () => {
    const options = { ...simulate({ script: ['build', 'phase 1 Building engine', 'hang'] }), graceMs: 0 };
    const { result } = await blocked(options, { budget: { totalMs: 200 } }, (pid) =>
      blockUntil(() => !isRunning(pid)),
    );
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { source: 'budget', escalation: 'kill' } });
    expect(result.cancel?.latencyNs).toBeLessThan(250e6);
  });

  test('tells of its end also when it has said more than anybody has read', async () => {
    const script = ['build', 'phase 1 Building engine', 'steps 200000', 'phase 1 Inner', 'hang'];
    const options = { ...simulate({ script }), graceMs: 100 };
    const { result } = await blocked(options, { budget: { stepMs: 300 } }, (pid) =>
      blockUntil(() => !isRunning(pid)),
    );
    expect(result).toMatchObject({
      outcome: 'cancelled',
      cancel: {
        source: 'budget',
        detail: 'step',
        phasePath: ['Building engine', 'Inner'],
        acknowledged: { by: 'exit' },
        escalation: 'terminate',
      },
    });
  });

  test('is killed by its own timer when it has been stopped', async () => {
    const options = { ...simulate({ script: ['build', 'phase 1 Building engine', 'hang'] }), graceMs: 200 };
    const { result } = await blocked(options, { budget: { totalMs: 200 } }, (pid) => {
      blockFor(300);
      process.kill(pid, 'SIGSTOP');
      blockUntil(() => !isRunning(pid));
    });
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { source: 'budget', escalation: 'kill' } });
  });
});
