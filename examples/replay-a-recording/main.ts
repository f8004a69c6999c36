// Plays a recorded build again, ten times as fast, on any machine: no GPU, no TensorRT.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { replaySource, startBuild } from '@trtscope/core';
import { openRecording } from '@trtscope/core/recording';
import { createReporter } from '@trtscope/core/reporters';

const file = fileURLToPath(new URL('light_resnet50.jsonl', import.meta.url));
const recording = await openRecording(file);
const build = startBuild(replaySource(recording, { started: recording.started, speed: 10 }));

const reporter = createReporter('auto', build);
if (reporter !== undefined) await build.attach(reporter).closed;

const result = await build.result;
assert.equal(result.outcome, 'built');
assert.deepEqual(result.counts, { phases: 12, steps: 1883 });
assert.equal(build.tree.strays, 0);
console.log(`${result.counts.phases} phases of TensorRT, ${result.counts.steps} steps`);
