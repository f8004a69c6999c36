import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EventEncoder } from '../codec.ts';
import { TrtscopeError } from '../errors.ts';
import type { BuildEvent } from '../events.ts';
import { sweepTemporaries, temporaryFor } from './temporaries.ts';

/** A recording on its way to disk: written beside its target, which is touched only by {@link RecordingFile.keep}. */
export class RecordingFile {
  readonly #path: string;
  readonly #target: string;
  readonly #temporary: string;
  readonly #encoder = new EventEncoder();
  #file: FileHandle | undefined;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#target = resolve(path);
    this.#temporary = temporaryFor(this.#target);
  }

  async write(events: readonly BuildEvent[]): Promise<void> {
    const text = Buffer.from(events.map((event) => this.#encoder.encode(event)).join(''));
    await this.#doing(async () => {
      this.#file ??= await this.#open();
      for (let at = 0; at < text.length;) at += (await this.#file.write(text, at)).bytesWritten;
    });
    this.#bytes += text.length;
  }

  /** Puts the recording in its place, whole; answers its size. */
  async keep(): Promise<number> {
    await this.#doing(async () => {
      await this.#file?.sync();
      await this.#file?.close();
      this.#file = undefined;
      await rename(this.#temporary, this.#target);
    });
    return this.#bytes;
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.#file?.close().catch(() => undefined);
    this.#file = undefined;
    await rm(this.#temporary, { force: true }).catch(() => undefined);
  }

  #open(): Promise<FileHandle> {
    sweepTemporaries(this.#target);
    return open(this.#temporary, 'wx');
  }

  async #doing(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw new TrtscopeError(
        'WRITE_FAILED',
        `The recording ${this.#path} cannot be written: ${reasonOf(error)}.`,
        {
          cause: error,
        },
      );
    }
  }
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'its directory is not writable; choose another',
  EDQUOT: 'the disk quota is used up; free some space or record elsewhere',
  EISDIR: 'it is a directory; name a file',
  ENOENT: 'its directory does not exist; create it first',
  ENOSPC: 'the disk is full; free some space or record elsewhere',
  EPERM: 'its directory is not writable; choose another',
  EROFS: 'its file system is read-only; record elsewhere',
};

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return remedies[code] ?? message;
}
