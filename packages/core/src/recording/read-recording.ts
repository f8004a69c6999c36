import { createReadStream } from 'node:fs';
import { EventDecoder, type DecoderOptions } from '../codec.ts';
import { isTrtscopeError, TrtscopeError } from '../errors.ts';
import type { BuildEvent, BuildStarted } from '../events.ts';

/** A recording that has been opened. It can be iterated over once. */
export interface Recording extends AsyncIterable<BuildEvent> {
  /** Its first event; absent in one that begins amid a build. */
  readonly started?: BuildStarted;
}

/**
 * Opens a recording and reads its beginning. Rejects with what {@link readRecording} throws.
 *
 * ```ts
 * import { replaySource, startBuild } from '@trtscope/core';
 * import { openRecording } from '@trtscope/core/recording';
 *
 * const recording = await openRecording('build.jsonl');
 * const build = startBuild(replaySource(recording, { started: recording.started, speed: 'max' }));
 * ```
 */
export async function openRecording(path: string, options?: DecoderOptions): Promise<Recording> {
  const events = readRecording(path, options);
  const first = await events.next();
  async function* all(): AsyncGenerator<BuildEvent, void> {
    if (first.done === true) return;
    yield first.value;
    yield* events;
  }
  const started = first.done !== true && first.value.type === 'build.started' ? first.value : undefined;
  return { ...(started !== undefined && { started }), [Symbol.asyncIterator]: all };
}

/**
 * Reads a recording, piece by piece. Throws {@link TrtscopeError}: `RECORDING_UNREADABLE` when the file cannot be read,
 * `EVENT_INVALID` or `EVENT_VERSION` for a faulty line, after the events before it.
 */
export async function* readRecording(
  path: string,
  options?: DecoderOptions,
): AsyncGenerator<BuildEvent, void> {
  const decoder = new EventDecoder(options);
  let empty = true;
  try {
    for await (const text of createReadStream(path, 'utf8')) {
      empty = false;
      yield* decoder.feed(text as string);
    }
    yield* decoder.end();
  } catch (error) {
    if (isTrtscopeError(error))
      throw new TrtscopeError(error.code, `${path}: ${error.message}`, { cause: error });
    throw unreadable(path, error instanceof Error ? error.message : String(error), error);
  }
  if (empty) throw unreadable(path, 'it is empty');
}

function unreadable(path: string, why: string, cause?: unknown): TrtscopeError {
  return new TrtscopeError('RECORDING_UNREADABLE', `The recording ${path} cannot be read: ${why}.`, {
    cause,
  });
}
