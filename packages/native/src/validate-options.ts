import type { LogSeverity } from '@trtscope/core';
import type { EngineBuildOptions } from './build-options.ts';
import { profilesOf } from './profiles.ts';

/** In the order of TensorRT's numbers, so that the index is what TensorRT calls it. */
export const logSeverities: readonly LogSeverity[] = [
  'internal_error',
  'error',
  'warning',
  'info',
  'verbose',
];

const maxInt = 2 ** 31 - 1;
const pools = ['workspace', 'dlaSRAM', 'dlaLocalDRAM', 'dlaGlobalDRAM', 'tacticDRAM', 'tacticSharedMem'];

type Check = (value: unknown, option: string) => void;

const checks: { readonly [Option in keyof Required<EngineBuildOptions>]: Check } = {
  model: text,
  output: text,
  // profilesOf() checks these five together.
  minShapes: () => undefined,
  optShapes: () => undefined,
  maxShapes: () => undefined,
  shapes: () => undefined,
  profiles: () => undefined,
  memPoolSize: poolSizes,
  timingCacheFile: text,
  builderOptimizationLevel: integer(0, 5),
  computeCapabilities: each(matching(/^\d{1,2}\.\d$/, 'a compute capability such as "8.6"')),
  stronglyTyped: boolean,
  device: integer(0, maxInt),
  staticPlugins: each(text),
  maxAuxStreams: integer(0, maxInt),
  maxTactics: integer(1, maxInt),
  hardwareCompatibilityLevel: oneOf(['none', 'ampere+', 'sameComputeCapability']),
  profilingVerbosity: oneOf(['layer_names_only', 'none', 'detailed']),
  flags: each(matching(/^[\w-]+$/, 'the name of a builder flag such as "FP16"')),
  maxThreads: integer(1, maxInt),
  tensorrt: text,
  logSeverity: oneOf(logSeverities),
  isolation: oneOf(['process', 'thread']),
  graceMs: integer(0, maxInt),
  monitor: boolean,
};

/** Checks all that can be checked without TensorRT and without the disk. Throws a TypeError or RangeError that names the option. */
export function validateOptions(options: EngineBuildOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`options: expected an object with model and output, got ${String(options)}.`);
  }
  for (const option of ['model', 'output'] as const) {
    text(options[option], option);
  }
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, option)) {
      throw new TypeError(
        `${option}: there is no such option; expected one of ${Object.keys(checks).join(', ')}.`,
      );
    }
    if (value !== undefined) {
      checks[option as keyof EngineBuildOptions](value, option);
    }
  }
  profilesOf(options);
}

function text(value: unknown, option: string): void {
  if (typeof value !== 'string') {
    throw new TypeError(`${option}: expected a string, got ${show(value)}.`);
  }
  if (value === '' || value.includes('\0')) {
    throw new RangeError(
      `${option}: expected a string that is not empty and has no NUL character, got ${show(value)}.`,
    );
  }
}

function boolean(value: unknown, option: string): void {
  if (typeof value !== 'boolean') {
    throw new TypeError(`${option}: expected true or false, got ${show(value)}.`);
  }
}

function integer(min: number, max: number): Check {
  const range = max === maxInt ? `of ${min} or more` : `from ${min} to ${max}`;
  return (value, option) => {
    if (typeof value !== 'number') {
      throw new TypeError(`${option}: expected a whole number ${range}, got ${show(value)}.`);
    }
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new RangeError(`${option}: expected a whole number ${range}, got ${value}.`);
    }
  };
}

function oneOf(names: readonly string[]): Check {
  return (value, option) => {
    if (!names.includes(value as string)) {
      throw new RangeError(`${option}: expected one of ${names.join(', ')}, got ${show(value)}.`);
    }
  };
}

function matching(pattern: RegExp, expected: string): Check {
  return (value, option) => {
    if (typeof value !== 'string' || !pattern.test(value)) {
      throw new RangeError(`${option}: expected ${expected}, got ${show(value)}.`);
    }
  };
}

function each(check: Check): Check {
  return (values, option) => {
    if (!Array.isArray(values)) {
      throw new TypeError(`${option}: expected an array, got ${show(values)}.`);
    }
    values.forEach((value, at) => {
      check(value, `${option}[${at}]`);
    });
  };
}

function poolSizes(value: unknown, option: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${option}: expected an object of bytes by pool, got ${show(value)}.`);
  }
  for (const [pool, bytes] of Object.entries(value) as [string, unknown][]) {
    oneOf(pools)(pool, `${option}'s pool`);
    if (bytes !== undefined && (!Number.isSafeInteger(bytes) || (bytes as number) < 0)) {
      throw new RangeError(`${option}.${pool}: expected a whole number of bytes, got ${show(bytes)}.`);
    }
  }
}

function show(value: unknown): string {
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
}
