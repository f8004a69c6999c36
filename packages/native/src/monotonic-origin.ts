import type { SourceContext } from '@trtscope/core';

/** CLOCK_MONOTONIC at the build's beginning: what native code counts from. */
export function monotonicOrigin(context: SourceContext): bigint {
  return process.hrtime.bigint() - BigInt(Math.round(context.elapsedNs()));
}
