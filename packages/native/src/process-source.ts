import { statSync } from 'node:fs';
import { isTrtscopeError } from '@trtscope/core';
import type {
  BuildSource,
  CancelReason,
  CleanupFacts,
  EngineFacts,
  FailureFacts,
  SourceContext,
  SourceRun,
} from '@trtscope/core';
import type { EngineBuildOptions } from './build-options.ts';
import { buildWords } from './build-words.ts';
import { crashFacts, wasStopped } from './builder-crash.ts';
import { BuilderProcess } from './builder-process.ts';
import type { BuilderExit } from './builder-process.ts';
import { openCancelLink } from './cancel-link.ts';
import { CancelLadder } from './cancel-ladder.ts';
import type { Rung } from './cancel-ladder.ts';
import type { BuildFiles } from './check-files.ts';
import { endBuild } from './end-build.ts';
import { findTensorrt } from './discovery.ts';
import { outOfMemoryKills } from './kernel-facts.ts';
import { monotonicOrigin } from './monotonic-origin.ts';
import { NativeEvents } from './native-events.ts';
import { builderPath, requireCompiled } from './native-parts.ts';
import { identityOf, temporariesOf } from './temporaries.ts';

/** Default of {@link EngineBuildOptions.graceMs}. */
const defaultGraceMs = 10_000;
// A signal to a whole group of processes, such as Ctrl-C at a terminal, may have ended a builder that we know to be gone
// before we know of the signal.
const sameSignalMs = 100;
// TensorRT's objects take some time to go after the build has ended.
const leaveMs = 10_000;

/** Builds in a process of its own. The options must have been checked. */
export function processSource(options: EngineBuildOptions, files: BuildFiles): BuildSource {
  const { model, output } = options;
  return {
    kind: 'process',
    subject: { model, output },
    watchesLimits: true,
    start: (context) => new ProcessRun(options, files, context),
  };
}

class ProcessRun implements SourceRun {
  readonly ended: Promise<void>;
  readonly cancelToken?: string;
  readonly #context: SourceContext;
  readonly #files: BuildFiles;
  readonly #native: NativeEvents;
  readonly #path: string;
  readonly #builder: BuilderProcess;
  readonly #graceMs: number;
  readonly #ladder: CancelLadder;
  readonly #giveUpHash = new AbortController();
  readonly #outOfMemoryKills = outOfMemoryKills();
  readonly #outputBefore: string | undefined;
  readonly #timingCacheBefore: string | undefined;
  readonly #asked = Promise.withResolvers<void>();
  #reason: CancelReason | undefined;
  #killed = false;
  #hashPatience: NodeJS.Timeout | undefined;
  #fault: unknown;

