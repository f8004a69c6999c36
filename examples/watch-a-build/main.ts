// Builds an engine and prints what TensorRT does, as it does it.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, startEngineBuild } from '@trtscope/native';

const folder = await mkdtemp(join(tmpdir(), 'watch-a-build-'));
const build = startEngineBuild({
  model: join(cacheFolder(), 'models', 'light_resnet50.onnx'),
  output: join(folder, 'light_resnet50.engine'),
});

let steps = 0;
for await (const event of build.events()) {
  const at = `${(event.timeNs / 1e6).toFixed(1).padStart(7)} ms`;
  if (event.type === 'phase.started') {
    console.log(at, '  '.repeat(build.tree.get(event.phase)?.depth ?? 0) + event.name);
  } else if (event.type === 'step.completed') {
    steps += 1 + (event.merged ?? 0);
  } else if (event.type === 'build.finished') {
    console.log(at, event.outcome);
  }
}

const result = await build.result;
await rm(folder, { recursive: true });

assert.equal(result.outcome, 'built');
console.log(
  `${result.counts.phases} phases of TensorRT, ${result.counts.steps} steps, ${result.engine?.bytes} bytes`,
);
assert.deepEqual(result.counts, { phases: 12, steps: 1883 });
assert.equal(steps, 1883, 'merged events add up to every step');
