import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinnedVersions, setupTensorrt, startEngineBuild } from '@trtscope/native';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchRealModels, modelPath, realModels } from './models.ts';

let folder: string;
let output: string;

beforeAll(fetchRealModels);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trtscope-models-'));
  output = join(folder, 'm.engine');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe.each(pinnedVersions)('TensorRT-RTX %s', (version) => {
  let tensorrt: string;
  beforeAll(async () => {
    tensorrt = (await setupTensorrt({ version })).library;
  });

  const builds = realModels.filter(({ fails }) => fails === undefined);
  test.each(builds)('builds $file', async ({ file, options }) => {
    const result = await startEngineBuild({ model: modelPath(file), output, tensorrt, ...options }).result;
    expect(result).toMatchObject({
      outcome: 'built',
      strays: 0,
      tensorrt: { edition: 'tensorrt_rtx', version: version.split('.').slice(0, 3).join('.') },
      engine: { bytes: statSync(output).size },
    });
    expect(result.counts.phases).toBeGreaterThanOrEqual(12);
    expect(result.phases.every(({ finishedNs }) => finishedNs !== undefined)).toBe(true);
    expect(readdirSync(folder)).toEqual(['m.engine']);
  });

  const failures = realModels.filter(({ fails }) => fails !== undefined);
  test.each(failures)(
    "fails on $file with TensorRT's code $fails and where it was",
    async ({ file, options, fails }) => {
      const model = modelPath(file);
      const result = await startEngineBuild({ model, output, tensorrt, ...options }).result;
      if (result.outcome !== 'failed') throw new Error(`it was ${result.outcome}`);
      const { code, message, tensorrtCode, phasePath = [] } = result.error;
      expect({ code, tensorrtCode }).toEqual({ code: 'BUILD_FAILED', tensorrtCode: fails });
      expect(phasePath.length).toBeGreaterThan(0);
      for (const words of [model, `code ${fails}`, phasePath.join(' > ')]) expect(message).toContain(words);
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});
