import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setupTensorrt, startEngineBuild } from '@trtscope/native';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchRealModels, modelPath } from './models.ts';

let cache: string;

beforeAll(async () => {
  cache = mkdtempSync(join(tmpdir(), 'trtscope-setup-'));
  await fetchRealModels();
});
afterAll(() => {
  rmSync(cache, { recursive: true });
});

test('two set-ups at once into an empty cache install one TensorRT-RTX, and it builds', async () => {
  const [one, other] = await Promise.all([setupTensorrt({ cache }), setupTensorrt({ cache })]);
  expect(one.library).toBe(other.library);
  expect(readdirSync(cache)).toEqual([`tensorrt-rtx-${one.version}`]);
  const output = join(cache, 'm.engine');
  const build = startEngineBuild({ model: modelPath('light_resnet50.onnx'), output, tensorrt: one.library });
  expect(await build.result).toMatchObject({ outcome: 'built', tensorrt: { path: one.library } });
  expect(await setupTensorrt({ cache })).toMatchObject({ installed: false, library: one.library });
});
