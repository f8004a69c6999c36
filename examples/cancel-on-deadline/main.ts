// Gives a build less time than it needs, and reads how the cancel went.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, startEngineBuild } from '@trtscope/native';

const folder = await mkdtemp(join(tmpdir(), 'cancel-on-deadline-'));
const output = join(folder, 'light_resnet50.engine');
const deadline = new Date(Date.now() + 400);
const build = startEngineBuild(
  { model: join(cacheFolder(), 'models', 'light_resnet50.onnx'), output, graceMs: 500 },
  { deadline },
);

const result = await build.result;
const engineIsThere = existsSync(output);
await rm(folder, { recursive: true });

assert.equal(result.outcome, 'cancelled');
const { source, message, phasePath, acknowledged, latencyNs, escalation } = result.cancel;
console.log(`cancelled: ${message}`);
console.log(`  asked by      ${source}`);
console.log(`  while in      ${phasePath.join(' > ')}`);
console.log(`  answered by   ${acknowledged?.by}`);
console.log(`  took          ${(latencyNs / 1e6).toFixed(1)} ms (escalation: ${escalation})`);
assert.equal(source, 'deadline');
assert.ok(latencyNs < 5_000e6, 'a cancel has a bound: two graces, and what a busy machine adds');
assert.equal(engineIsThere, false, 'a cancelled build leaves no engine');
