import { createReadStream } from 'node:fs';
import { EventDecoder, type DecoderOptions } from '../codec.ts';
import { isTrtscopeError, TrtscopeError } from '../errors.ts';
import type { BuildEvent } from '../events.ts';

/**
 * Reads a recording, piece by piece. Throws {@link TrtscopeError}: `RECORDING_UNREADABLE` when the file cannot be read,
 * `EVENT_INVALID` or `EVENT_VERSION` for a faulty line, after the events before it.
 *
 * ```ts
 * const build = startBuild(replaySource(readRecording('build.jsonl'), { speed: 'max' }));
 * const result = await build.result;
 * ```
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
  } catch (error) {
    if (isTrtscopeError(error)) throw error;
    throw unreadable(path, error instanceof Error ? error.message : String(error), error);
  }
  if (empty) throw unreadable(path, 'it is empty');
  yield* decoder.end();
}

function unreadable(path: string, why: string, cause?: unknown): TrtscopeError {
  return new TrtscopeError('RECORDING_UNREADABLE', `The recording ${path} cannot be read: ${why}.`, {
    cause,
  });
}
