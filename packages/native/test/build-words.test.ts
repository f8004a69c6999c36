import { describe, expect, test } from 'vitest';
import type { EngineBuildOptions } from '../src/build-options.ts';
import { buildWords } from '../src/build-words.ts';
import { encodeFrame, maxFrameBytes } from '../src/frames.ts';

const needed = { model: 'm.onnx', output: 'm.engine' };
const frame = {
  build: 'b1',
  originNs: 12345678901234567n,
  model: '/a/m.onnx',
  output: '/a/m.engine',
  library: '/l/libtensorrt_rtx.so.1',
  parser: '/l/libtensorrt_onnxparser_rtx.so.1',
  limits: {},
};

function words(options: Omit<EngineBuildOptions, 'model' | 'output'>): string {
  return pairs(buildWords({ ...needed, ...options }, frame).slice(12)).join('\n');
}

function pairs(all: readonly string[]): string[] {
  return all.flatMap((word, at) => (at % 2 === 0 ? [`${word}=${all[at + 1]}`] : []));
}

describe('buildWords', () => {
  test('a build of nothing but a model is its id, origin and files', () => {
    expect(pairs(buildWords(needed, frame))).toEqual([
      'build=b1',
      'originNs=12345678901234567',
      'model=/a/m.onnx',
      'output=/a/m.engine',
      'library=/l/libtensorrt_rtx.so.1',
      'parser=/l/libtensorrt_onnxparser_rtx.so.1',
    ]);
  });

  test('an input that only some of the three shapes name gets the rest from them', () => {
    expect(words({ optShapes: { x: [4] } })).toBe('profile=\nminShapes=4 x\noptShapes=4 x\nmaxShapes=4 x');
    expect(words({ minShapes: { x: [1] }, maxShapes: { x: [9] } })).toBe(
      'profile=\nminShapes=1 x\noptShapes=9 x\nmaxShapes=9 x',
    );
    expect(words({ minShapes: { x: [1] }, shapes: { x: [3] } })).toBe(
      'profile=\nminShapes=1 x\noptShapes=3 x\nmaxShapes=3 x',
    );
  });

  test('several profiles are opened one by one', () => {
    const profiles = [{ shapes: { 'a b': [1, 2] } }, { shapes: { 'a b': [3, 4] } }];
    expect(words({ profiles })).toBe(
      'profile=\nminShapes=1x2 a b\noptShapes=1x2 a b\nmaxShapes=1x2 a b\n' +
        'profile=\nminShapes=3x4 a b\noptShapes=3x4 a b\nmaxShapes=3x4 a b',
    );
  });

  test('an input may be called like a property of every object', () => {
    const shapes = JSON.parse('{"__proto__":[1],"constructor":[2]}') as Record<string, number[]>;
    expect(words({ optShapes: shapes })).toContain('optShapes=1 __proto__');
    expect(words({ optShapes: shapes })).toContain('minShapes=2 constructor');
  });

  test('every other option is a word of its own', () => {
    const text = words({
      memPoolSize: { workspace: 1024, tacticSharedMem: 5 },
      builderOptimizationLevel: 0,
      computeCapabilities: ['8.6', '12.0'],
      stronglyTyped: true,
      device: 1,
      staticPlugins: ['libmine.so', '/p/other.so'],
      maxAuxStreams: 0,
      maxTactics: 7,
      hardwareCompatibilityLevel: 'ampere+',
      profilingVerbosity: 'detailed',
      flags: ['REFIT', 'FP16'],
      maxThreads: 2,
      logSeverity: 'verbose',
      monitor: false,
    });
    expect(text.split('\n')).toEqual([
      'memPoolSize=workspace 1024',
      'memPoolSize=tacticSharedMem 5',
      'builderOptimizationLevel=0',
      'computeCapability=86',
      'computeCapability=120',
      'stronglyTyped=1',
      'device=1',
      'staticPlugins=libmine.so',
      'staticPlugins=/p/other.so',
      'maxAuxStreams=0',
      'maxTactics=7',
      'hardwareCompatibilityLevel=ampere+',
      'profilingVerbosity=detailed',
      'flag=REFIT',
      'flag=FP16',
      'maxThreads=2',
      'logSeverity=4',
      'monitor=0',
    ]);
  });

  test('limits are in nanoseconds, a deadline in milliseconds since 1970', () => {
    const limits = {
      deadline: new Date('2030-01-01T00:00:00.250Z'),
      budget: {
        totalMs: 8_640_000_000,
        phaseMs: { 'Timing *': 1500, '*': 0.5 },
        stepMs: 1000,
        quietMs: 2000,
        warnAt: 0.25,
      },
    };
    expect(pairs(buildWords({ ...needed, graceMs: 0 }, { ...frame, limits })).slice(6)).toEqual([
      'graceNs=0',
      'deadlineMs=1893456000250',
      'budgetTotalNs=8640000000000000',
      'budgetPhaseNs=1500000000 Timing *',
      'budgetPhaseNs=500000 *',
      'budgetStepNs=1000000000',
      'budgetQuietNs=2000000000',
      'warnAt=0.25',
    ]);
  });
});

describe('encodeFrame', () => {
  test('a frame is its length and its words, each ended by a NUL', () => {
    expect(encodeFrame(['cancel', 'ü'])).toEqual(Buffer.from('\x0a\0\0\0cancel\0\u00fc\0'));
  });

  test('a frame that a builder would refuse is refused', () => {
    expect(() => encodeFrame(['x'.repeat(maxFrameBytes)])).toThrow(RangeError);
  });
});
