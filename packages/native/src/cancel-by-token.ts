import { checkCancelRequest } from '@trtscope/core';
import type { CancelRequest } from '@trtscope/core';
import { loadAddon } from './addon.ts';

/** As much of a sentence as reaches a builder process in one piece. */
const maxWords = 4096;

/**
 * Cancels a build of this process by its `cancelToken`, from any thread and without the one that began it: also while that one
 * is busy. Answers whether such a build runs. Throws a TypeError for a bad request, and a TrtscopeError with BUILDER_MISSING
 * when the native part has not been compiled.
 *
 * ```ts
 * import { workerData } from 'node:worker_threads';
 * import { cancelByToken } from '@trtscope/native';
 *
 * const { cancelToken } = workerData as { cancelToken: string };
 * const wasRunning = cancelByToken(cancelToken, 'the plan has changed');
 * ```
 */
export function cancelByToken(token: string, request: string | CancelRequest = {}): boolean {
  if (typeof token !== 'string') {
    throw new TypeError(`The token of a build must be a string, but is ${String(token)}.`);
  }
  const asked = typeof request === 'string' ? { message: request } : request;
  checkCancelRequest(asked);
  const { source = 'call', message = 'the caller cancelled the build', detail = '' } = asked;
  return loadAddon().cancelByToken(token, source, oneLine(message), oneLine(detail));
}

// Frames end a word by a NUL.
function oneLine(words: string): string {
  return words.slice(0, maxWords).replaceAll('\0', ' ');
}
