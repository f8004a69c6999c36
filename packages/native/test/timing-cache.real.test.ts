import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEngineBuild } from '../src/engine-build.ts';
import { logOf, record } from './recorded-build.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { tinyOnnx } from './tiny-onnx.ts';

test('a timing cache that TensorRT does not take stays as it is when the build has learnt nothing', async () => {
  const folder = temporaryFolder();
  const inFolder = (name: string) => join(folder, name);
  const graph = {
    inputs: { x: [1, 8] },
    nodes: [{ operator: 'Relu', inputs: ['x'], output: 'y' }],
    outputs: ['y'],
  };
  writeFileSync(inFolder('m.onnx'), tinyOnnx(graph));
  writeFileSync(inFolder('t.cache'), 'the cache of another machine');
  const build = startEngineBuild({
    model: inFolder('m.onnx'),
    output: inFolder('m.engine'),
    timingCacheFile: inFolder('t.cache'),
    computeCapabilities: ['8.6'],
  });
  const { events } = await record(build);
  expect(events.at(-1)).toMatchObject({ outcome: 'built', cleanup: { timingCacheSaved: false } });
  expect(logOf(events, 'trtscope').join()).toContain('t.cache: TensorRT does not take it (');
  expect(readFileSync(inFolder('t.cache'), 'utf8')).toBe('the cache of another machine');
  expect(readdirSync(folder).toSorted()).toEqual(['m.engine', 'm.onnx', 't.cache']);
});
