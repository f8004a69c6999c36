import { describe, expect, test } from 'vitest';
import { validateOptions } from '../src/validate-options.ts';

const needed = { model: 'm.onnx', output: 'm.engine' };

function check(options: object): void {
  validateOptions({ ...needed, ...options });
}

describe('validateOptions', () => {
  test('every option may be given', () => {
    check({
      optShapes: { 'x:0': [1, 3, 8, 8] },
      memPoolSize: { workspace: 2 ** 32 },
      timingCacheFile: 't.cache',
      builderOptimizationLevel: 0,
      computeCapabilities: ['8.6', '12.0'],
      stronglyTyped: true,
      device: 0,
      staticPlugins: ['./p.so'],
      maxAuxStreams: 0,
      maxTactics: 1,
      hardwareCompatibilityLevel: 'ampere+',
      profilingVerbosity: 'detailed',
      flags: ['kREFIT', 'strip-plan'],
      maxThreads: 4,
      tensorrt: '/opt/tensorrt',
      logSeverity: 'verbose',
      isolation: 'thread',
      graceMs: 0,
      monitor: false,
    });
  });

  test('an option that is undefined counts as absent', () => {
    check({ device: undefined, minShapes: undefined });
  });

  test.each([
    [{ model: undefined }, 'model: expected a string, got undefined.'],
    [{ model: 7 }, 'model: expected a string, got 7.'],
    [{ device: '0' }, 'device: expected a whole number of 0 or more, got "0".'],
    [{ stronglyTyped: 1 }, 'stronglyTyped: expected true or false, got 1.'],
    [{ flags: 'FP16' }, 'flags: expected an array, got "FP16".'],
    [{ memPoolSize: 1024 }, 'memPoolSize: expected an object of bytes by pool, got 1024.'],
    [{ minShape: {} }, 'minShape: there is no such option; expected one of model, output, minShapes,'],
    [{ minShapes: [1, 2] }, 'minShapes: expected an object of dimensions by input name, got [1,2].'],
    [{ minShapes: { x: '1x3' } }, 'minShapes: expected 1 to 8 dimensions for input "x", got "1x3".'],
    [{ profiles: {} }, 'profiles: expected an array of profiles, got object.'],
  ])('%j is a TypeError', (options, message) => {
    expect(() => check(options)).toThrow(TypeError);
    expect(() => check(options)).toThrow(message);
  });

  test.each([
    [{ output: '' }, 'output: expected a string that is not empty'],
    [
      { model: 'a\0b' },
      'model: expected a string that is not empty and has no NUL character, got "a\\u0000b".',
    ],
    [
      { builderOptimizationLevel: 6 },
      'builderOptimizationLevel: expected a whole number from 0 to 5, got 6.',
    ],
    [{ maxTactics: 0 }, 'maxTactics: expected a whole number of 1 or more, got 0.'],
    [{ maxThreads: 1.5 }, 'maxThreads: expected a whole number of 1 or more, got 1.5.'],
    [{ device: 2 ** 40 }, 'device: expected a whole number of 0 or more, got 1099511627776.'],
    [{ isolation: 'vm' }, 'isolation: expected one of process, thread, got "vm".'],
    [
      { computeCapabilities: ['86'] },
      'computeCapabilities[0]: expected a compute capability such as "8.6", got "86".',
    ],
    [{ flags: ['FP16', 'a b'] }, 'flags[1]: expected the name of a builder flag such as "FP16", got "a b".'],
    [{ memPoolSize: { scratch: 1 } }, "memPoolSize's pool: expected one of workspace,"],
    [{ memPoolSize: { workspace: -1 } }, 'memPoolSize.workspace: expected a whole number of bytes, got -1.'],
    [{ minShapes: { x: [0] } }, 'minShapes: expected dimensions of 1 or more for input "x", got 0.'],
    [{ optShapes: { x: [1, -1] } }, 'optShapes: expected dimensions of 1 or more for input "x", got 1x-1.'],
    [{ minShapes: {} }, 'shapes: expected the shape of at least one input, got none.'],
    [{ profiles: [], minShapes: { x: [1] } }, 'minShapes: expected in "profiles" only'],
    [
      { minShapes: { x: [2, 3] }, maxShapes: { x: [1, 3] } },
      'minShapes: expected at most maxShapes 1x3 for input "x", got 2x3.',
    ],
    [
      { profiles: [{ shapes: { x: [1] } }, { optShapes: { x: [4] }, maxShapes: { x: [3] } }] },
      'profiles[1].optShapes: expected at most maxShapes 3 for input "x", got 4.',
    ],
    [
      { minShapes: { x: [1] }, optShapes: { x: [1, 1] } },
      'minShapes: expected as many dimensions as optShapes 1x1 for input "x", got 1.',
    ],
  ])('%j is a RangeError', (options, message) => {
    expect(() => check(options)).toThrow(RangeError);
    expect(() => check(options)).toThrow(message);
  });
});
