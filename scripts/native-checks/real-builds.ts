// Builds the demo's model to its end, and once more up to a cancel: node real-builds.ts process|thread
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngineBuild } from '../../packages/native/src/index.ts';
import type { Isolation } from '../../packages/native/src/index.ts';
import { prepareTensorrt } from '../tensorrt.ts';

const isolation = process.argv[2] as Isolation;
const { model } = await prepareTensorrt();
const folder = mkdtempSync(join(tmpdir(), 'trtscope-real-'));
process.on('exit', () => {
  rmSync(folder, { recursive: true });
});

const whole = await startEngineBuild({ model, output: join(folder, 'whole.engine'), isolation }).result;
if (whole.outcome !== 'built') throw new Error(`The build ended ${whole.outcome}: ${JSON.stringify(whole)}`);

const build = startEngineBuild({ model, output: join(folder, 'cancelled.engine'), isolation });
for await (const event of build.events()) {
  if (event.type === 'step.completed' && event.done === 500) build.cancel();
}
const stopped = await build.result;
if (stopped.outcome !== 'cancelled') throw new Error(`The cancelled build ended ${stopped.outcome}.`);
