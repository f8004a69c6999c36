import type { CancelReason, SourceEvent } from '../src/events.ts';
import type { BuildSource, BuildSubject, SourceContext, SourceRun } from '../src/source.ts';

/** A source whose events and end a test decides on. */
export class ManualSource implements BuildSource {
  readonly kind = 'manual';
  readonly subject: BuildSubject = { model: 'net.onnx', output: 'net.engine' };
  readonly cancels: CancelReason[] = [];
  readonly watchesLimits?: true;
  readonly cancelToken: string | undefined;
  escalations = 0;
  starts = 0;
  #context: SourceContext | undefined;
  #end = Promise.withResolvers<void>();

  constructor(traits: { readonly watchesLimits?: true; readonly cancelToken?: string } = {}) {
    if (traits.watchesLimits === true) this.watchesLimits = true;
    this.cancelToken = traits.cancelToken;
  }

  start(context: SourceContext): SourceRun {
    this.starts += 1;
    this.#context = context;
    return {
      cancel: (reason) => this.cancels.push(reason),
      escalate: () => {
        this.escalations += 1;
      },
      ...(this.cancelToken !== undefined && { cancelToken: this.cancelToken }),
      ended: this.#end.promise,
    };
  }

  get context(): SourceContext {
    if (this.#context === undefined) throw new Error('the source was not started');
    return this.#context;
  }

  emit(...events: SourceEvent[]): void {
    this.context.emit(events);
  }

  begin(timeNs = 0): void {
    this.emit({ type: 'build.started', timeNs, ...this.subject, startedAt: this.context.startedAt });
  }

  end(): void {
    this.#end.resolve();
  }

  fail(error: unknown): void {
    this.#end.reject(error);
  }

  /** Tells the end, and ends. */
  finish(outcome: 'built' | 'cancelled' | 'failed', timeNs = this.context.elapsedNs()): void {
    this.emit({ type: 'build.finished', timeNs, outcome });
    this.end();
  }
}