  constructor(options: EngineBuildOptions, files: BuildFiles, context: SourceContext) {
    this.#path = requireCompiled(builderPath());
    const tensorrt = findTensorrt(options);
    const originNs = monotonicOrigin(context);
    const { build, limits } = context;
    const words = buildWords(options, { ...files, ...tensorrt, build, originNs, limits });
    const { output: target, timingCacheFile } = files;
    this.#context = context;
    this.#files = files;
    this.#outputBefore = identityOf(target);
    this.#timingCacheBefore = timingCacheFile && identityOf(timingCacheFile);
    this.#native = new NativeEvents(context);
    this.#graceMs = options.graceMs ?? defaultGraceMs;
    this.#ladder = new CancelLadder(this.#graceMs, (rung) => {
      this.#climb(rung);
    });
    const link = openCancelLink();
    if (link !== undefined) this.cancelToken = link.token;
    this.#builder = new BuilderProcess(
      this.#path,
      (pid) => temporariesOf([target, timingCacheFile], { pid, originNs }),
      (text) => {
        this.#hear(text);
      },
      link,
    );
    const { pid } = this.#builder;
    const { startedAt } = context;
    const { model, output } = options;
    context.emit([
      { type: 'build.started', timeNs: 0, model, output, ...(pid !== undefined && { pid }), startedAt },
    ]);
    this.#builder.send(['build', ...words]);
    this.ended = this.#end();
  }

  cancel(reason: CancelReason): void {
    this.#reason = reason;
    this.#asked.resolve();
    this.#ladder.begin();
    this.#loseHashPatience();
  }

  escalate(): void {
    this.#ladder.escalate();
  }

  #hear(text: string): void {
    if (this.#fault !== undefined) return;
    try {
      this.#native.feed(text);
    } catch (error) {
      this.#fault = error;
      this.#builder.kill();
    }
    if (this.#native.reason === undefined) return;
    this.#ladder.follow();
    this.#loseHashPatience();
  }

  #climb(rung: Rung): void {
    switch (rung) {
      case 'ask':
        this.#builder.send(['cancel']);
        break;
      case 'terminate':
        this.#builder.send(['escalate']);
        this.#giveUpHash.abort();
        break;
      case 'kill':
        this.#killed ||= this.#builder.kill();
        this.#giveUpHash.abort();
        break;
    }
  }

  /** A cancel that comes too late for the engine does not wait for its sha256 either. */
  #loseHashPatience(): void {
    this.#hashPatience ??= setTimeout(() => this.#giveUpHash.abort(), this.#graceMs);
  }

  async #end(): Promise<void> {
    const last = await Promise.race([
      this.#native.last,
      this.#builder.exited.then(() => this.#native.finished),
    ]);
    if (last !== undefined) {
      const leaving = setTimeout(() => {
        this.#builder.kill();
      }, leaveMs);
      await endBuild(this.#context, this.#native, last, this.#giveUpHash.signal);
      await this.#builder.exited;
      clearTimeout(leaving);
    } else {
      await this.#endUnfinished(await this.#builder.exited);
    }
    this.#ladder.stop();
    clearTimeout(this.#hashPatience);
  }

  // It left without a last word.
  async #endUnfinished(exit: BuilderExit): Promise<void> {
    if (wasStopped(exit, 'ask')) await this.#hearOfSameSignal();
    const timeNs = this.#context.elapsedNs();
    const { peakMemoryBytes } = this.#builder;
    const facts = {
      type: 'build.finished',
      timeNs,
      ...(peakMemoryBytes !== undefined && { peakMemoryBytes }),
      cleanup: this.#cleanup(),
    } as const;
    const engine = this.#engineInPlace();
    const rung = this.#rungAt(exit, timeNs);
    if ((rung === 'terminate' || rung === 'kill') && rung !== this.#native.escalation) {
      this.#context.emit([{ type: 'cancel.escalated', timeNs, to: rung }]);
    }
    if (engine !== undefined) {
      await endBuild(
        this.#context,
        this.#native,
        { ...facts, outcome: 'built', engine },
        this.#giveUpHash.signal,
      );
    } else if (wasStopped(exit, rung)) {
      this.#context.emit([
        { type: 'cancel.acknowledged', timeNs, by: 'exit' },
        { ...facts, outcome: 'cancelled' },
      ]);
    } else {
      this.#context.emit([{ ...facts, outcome: 'failed', error: this.#failure(exit) }]);
    }
  }

  async #hearOfSameSignal(): Promise<void> {
    if (this.#reason !== undefined || this.#native.reason !== undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const unheardOf = new Promise<void>((resolve) => {
      // Where nothing could run here meanwhile, what has come is looked at between the two.
      timer = setTimeout(() => setImmediate(resolve), sameSignalMs);
    });
    await Promise.race([this.#asked.promise, unheardOf]);
    clearTimeout(timer);
  }

  // How far the ladder went, which a builder that comes to its end on it may not have been able to tell.
  #rungAt(exit: BuilderExit, timeNs: number): Rung | undefined {
    const asked = [this.#reason, this.#native.reason].flatMap((reason) => reason?.requestedAtNs ?? []);
    if (asked.length === 0) return undefined;
    const gracesNs = 2e6 * this.#graceMs;
    const timedOut = exit.signal === 'SIGKILL' && timeNs - Math.min(...asked) >= gracesNs;
    if (this.#killed || timedOut) return 'kill';
    return exit.signal === 'SIGTERM' ? 'terminate' : (this.#native.escalation ?? 'ask');
  }

  // Killed between the rename and the news of it: what counts is that the engine is there.
  #engineInPlace(): EngineFacts | undefined {
    const { output } = this.#files;
    if (!this.#hasReplaced(output, this.#outputBefore)) return undefined;
    return { path: output, bytes: statSync(output).size };
  }

  #cleanup(): CleanupFacts {
    const { temporariesRemoved } = this.#builder;
    const { timingCacheFile } = this.#files;
    if (timingCacheFile === undefined) return { temporariesRemoved };
    return {
      temporariesRemoved,
      timingCacheSaved: this.#hasReplaced(timingCacheFile, this.#timingCacheBefore),
    };
  }

  #hasReplaced(path: string, before: string | undefined): boolean {
    const now = identityOf(path);
    return now !== undefined && now !== before && this.#native.hasBegunToWrite();
  }

  #failure(exit: BuilderExit): FailureFacts {
    if (isTrtscopeError(this.#fault)) {
      const message = `The builder process said what this version does not read: ${this.#fault.message}`;
      return { code: 'SOURCE_FAILED', message };
    }
    return crashFacts({
      exit,
      path: this.#path,
      outOfMemory: (outOfMemoryKills() ?? 0) > (this.#outOfMemoryKills ?? 0),
      openPath: this.#native.openPath(),
      errorLines: this.#native.errorLines,
      errorWords: this.#builder.errorWords,
    });
  }
}
