import type { Build, Consumer } from '../build.ts';
import { isTrtscopeError, TrtscopeError } from '../errors.ts';
import type { BuildEvent } from '../events.ts';
import { RecordingFile } from './recording-file.ts';

/** What became of a recording. */
export type RecordingOutcome =
  | { readonly written: true; readonly path: string; readonly bytes: number }
  | { readonly written: false; readonly path: string; readonly error: TrtscopeError };

/** A consumer that writes what it takes to a file. */
export interface RecordingConsumer extends Consumer {
  /** Never rejects. Pending as long as the consumer is not closed. */
  readonly outcome: Promise<RecordingOutcome>;
}

/**
 * Writes a build's events as JSON lines to a temporary beside `path`, and renames that when the build has ended: until
 * then `path` is as it was. A failed write ends the recording, never the build.
 */
export function recordingConsumer(path: string): RecordingConsumer {
  if (typeof path !== 'string' || path === '')
    throw new TypeError('A recording needs the path of a file, but got none.');
  return new Recorder(path);
}

/** Records a build to a file; the promise says what became of it, and never rejects. */
export function recordTo(build: Build, path: string): Promise<RecordingOutcome> {
  const recorder = recordingConsumer(path);
  build.attach(recorder);
  return recorder.outcome;
}

class Recorder implements RecordingConsumer {
  readonly name = 'recording';
  readonly outcome: Promise<RecordingOutcome>;
  readonly #path: string;
  readonly #file: RecordingFile;
  #settle: (outcome: RecordingOutcome) => void = () => undefined;
  #finished = false;
  #fault: unknown;

  constructor(path: string) {
    this.#path = path;
    this.#file = new RecordingFile(path);
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async receive(events: readonly BuildEvent[]): Promise<void> {
    try {
      await this.#file.write(events);
    } catch (error) {
      this.#fault = error;
      throw error;
    }
    this.#finished = events.at(-1)?.type === 'build.finished';
  }

  async close(): Promise<void> {
    const path = this.#path;
    try {
      if (this.#fault !== undefined) throw this.#fault;
      if (!this.#finished)
        throw new TrtscopeError(
          'CONSUMER_DETACHED',
          `The recording ${path} was given up before the build ended.`,
        );
      this.#settle({ written: true, path, bytes: await this.#file.keep() });
    } catch (error) {
      await this.#file.discard();
      this.#settle({ written: false, path, error: asOurs(error) });
    }
  }
}

function asOurs(error: unknown): TrtscopeError {
  if (isTrtscopeError(error)) return error;
  return new TrtscopeError('WRITE_FAILED', String(error), { cause: error });
}
