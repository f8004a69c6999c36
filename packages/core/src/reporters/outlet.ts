import type { ReporterStream } from './terminal.ts';

/** Writes to a stream whose reader may leave at any moment (`| head`, a closed terminal): from then on it writes nothing. */
export class Outlet {
  readonly #stream: ReporterStream;
  #broken = false;
  #full = false;

  constructor(stream: ReporterStream) {
    this.#stream = stream;
    stream.on('error', this.#break);
    stream.on('close', this.#break);
  }

  get broken(): boolean {
    return this.#broken;
  }

  write(text: string): void {
    if (!this.#broken) {
      this.#full = !this.#stream.write(text);
    }
  }

  /** Resolves when the stream takes more, or never will. */
  async ready(): Promise<void> {
    if (this.#full && !this.#broken) {
      await this.#until(() => undefined);
      this.#full = false;
    }
  }

  /** Resolves when all that was written has left, or never will. The stream is left open. */
  async close(): Promise<void> {
    if (!this.#broken) {
      await this.#until((done) => this.#stream.write('', done));
    }
    // An error of the last write is told a moment after the write's end.
    await new Promise((resolve) => void setImmediate(resolve));
    this.#stream.off('error', this.#break);
    this.#stream.off('close', this.#break);
  }

  async #until(begin: (done: () => void) => void): Promise<void> {
    const events = ['drain', 'error', 'close'] as const;
    await new Promise<void>((resolve) => {
      const done = () => {
        for (const event of events) {
          this.#stream.off(event, done);
        }
        resolve();
      };
      for (const event of events) {
        this.#stream.on(event, done);
      }
      begin(done);
    });
  }

  readonly #break = (): void => {
    this.#broken = true;
  };
}
