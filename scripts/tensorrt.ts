// Brings what a real build needs into the cache, quietly when it is there: node scripts/tensorrt.ts
import { join } from 'node:path';
import { setupTensorrt } from '../packages/native/src/setup.ts';
import { demoModel } from './models/catalogue.ts';
import { fetchModels, modelsFolder } from './models.ts';

/** Why this machine can make no real build, as scripts/bootstrap.mjs found it; absent when it can. */
export const noTensorrtBecause = process.env['TRTSCOPE_NO_TENSORRT'];

/** TensorRT-RTX and the demo's model. */
export async function prepareTensorrt(): Promise<{ readonly model: string; readonly library: string }> {
  const { library } = await setupTensorrt({ onProgress: note });
  await fetchModels([demoModel], note);
  return { model: join(modelsFolder(), demoModel.file), library };
}

function note(message: string): void {
  process.stderr.write(`trtscope: ${message}\n`);
}

if (import.meta.main) await prepareTensorrt();
