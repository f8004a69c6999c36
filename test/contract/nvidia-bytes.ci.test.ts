import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEngineBuild } from '@trtscope/native';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installNvidiaPython } from '../../scripts/nvidia-python.ts';
import { fetchRealModels, modelPath } from './models.ts';

const script = fileURLToPath(new URL('build_with_python.py', import.meta.url));
let folder: string;
let pythonPath: string;

describe("an engine's bytes equal those that NVIDIA's own Python module builds", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trtscope-bytes-'));
    await fetchRealModels();
    ({ pythonPath } = await installNvidiaPython(join(folder, 'python')));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  // Not of every model: silero-vad's outputs change places with the layout of the heap, in NVIDIA's module too.
  test.each(['light_resnet50.onnx', 'light_densenet121.onnx'])('%s, in both isolations', async (file) => {
    const model = modelPath(file);
    const theirs = join(folder, 'theirs.engine');
    execFileSync('python3', [script, model, theirs], { env: { ...process.env, PYTHONPATH: pythonPath } });
    const expected = createHash('sha256').update(readFileSync(theirs)).digest('hex');
    for (const isolation of ['process', 'thread'] as const) {
      const output = join(folder, `${isolation}.engine`);
      const computeCapabilities = ['8.6'];
      const result = await startEngineBuild({ model, output, isolation, computeCapabilities }).result;
      expect(result).toMatchObject({ outcome: 'built', engine: { sha256: expected } });
      expect(readFileSync(output)).toEqual(readFileSync(theirs));
    }
  });

  test('also unobserved', async () => {
    const model = modelPath('light_resnet50.onnx');
    const sha256 = async (monitor: boolean) => {
      const result = await startEngineBuild({ model, output: join(folder, 'm.engine'), monitor }).result;
      return result.outcome === 'built' ? result.engine?.sha256 : result.outcome;
    };
    expect(await sha256(false)).toBe(await sha256(true));
  });
});
