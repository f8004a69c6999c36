import { randomUUID } from 'node:crypto';
import type { BuildSource, SourceContext, SourceRun } from '@trtscope/core';
import { loadAddon } from './addon.ts';
import type { AddonBuild } from './addon.ts';
import type { EngineBuildOptions } from './build-options.ts';
import { buildWords } from './build-words.ts';
import type { BuildFiles } from './check-files.ts';
import { findTensorrt } from './discovery.ts';
import { endBuild } from './end-build.ts';
import { monotonicOrigin } from './monotonic-origin.ts';
import { NativeEvents } from './native-events.ts';

/**
 * Builds on a thread of this process. The options must have been checked. A cancel waits for TensorRT's next step, without
 * a bound, and a crash of TensorRT is a crash of this process.
 */
export function threadSource(options: EngineBuildOptions, files: BuildFiles): BuildSource {
  const { model, output } = options;
  return {
    kind: 'thread',
    subject: { model, output },
    watchesLimits: true,
    start: (context) => new ThreadRun(options, files, context),
  };
}

class ThreadRun implements SourceRun {
  readonly ended: Promise<void>;
  readonly cancelToken: string = randomUUID();
  readonly #context: SourceContext;
  readonly #native: NativeEvents;
  readonly #build: AddonBuild;
  #fault: unknown;

  constructor(options: EngineBuildOptions, files: BuildFiles, context: SourceContext) {
    const addon = loadAddon();
    const tensorrt = findTensorrt(options);
    const words = buildWords(options, {
      ...files,
      ...tensorrt,
      build: context.build,
      limits: context.limits,
      originNs: monotonicOrigin(context),
    });
    this.#context = context;
    this.#native = new NativeEvents(context);
    const { model, output } = options;
    const { startedAt } = context;
    context.emit([{ type: 'build.started', timeNs: 0, model, output, pid: process.pid, startedAt }]);
    const { promise: joined, resolve: onEnd } = Promise.withResolvers<void>();
    this.#build = addon.startBuild(
      this.cancelToken,
      words,
      (lines) => {
        this.#hear(lines);
      },
      onEnd,
    );
    this.ended = this.#end(joined);
  }

  cancel(): void {
    this.#build.cancel();
  }

  #hear(lines: string): void {
    if (this.#fault !== undefined) return;
    try {
      this.#native.feed(lines);
    } catch (error) {
      this.#fault = error;
      this.#build.cancel();
    }
  }

  async #end(joined: Promise<void>): Promise<void> {
    const last = await Promise.race([this.#native.last, joined.then(() => this.#native.finished)]);
    if (last !== undefined) await endBuild(this.#context, this.#native, last, new AbortController().signal);
    await joined;
    // The build handle turns this into a failed build.
    if (this.#fault !== undefined) throw this.#fault;
  }
}
