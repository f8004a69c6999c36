import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildResult, FailureFacts } from '@trtscope/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startEngineBuild } from '../src/engine-build.ts';
import { builderPath } from '../src/native-parts.ts';
import { record } from './recorded-build.ts';
import { simulate } from './simulator.ts';
import { temporaryFolder } from './temporary-folder.ts';

// A script that comes to its last lines when its phase has been heard of, and then `onPhase` was called.
function performed(
  lines: readonly string[],
  onPhase?: (build: ReturnType<typeof startEngineBuild>, pid: number) => void,
) {
  const folder = temporaryFolder();
  const gate = join(folder, 'gate');
  const script = ['build', 'phase 1 Building engine', `await ${gate}`, ...lines];
  const build = startEngineBuild({ ...simulate({ folder, script }), graceMs: 60_000 });
  let pid = 0;
  return record(build, (event) => {
    if (event.type === 'build.started') pid = event.pid ?? 0;
    if (event.type !== 'phase.started' || event.name !== 'Building engine') return;
    onPhase?.(build, pid);
    writeFileSync(gate, '');
  }).then(({ result }) => ({ result, left: readdirSync(folder).toSorted() }));
}

function failureOf(result: BuildResult): FailureFacts {
  if (result.outcome !== 'failed') throw new Error(`it was ${result.outcome}`);
  return result.error;
}

describe('a builder that dies', () => {
  test.each(['SEGV', 'ABRT', 'BUS', 'FPE', 'ILL', 'KILL'])(
    'of SIG%s fails its build with the signal, the phase and its peak memory, and leaves no file',
    async (signal) => {
      const { result, left } = await performed(['grow 50MiB', 'pause 250', `crash ${signal}`]);
      expect(failureOf(result)).toMatchObject({ code: 'BUILDER_CRASHED', phasePath: ['Building engine'] });
      expect(failureOf(result).message).toContain(
        `was ended by SIG${signal} in the phase "Building engine"; `,
      );
      expect(result.peakMemoryBytes).toBeGreaterThan(50 * 2 ** 20);
      expect(left).toEqual(['gate', 'model.onnx']);
    },
  );

  test('after a request that TensorRT had not answered fails, with the request recorded', async () => {
    const { result, left } = await performed(['crash SEGV'], (build) => {
      build.cancel('not needed');
    });
    expect(failureOf(result).message).toContain('SIGSEGV');
    expect(result.cancel).toMatchObject({ message: 'not needed', escalation: 'none' });
    expect(result.cancel).not.toHaveProperty('acknowledged');
    expect(result.cancel?.temporariesRemoved).toHaveLength(1);
    expect(left).toEqual(['gate', 'model.onnx']);
  });

  test('of a kill that is not ours fails, also when it had been asked to stop', async () => {
    const { result } = await performed(['hang'], (build, pid) => {
      build.cancel();
      process.kill(pid, 'SIGKILL');
    });
    expect(failureOf(result).message).toContain('was ended by SIGKILL');
    expect(result.cancel?.escalation).toBe('none');
  });

  test('after TensorRT has answered a request is cancelled', async () => {
    const { result } = await performed(['ignore', 'steps 500 every 1', 'crash SEGV'], (build) => {
      build.cancel();
    });
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { acknowledged: { by: 'step' } } });
  });
});

describe('a builder that runs out of memory', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('says so when TensorRT does, with its code', async () => {
    const limited = join(temporaryFolder(), 'limited-builder');
    writeFileSync(limited, `#!/bin/sh\nulimit -v 200000\nexec "${builderPath()}"\n`, { mode: 0o755 });
    const lines = ['build', 'phase 1 Building engine', 'grow 1GiB'];
    const options = simulate({ script: lines });
    vi.stubEnv('TRTSCOPE_BUILDER', limited);
    const result = await startEngineBuild(options).result;
    expect(failureOf(result)).toMatchObject({
      code: 'BUILD_FAILED',
      tensorrtCode: 2,
      phasePath: ['Building engine'],
    });
    expect(failureOf(result).message).toMatch(
      /^TensorRT ran out of memory and cannot build .* \(code 2, in Building engine\): .*; give it more memory/,
    );
  });

  test('says so when TensorRT did before it crashed', async () => {
    const { result } = await performed([
      'error 2 OutOfMemory (Requested size was 9 bytes.)',
      'pause 50',
      'crash ABRT',
    ]);
    expect(failureOf(result).message).toMatch(
      /^The builder process ran out of memory and was ended by SIGABRT in/,
    );
  });

  // The kernel's killer takes the largest process of the group: the builder.
  test.skipIf(limitedGroup() === undefined)('says so when the kernel kills it', async () => {
    const group = limitedGroup() ?? '';
    const program = `
      const { startEngineBuild } = await import(${JSON.stringify(new URL('../src/engine-build.ts', import.meta.url))});
      console.log(JSON.stringify(await startEngineBuild(JSON.parse(process.argv[1])).result));`;
    const options = simulate({
      script: ['build', 'phase 1 Building engine', 'pause 50', 'grow 2GiB over 500'],
    });
    const node = [process.execPath, '--input-type=module', '-e', program, JSON.stringify(options)];
    mkdirSync(group);
    try {
      const limit = `echo 300M > "$0/memory.limit_in_bytes" || echo 300M > "$0/memory.max"`;
      const noSwap = `echo 300M > "$0/memory.memsw.limit_in_bytes" || echo 0 > "$0/memory.swap.max"`;
      const inside = `{ ${limit}; ${noSwap}; } 2> /dev/null; echo $$ > "$0/cgroup.procs"; exec "$@"`;
      const output = execFileSync('/bin/sh', ['-c', inside, group, ...node], { encoding: 'utf8' });
      const result = JSON.parse(output) as BuildResult;
      expect(failureOf(result).message).toMatch(
        /^The builder process ran out of memory and was ended by SIGKILL from the kernel in the phase "Building engine"; give/,
      );
      expect(result.peakMemoryBytes).toBeGreaterThan(50 * 2 ** 20);
    } finally {
      rmdirSync(group);
    }
  });
});

// A control group that we may make, with a limit of memory; undefined where we may not.
function limitedGroup(): string | undefined {
  for (const parent of ['/sys/fs/cgroup/memory', '/sys/fs/cgroup']) {
    const group = join(parent, `trtscope-test-${process.pid}`);
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    const hasLimit = readdirSync(group).some(
      (name) => name === 'memory.limit_in_bytes' || name === 'memory.max',
    );
    rmdirSync(group);
    if (hasLimit) return group;
  }
  console.log('skipped: a control group with a limit of memory needs root and a writable /sys/fs/cgroup');
  return undefined;
}
