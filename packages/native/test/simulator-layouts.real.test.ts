import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EngineBuildOptions } from '../src/build-options.ts';
import { startEngineBuild } from '../src/engine-build.ts';
import { logOf, record } from './recorded-build.ts';
import { simulate, simulatedLayouts, simulatedVersions } from './simulator.ts';
import { temporaryFolder } from './temporary-folder.ts';

// What a value that we pass is called in each layout's own numbers: a wrong slot shows as a wrong or missing line.
describe.each(simulatedLayouts)('the layout of %s', (layout) => {
  const isRtx = layout.startsWith('tensorrt-rtx');
  const isOld = layout.startsWith('tensorrt-10') || layout === 'tensorrt-rtx-1.4';

  test.each(['process', 'thread'] as const)('takes a whole build in a %s', async (isolation) => {
    const script = [
      'build',
      'phase 2 Outer',
      'phase 1 Inner',
      'steps 1',
      'finish',
      'steps 2',
      'engine 10000',
    ];
    const { result, events } = await record(startEngineBuild({ ...simulate({ layout, script }), isolation }));
    expect(result).toMatchObject({
      outcome: 'built',
      tensorrt: {
        edition: isRtx ? 'tensorrt_rtx' : 'tensorrt',
        version: `${simulatedVersions[layout]} simulator`,
        path: expect.stringContaining('simulator') as unknown,
      },
      engine: { bytes: 10_000 },
      counts: { phases: 2, steps: 3 },
      callbacks: { count: 7 },
    });
    expect(events.find(({ type }) => type === 'tensorrt.loaded')).toMatchObject(result.tensorrt ?? {});
  });

  test('takes every option, each in its slot', async () => {
    const timingCacheFile = join(temporaryFolder(), 'timing.cache');
    const options: Partial<EngineBuildOptions> = {
      minShapes: { image: [1, 3] },
      maxShapes: { image: [8, 3] },
      memPoolSize: { workspace: 1_048_576, tacticSharedMem: 65_536 },
      builderOptimizationLevel: 4,
      maxAuxStreams: 2,
      profilingVerbosity: 'detailed',
      flags: ['REFIT', 'noTF32', 'VERSION_COMPATIBLE'],
      maxThreads: 3,
      stronglyTyped: true,
      timingCacheFile,
      ...(layout !== 'tensorrt-10.0' && { maxTactics: 5 }),
      ...(isRtx ? { computeCapabilities: ['8.6', '12.0'] } : { hardwareCompatibilityLevel: 'ampere+' }),
    };
    const simulation = simulate({ layout, script: ['input -1x3 image', 'build', 'calls'] });
    const { result, events } = await record(
      startEngineBuild({ ...simulation, ...options, isolation: 'thread' }),
    );
    expect(result.outcome).toBe('built');
    expect(logOf(events, 'tensorrt')).toEqual(
      [
        'setMaxThreads 3',
        `createNetworkV2 ${isOld ? 2 : 1}`,
        'setMemoryPoolLimit 0 1048576',
        'setMemoryPoolLimit 5 65536',
        'setBuilderOptimizationLevel 4',
        'setMaxAuxStreams 2',
        ...(layout === 'tensorrt-10.0' ? [] : ['setMaxNbTactics 5']),
        ...(isRtx ? [] : ['setHardwareCompatibilityLevel 1']),
        'setProfilingVerbosity 2',
        'setFlag 4',
        'clearFlag 6',
        `setFlag ${isOld ? 13 : 12}`,
        ...(isRtx
          ? ['setNbComputeCapabilities 2', 'setComputeCapability 86 0', 'setComputeCapability 120 1']
          : []),
        'setTimingCache 0',
        'setDimensions image 0 1x3',
        'setDimensions image 1 8x3',
        'setDimensions image 2 8x3',
        'addOptimizationProfile 0',
      ].map((call) => `simulator: ${call}`),
    );
    expect(readFileSync(timingCacheFile, 'utf8')).toMatch(/^trtscope simulator timing cache\n\d+\n$/u);
  });

  test('tells what the parser refuses, and where', async () => {
    const script = ['node 3 Conv /layer1/conv', 'refuse 8 a kernel of 9x9 is not supported'];
    const result = await startEngineBuild({ ...simulate({ layout, script }), isolation: 'thread' }).result;
    expect(result).toMatchObject({
      outcome: 'failed',
      error: {
        code: 'PARSE_FAILED',
        message: expect.stringContaining(
          'node 3 "/layer1/conv" (Conv): an unsupported operator (code 8): a kernel of 9x9 is not supported.',
        ) as unknown,
      },
    });
  });

  test('tells TensorRT’s own code of a failure, where it was, and what was logged', async () => {
    const script = ['build', 'phase 1 Outer', 'phase 1 Inner', 'log warning half full', 'fail 2 no memory'];
    const { result, events } = await record(
      startEngineBuild({ ...simulate({ layout, script }), isolation: 'thread' }),
    );
    expect(result).toMatchObject({
      outcome: 'failed',
      error: { code: 'BUILD_FAILED', tensorrtCode: 2, phasePath: ['Outer', 'Inner'] },
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'log', severity: 'warning', message: 'half full' }),
    );
  });

  test('stops at the first step after a cancel', async () => {
    const script = ['build', 'phase 9 Outer', 'phase 9 Inner', 'steps 100000 every 1'];
    const build = startEngineBuild({ ...simulate({ layout, script }), isolation: 'thread' });
    const { result } = await record(build, ({ type }) => {
      if (type === 'step.completed') build.cancel();
    });
    expect(result).toMatchObject({
      outcome: 'cancelled',
      cancel: { acknowledged: { by: 'step' }, escalation: 'none' },
    });
  });
});
