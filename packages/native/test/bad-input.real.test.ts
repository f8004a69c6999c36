import { mkdirSync, readFileSync, readdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FailureFacts } from '@trtscope/core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EngineBuildOptions } from '../src/build-options.ts';
import { startEngineBuild } from '../src/engine-build.ts';
import { findTensorrt } from '../src/discovery.ts';
import { inspectMachine } from '../src/doctor.ts';
import { demoModel } from './source-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { tinyOnnx } from './tiny-onnx.ts';
import type { TinyGraph } from './tiny-onnx.ts';

const dynamic: TinyGraph = {
  inputs: { 'image:0': ['batch', 3, 8, 8] },
  nodes: [{ operator: 'Relu', inputs: ['image:0'], output: 'y' }],
  outputs: ['y'],
};

let folder: string;
let model: string;

// Fails as it must, in one sentence, and leaves nothing beside the model.
async function failure(options: Partial<EngineBuildOptions> = {}): Promise<FailureFacts> {
  const before = readdirSync(folder);
  const result = await startEngineBuild({ model, output: join(folder, 'm.engine'), ...options }).result;
  expect(readdirSync(folder)).toEqual(before);
  if (result.outcome !== 'failed') throw new Error(`it was ${result.outcome}`);
  expect(result.error.message).toMatch(/^[^\n]{20,600}[.?]$/);
  return result.error;
}

