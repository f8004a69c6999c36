import type { BuildResult, CancelRequest } from '../../src/index.ts';

/** What a trigger needs of a build, and what it did to it. */
export class WatchedBuild {
  readonly requests: CancelRequest[] = [];
  readonly result: Promise<BuildResult>;
  readonly #end: () => void;
  #asked = Promise.withResolvers<void>();

  constructor() {
    const { promise, resolve } = Promise.withResolvers<BuildResult>();
    this.result = promise;
    this.#end = () => resolve({} as BuildResult);
  }

  cancel(request: string | CancelRequest = {}): void {
    this.requests.push(typeof request === 'string' ? { message: request } : request);
    this.#asked.resolve();
  }

  /** Resolves at the first request. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** Ends, and lets triggers know. */
  async end(): Promise<void> {
    this.#end();
    await this.result;
  }
}
