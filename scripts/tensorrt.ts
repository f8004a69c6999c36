// Brings what a real build needs into the cache, quietly when it is there: node scripts/tensorrt.ts
import { join } from 'node:path';
import { setupTensorrt } from '../packages/native/src/setup.ts';
import { demoModel } from './models/catalogue.ts';
import { fetchModels, modelsFolder } from './models.ts';

/** Why this machine can make no real build, as scripts/bootstrap.mjs found it; absent when it can. */
export const noTensorrtBecause = process.env['TRTSCOPE_NO_TENSORRT'];

/** TensorRT-RTX and the demo's model. */
export async function prepareTensorrt(): Promise<{ readonly model: string; readonly library: string }> {
  const { library } = await saying('installing TensorRT-RTX with pip', (onProgress) =>
    setupTensorrt({ onProgress }),
  );
  await saying('fetching the model light_resnet50.onnx', (onProgress) =>
    fetchModels([demoModel], onProgress),
  );
  return { model: join(modelsFolder(), demoModel.file), library };
}

/** Says what is being done once there is progress at all, and how long it took. A failure ends this process with one sentence. */
async function saying<T>(what: string, work: (onProgress: () => void) => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  let said = false;
  try {
    const result = await work(() => {
      if (!said) process.stderr.write(`trtscope: ${what} … `);
      said = true;
    });
    if (said) process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    // Of a program that failed, its last line is the reason.
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    console.error(`${said ? 'failed\n' : ''}trtscope: ${what} did not succeed: ${reason}`);
    process.exit(1);
  }
}

if (import.meta.main) await prepareTensorrt();