describe('bad input fails with one clear sentence and leaves no file', () => {
  beforeEach(() => {
    folder = temporaryFolder();
    model = join(folder, 'm.onnx');
    writeFileSync(model, tinyOnnx(dynamic));
  });

  test('an empty file', async () => {
    writeFileSync(model, '');
    expect(await failure()).toMatchObject({ code: 'MODEL_INVALID', message: expect.stringContaining(model) });
  });

  test('a text file', async () => {
    writeFileSync(model, 'This is not a model.\n');
    expect(['MODEL_INVALID', 'PARSE_FAILED']).toContain((await failure()).code);
  });

  test('a model that is cut off', async () => {
    writeFileSync(model, readFileSync(demoModel).subarray(0, 20_000));
    expect(await failure()).toMatchObject({ code: 'PARSE_FAILED', phasePath: ['parse'] });
  });

  test('random bytes', async () => {
    writeFileSync(model, Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 251)));
    expect(['MODEL_INVALID', 'PARSE_FAILED']).toContain((await failure()).code);
  });

  test('external weights that are not there, by the name of their file', async () => {
    const weights = { w: { dims: [1, 3, 8, 8], externalFile: 'weights.bin' } };
    const nodes = [{ operator: 'Add', inputs: ['x', 'w'], output: 'y' }];
    writeFileSync(model, tinyOnnx({ inputs: { x: [1, 3, 8, 8] }, nodes, outputs: ['y'], weights }));
    const error = await failure();
    expect(['MODEL_MISSING', 'PARSE_FAILED']).toContain(error.code);
    expect(error.message).toContain('weights.bin');
  });

  test('an operator that nobody knows, by its name', async () => {
    const nodes = [{ operator: 'Frobnicate', inputs: ['x'], output: 'y' }];
    writeFileSync(model, tinyOnnx({ inputs: { x: [1, 3] }, nodes, outputs: ['y'] }));
    expect(await failure()).toMatchObject({
      code: 'PARSE_FAILED',
      message: expect.stringContaining('Frobnicate'),
    });
  });

  test('shapes for an input that the model does not have, with the inputs that it has', async () => {
    const error = await failure({ optShapes: { frame: [1, 3, 8, 8] } });
    expect(error).toMatchObject({ code: 'SHAPES_INVALID', message: expect.stringContaining('image:0') });
  });

  test('shapes of another rank, or that change what is fixed', async () => {
    expect(await failure({ optShapes: { 'image:0': [1, 3] } })).toMatchObject({ code: 'SHAPES_INVALID' });
    expect(await failure({ optShapes: { 'image:0': [1, 4, 8, 8] } })).toMatchObject({
      code: 'SHAPES_INVALID',
    });
  });

  test('a dynamic input without shapes, by its name', async () => {
    expect(await failure()).toMatchObject({
      code: 'SHAPES_INVALID',
      message: expect.stringContaining('image:0'),
    });
  });

  test('options that this TensorRT does not have, with those that it has', async () => {
    const shapes = { 'image:0': [1, 3, 8, 8] };
    expect(await failure({ shapes, flags: ['FROBNICATE'] })).toMatchObject({
      code: 'OPTION_UNSUPPORTED',
      message: expect.stringMatching(/FROBNICATE.*refit/i),
    });
    expect(await failure({ shapes, computeCapabilities: ['1.2'] })).toMatchObject({
      code: 'OPTION_UNSUPPORTED',
    });
  });

  test.skipIf(inspectMachine().gpus.length > 0)('a device on a machine that has none', async () => {
    expect(await failure({ device: 0 })).toMatchObject({ code: 'DEVICE_UNAVAILABLE' });
  });

  test('a plugin library that cannot be loaded, by its path', async () => {
    const staticPlugins = [join(folder, 'plugin.so')];
    expect(await failure({ staticPlugins })).toMatchObject({
      code: 'PLUGIN_UNLOADABLE',
      message: expect.stringContaining('plugin.so'),
    });
  });

  test('a library that is no TensorRT, whatever it is called', async () => {
    const tensorrt = join(folder, 'lib');
    mkdirSync(tensorrt);
    const { library, parser } = findTensorrt();
    symlinkSync(parser, join(tensorrt, 'libtensorrt_rtx.so.1'));
    symlinkSync(library, join(tensorrt, 'libtensorrt_onnxparser_rtx.so.1'));
    const { code } = await failure({ tensorrt });
    expect(['TENSORRT_UNLOADABLE', 'TENSORRT_UNSUPPORTED']).toContain(code);
  });

  test('no TensorRT at all', async () => {
    expect(await failure({ tensorrt: folder })).toMatchObject({ code: 'TENSORRT_MISSING' });
  });

  test('an output folder that is gone by the time the engine is written', async () => {
    const gone = join(folder, 'gone');
    mkdirSync(gone);
    const build = startEngineBuild({
      model,
      output: join(gone, 'm.engine'),
      shapes: { 'image:0': [1, 3, 8, 8] },
    });
    rmdirSync(gone);
    expect(await build.result).toMatchObject({ outcome: 'failed', error: { code: 'WRITE_FAILED' } });
  });
});

describe('good input', () => {
  test('a timing cache is made by one build and taken by the next, which leave nothing else', async () => {
    const place = temporaryFolder();
    const files = { model: join(place, 'm.onnx'), output: join(place, 'm.engine') };
    writeFileSync(files.model, tinyOnnx(dynamic));
    const options = {
      ...files,
      shapes: { 'image:0': [1, 3, 8, 8] },
      timingCacheFile: join(place, 't.cache'),
    };
    for (let round = 0; round < 2; round++) {
      expect(await startEngineBuild(options).result).toMatchObject({ outcome: 'built' });
      expect(readdirSync(place).toSorted()).toEqual(['m.engine', 'm.onnx', 't.cache']);
    }
  });

  test('a colon in the name of a dynamic input builds, several profiles too', async () => {
    const place = temporaryFolder();
    const path = join(place, 'm.onnx');
    writeFileSync(path, tinyOnnx(dynamic));
    const profiles = [
      { minShapes: { 'image:0': [1, 3, 8, 8] }, optShapes: { 'image:0': [2, 3, 8, 8] } },
      { shapes: { 'image:0': [4, 3, 8, 8] } },
    ];
    const result = await startEngineBuild({ model: path, output: join(place, 'm.engine'), profiles }).result;
    expect(result).toMatchObject({ outcome: 'built' });
  });
});
