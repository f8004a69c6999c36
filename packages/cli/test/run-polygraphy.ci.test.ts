import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJaeger } from '../../../scripts/jaeger.ts';
import { allModels } from '../../../scripts/models/catalogue.ts';
import { fetchModels, modelsFolder } from '../../../scripts/models.ts';
import { installNvidiaPython } from '../../../scripts/nvidia-python.ts';
import { onlyTrace } from '../../../test/e2e/jaeger-traces.ts';
import { rtxPhases, rtxSteps, tensorrtPhases } from '../../../test/e2e/traced-phases.ts';
import { run, temporaryFolder } from './command.ts';
import type { Ended } from './command.ts';
import { runAlone, withoutTimes } from './watched-run.ts';

const folder = temporaryFolder();
const engine = join(folder.path, 'r.engine');
const result = join(folder.path, 'run.json');
let env: Record<string, string>;
let polygraphy: string;

beforeAll(async () => {
  await fetchModels(allModels);
  const python = await installNvidiaPython(join(folder.path, 'python'), { polygraphy: true });
  ({ polygraphy } = python);
  env = { PYTHONPATH: python.pythonPath, POLYGRAPHY_USE_TENSORRT_RTX: '1' };
});
afterAll(() => folder.remove());

function convert(model: string): string[] {
  return ['python3', polygraphy, 'convert', join(modelsFolder(), model), '-o', engine, '--convert-to', 'trt'];
}

function watched(words: readonly string[], model: string): Promise<Ended> {
  return run(['run', '--progress', 'none', ...words, '--', ...convert(model)], { env });
}

function unwatched(model: string): Promise<Ended> {
  return runAlone(convert(model), { env });
}

describe('Polygraphy under trtscope run', () => {
  test('says and builds what it does without, byte for byte', async () => {
    const first = withoutTimes(await unwatched('light_resnet50.onnx'));
    const firstEngine = readFileSync(engine);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('building in … seconds') as unknown,
    });
    // Nothing else is different from one time to the next.
    expect(withoutTimes(await unwatched('light_resnet50.onnx'))).toEqual(first);
    expect(withoutTimes(await watched([], 'light_resnet50.onnx'))).toEqual(first);
    expect(readFileSync(engine).equals(firstEngine)).toBe(true);
  });

  test('keeps the exit code of a conversion that fails, and its words', async () => {
    const alone = await unwatched('missing.onnx');
    expect(alone.code).toBeGreaterThan(0);
    expect(await watched([], 'missing.onnx')).toEqual(alone);
  });

  test('is, in a real Jaeger, its build and TensorRT’s 12 phases with every step, below the run', async () => {
    const jaeger = await startJaeger();
    try {
      const { code } = await watched(['--otlp', jaeger.otlpUrl], 'light_resnet50.onnx');
      expect(code).toBe(0);
      const spans = await onlyTrace(jaeger.queryUrl, 'trtscope');
      const [root, ...otherRoots] = spans.filter((span) => span.parentSpanId === undefined);
      expect(root).toMatchObject({ name: 'run python3', status: 'unset' });
      expect(otherRoots).toEqual([]);
      const [build, ...otherBuilds] = spans.filter((span) => span.parentSpanId === root?.spanId);
      expect(build?.name).toBe('build python3');
      expect(otherBuilds).toEqual([]);
      expect(tensorrtPhases(spans)).toEqual(rtxPhases('build python3'));
      expect(build?.attributes).toMatchObject({
        'tensorrt.build.steps.completed': rtxSteps,
        'tensorrt.build.result': 'built',
      });
      const steps = spans.flatMap((span) => span.events).filter(({ name }) => name === 'tensorrt.step');
      expect(steps).toHaveLength(rtxSteps);
      for (const span of spans) expect(span.droppedEvents).toBe(0);
    } finally {
      await jaeger.stop();
    }
  });

  test('is ended by a budget of 0.4 of its time, and the report names the phase', async () => {
    const model = 'light_densenet121.onnx';
    const { stdout } = await unwatched(model);
    const seconds = Number(/building in (\d+\.\d+) seconds/u.exec(stdout)?.[1]);
    // One step of it can take more than the usual grace on a busy machine.
    const budget = `${Math.round(seconds * 400)}ms`;
    const { code } = await watched(['--budget', budget, '--grace', '2m', '--result', result], model);
    expect(code).toBe(124);
    const { builds, exitCode } = JSON.parse(readFileSync(result, 'utf8')) as {
      readonly builds: readonly unknown[];
      readonly exitCode: number;
    };
    // Polygraphy saw a build that gave no engine.
    expect(exitCode).toBeGreaterThan(0);
    expect(builds).toHaveLength(1);
    expect(builds[0]).toMatchObject({
      outcome: 'cancelled',
      cancel: {
        source: 'budget',
        phasePath: expect.arrayContaining(['Building engine']) as unknown,
        acknowledged: { by: 'step', phase: expect.any(String) as unknown },
        escalation: 'none',
      },
    });
  });
});
