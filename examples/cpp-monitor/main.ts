// Compiles a C++ program that tells trtscope of its build with trtscope.h, and watches it, with the hook and without.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import type { BuildResult } from '@trtscope/core';
import { cacheFolder, hookPath, searchTensorrt, startCommand, watchPrograms } from '@trtscope/native';

const folder = await mkdtemp(join(tmpdir(), 'cpp-monitor-'));
const native = join(import.meta.dirname, '../../packages/native');
const libraries = dirname(hookPath());
const program = join(folder, 'build');
const sources = [join(import.meta.dirname, 'build.cc'), ...globSync(join(native, 'cpp/abi/*.cc'))];
const folders = ['-I', join(native, 'include'), '-I', join(native, 'cpp'), '-L', libraries];
const links = ['-ltrtscope_monitor', `-Wl,-rpath,${libraries}`, '-ldl'];
execFileSync('c++', ['-std=c++20', '-O1', '-o', program, ...folders, ...sources, ...links]);

const { found } = searchTensorrt();
const tensorrt = found.find(({ edition }) => edition === 'tensorrt_rtx');
assert.ok(tensorrt !== undefined, 'npm run demo installs a TensorRT for RTX');
const engine = join(folder, 'light_resnet50.engine');
const model = join(cacheFolder(), 'models', 'light_resnet50.onnx');
const command = [program, tensorrt.library, tensorrt.parser, model, engine];

// The hook leaves the build to the program's own monitor.
const { exitCode, builds } = await (await startCommand(command)).result;
console.log(`run: exit code ${exitCode}, ${builds.map(tell).join('; ')}`);
assert.equal(exitCode, 0);
assert.equal(builds.length, 1, 'the build is told once');
assert.deepEqual([builds[0]?.outcome, builds[0]?.counts], ['built', { phases: 12, steps: 1883 }]);
assert.ok(statSync(engine).size > 1e6);

// Without the hook, as with a TensorRT that is linked statically.
const watched: Promise<BuildResult>[] = [];
const watch = await watchPrograms(join(folder, 'socket'), { onBuild: (build) => watched.push(build.result) });
const child = spawn(program, [...command.slice(1), 'cancel'], {
  stdio: 'inherit',
  env: { ...process.env, TRTSCOPE_SOCKET: watch.path },
});
assert.deepEqual(await once(child, 'exit'), [1, null]);
const [result] = await Promise.all(watched);
await watch.close();
await rm(folder, { recursive: true });
assert.ok(result !== undefined);
console.log(`watch: ${tell(result)}`);
assert.equal(result.outcome, 'cancelled');
assert.equal(result.cancel.source, 'program');
assert.equal(result.cancel.message, 'there is no time for it');

function tell({ outcome, tensorrt: version, counts, cancel }: BuildResult): string {
  const why = cancel === undefined ? '' : ` (${cancel.message})`;
  return `TensorRT for RTX ${version?.version}: ${outcome}${why}, ${counts.phases} phases, ${counts.steps} steps`;
}
