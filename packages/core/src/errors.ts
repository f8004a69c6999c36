import type { BuildResult, CancelledResult, FailedResult } from './result.ts';

/** Every code, each with a row in docs/errors.md. */
export const errorCodes = [
  'BUILD_CANCELLED',
  'BUILD_FAILED',
  'BUILDER_CRASHED',
  'BUILDER_MISSING',
  'CONSUMER_DETACHED',
  'DEVICE_UNAVAILABLE',
  'EVENT_INVALID',
  'EVENT_VERSION',
  'MODEL_INVALID',
  'MODEL_MISSING',
  'OPTION_UNSUPPORTED',
  'OUTPUT_UNWRITABLE',
  'PARSE_FAILED',
  'PLUGIN_UNLOADABLE',
  'RECORDING_UNREADABLE',
  'SHAPES_INVALID',
  'SOURCE_FAILED',
  'TARGET_BUSY',
  'TELEMETRY_UNAVAILABLE',
  'TENSORRT_MISSING',
  'TENSORRT_UNLOADABLE',
  'TENSORRT_UNSUPPORTED',
  'WRITE_FAILED',
] as const;

/** Every code that a {@link TrtscopeError} or a failed result can carry. */
export type ErrorCode = (typeof errorCodes)[number];

const brand = Symbol.for('trtscope.error');

/** A fault or an outcome with a code to branch on. */
export class TrtscopeError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** What the one-call form throws when the build was cancelled. */
export class BuildCancelledError extends TrtscopeError {
  readonly result: CancelledResult;

  constructor(result: CancelledResult) {
    super('BUILD_CANCELLED', result.cancel.message);
    this.result = result;
  }
}

/** What the one-call form throws when the build failed. `cause` is absent: `result.error` has TensorRT's own words. */
export class BuildFailedError extends TrtscopeError {
  readonly result: FailedResult;

  constructor(result: FailedResult) {
    super('BUILD_FAILED', result.error.message);
    this.result = result;
  }
}

/** True for our errors, also from another realm or another copy of this package. */
export function isTrtscopeError(value: unknown): value is TrtscopeError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

/** The result of a build that ended in an engine; throws {@link BuildCancelledError} or {@link BuildFailedError} otherwise. */
export function builtOrThrow(result: BuildResult): Extract<BuildResult, { outcome: 'built' }> {
  switch (result.outcome) {
    case 'built':
      return result;
    case 'cancelled':
      throw new BuildCancelledError(result);
    case 'failed':
      throw new BuildFailedError(result);
  }
}
