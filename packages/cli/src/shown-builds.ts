import type { Build } from '@trtscope/core';
import { createReporter } from '@trtscope/core/reporters';
import type { RunTrace } from '@trtscope/otel';
import { complain } from './messages.ts';
import type { Telemetry } from './telemetry.ts';

/** The builds of other programs, each traced and told in lines, which are numbered from the second build on. */
export class ShownBuilds {
  readonly #shown: Promise<void>[] = [];
  readonly #telemetry: Telemetry;
  readonly #trace: RunTrace | undefined;
  readonly #options: { readonly progress?: 'plain' | 'none'; readonly verbose?: boolean };

  constructor(
    telemetry: Telemetry,
    trace: RunTrace | undefined,
    options: { readonly progress?: 'plain' | 'none'; readonly verbose?: boolean },
  ) {
    this.#telemetry = telemetry;
    this.#trace = trace;
    this.#options = options;
  }

  add(build: Build, traceparent: string | undefined): void {
    this.#telemetry.trace(build, this.#trace?.contextFor(traceparent));
    const { progress, verbose = false } = this.#options;
    if (progress === 'none') return;
    const label = this.#shown.length === 0 ? undefined : `${this.#shown.length + 1}`;
    const reporter = createReporter('plain', build, { verbose, ...(label !== undefined && { label }) });
    if (reporter !== undefined) this.#shown.push(build.attach(reporter).closed);
  }

  /** A sentence about what is not watched. */
  note(sentence: string): void {
    if (this.#options.progress !== 'none') complain(sentence);
  }

  async done(): Promise<void> {
    await Promise.all(this.#shown);
  }
}
