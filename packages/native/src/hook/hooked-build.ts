import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { BuildEvent, BuildSource, BuildSubject, SourceContext, SourceRun } from '@trtscope/core';
import { CancelLadder } from '../cancel-ladder.ts';
import type { Rung } from '../cancel-ladder.ts';
import { NativeEvents } from '../native-events.ts';

/** Does to the process that builds what a rung above asking is. */
export type Climb = (rung: Exclude<Rung, 'ask'>) => void;

export interface HookedBuildFacts {
  /** As the process calls itself. */
  readonly program: string;
  readonly pid: number | undefined;
  /** CLOCK_MONOTONIC at the build's beginning. */
  readonly originNs: bigint;
  readonly startedAt: readonly [seconds: number, nanoseconds: number];
  /** TRACEPARENT of the process's environment. */
  readonly traceparent?: string;
  readonly graceMs: number;
  readonly climb: Climb;
  /** Tells the process that the build is to stop. */
  cancel(): void;
  /** Nothing more will come. */
  forget(): void;
}

/** A build in somebody else's program, which has begun already. */
export class HookedBuild implements BuildSource, SourceRun {
  readonly kind = 'hook';
  readonly watchesLimits = true;
  readonly subject: BuildSubject;
  readonly traceparent: string | undefined;
  readonly ended: Promise<void>;
  readonly #facts: HookedBuildFacts;
  readonly #ladder: CancelLadder;
  readonly #resolve: () => void;
  #context: SourceContext | undefined;
  #native: NativeEvents | undefined;
  #asked = false;
  #escalation: 'terminate' | 'kill' | undefined;

  constructor(facts: HookedBuildFacts) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#facts = facts;
    this.traceparent = facts.traceparent;
    this.subject = { command: basename(facts.program) };
    this.ended = promise;
    this.#resolve = resolve;
    this.#ladder = new CancelLadder(facts.graceMs, (rung) => this.#climb(rung), { leads: true });
  }

  start(context: SourceContext): SourceRun {
    const { pid, startedAt } = this.#facts;
    this.#context = context;
    this.#native = new NativeEvents(context);
    const { command = '' } = this.subject;
    context.emit([
      { type: 'build.started', timeNs: 0, command, ...(pid !== undefined && { pid }), startedAt },
    ]);
    return this;
  }

  elapsedNs(): number {
    return Number(process.hrtime.bigint() - this.#facts.originNs);
  }

  cancel(): void {
    this.#asked = true;
    this.#ladder.begin();
  }

  escalate(): void {
    this.#ladder.escalate();
  }

  take(events: readonly BuildEvent[]): void {
    if (this.#native === undefined) return;
    this.#native.take(events);
    const { finished } = this.#native;
    if (finished !== undefined) {
      this.#context?.emit([finished]);
      this.#end();
    } else if (this.#isAsked()) {
      this.#ladder.follow();
    }
  }

  /** The process is gone, or has lost its connection. */
  lose(): void {
    const context = this.#context;
    if (context === undefined || this.#native?.finished !== undefined) return;
    const timeNs = this.elapsedNs();
    if (this.#isAsked()) {
      context.emit([
        { type: 'cancel.acknowledged', timeNs, by: 'exit' },
        { type: 'build.finished', timeNs, outcome: 'cancelled' },
      ]);
    } else {
      const phasePath = this.#native?.openPath() ?? [];
      context.emit([
        {
          type: 'build.finished',
          timeNs,
          outcome: 'failed',
          error: { ...this.#loss(), ...(phasePath.length > 0 && { phasePath }) },
        },
      ]);
    }
    this.#end();
  }

  #isAsked(): boolean {
    return this.#asked || this.#native?.reason !== undefined;
  }

  #loss(): { readonly code: string; readonly message: string } {
    const { pid, program } = this.#facts;
    const name = `${program} (process ${pid ?? 'unknown'})`;
    return pid !== undefined && existsSync(`/proc/${pid}`)
      ? {
          code: 'SOURCE_FAILED',
          message: `${name} closed its connection to trtscope; how its build goes on cannot be told.`,
        }
      : { code: 'BUILDER_CRASHED', message: `${name} ended before its build did.` };
  }

  #climb(rung: Rung): void {
    if (rung === 'ask') {
      this.#facts.cancel();
    } else {
      if (this.#escalation !== rung) {
        this.#escalation = rung;
        this.#context?.emit([{ type: 'cancel.escalated', timeNs: this.elapsedNs(), to: rung }]);
      }
      this.#facts.climb(rung);
    }
  }

  #end(): void {
    this.#ladder.stop();
    this.#facts.forget();
    this.#resolve();
  }
}
