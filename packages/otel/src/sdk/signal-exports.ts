import { diag } from '@opentelemetry/api';
import { sentence } from './first-fault.ts';
import type { Signal } from './signal.ts';
import type { ExportResult, Exporter } from './sdk-packages.ts';

export interface SignalExportsOptions {
  /** The endpoint may know nothing of this signal: nobody asked for it by name. */
  readonly mayBeAbsent: boolean;
  /** A later export makes up for one that was lost, as sums since the beginning do. */
  readonly isCumulative: boolean;
}

// What an endpoint answers that does not take a signal, such as a Jaeger to metrics and logs.
const absentStatus: ReadonlySet<unknown> = new Set([404, 405, 501]);
const success: ExportResult = { code: 0 };

/** How the exports of one signal went. */
export class SignalExports {
  readonly signal: Signal;
  readonly #options: SignalExportsOptions;
  #fault: string | undefined;
  #absent: string | undefined;
  #started = 0;
  #settled = 0;
  #waiting = 0;
  #sent = 0;

  constructor(signal: Signal, options: SignalExportsOptions) {
    this.signal = signal;
    this.#options = options;
  }

  /** What was lost and why; absent when nothing is known to be. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** What an endpoint said that does not take this signal. */
  get absent(): string | undefined {
    return this.#absent;
  }

  /** Whether at least one export got through. */
  get sent(): boolean {
    return this.#sent > 0;
  }

  /** Exports whose answer is still to come. */
  get waiting(): number {
    return this.#waiting;
  }

  note(fault: string): void {
    this.#fault ??= fault;
  }

  /**
   * The same exporter, watched. The SDK is told of success whatever comes: it could do nothing but log each fault, at
   * length, and give up what else there is to send.
   */
  watch<E extends Exporter>(exporter: E): E {
    const send = exporter.export.bind(exporter);
    exporter.export = (items, done) => {
      if (this.#absent !== undefined) return done(success);
      const order = ++this.#started;
      this.#waiting += 1;
      const settle = (result: ExportResult): void => {
        this.#waiting -= 1;
        this.#settle(order, result);
        done(success);
      };
      try {
        send(items, settle);
      } catch (error) {
        settle({ code: 1, error: error instanceof Error ? error : new Error(String(error)) });
      }
    };
    return exporter;
  }

  #settle(order: number, { code, error }: ExportResult): void {
    if (code === 0) this.#sent += 1;
    const fault = code === 0 ? undefined : sentence(error ?? 'the export failed');
    if (fault !== undefined) diag.warn(`Export of ${this.signal} failed: ${fault}`);
    if (this.#options.mayBeAbsent && absentStatus.has((error as { code?: unknown } | undefined)?.code)) {
      this.#absent = fault;
    } else if (!this.#options.isCumulative) {
      this.#fault ??= fault;
    } else if (order > this.#settled) {
      this.#settled = order;
      this.#fault = fault;
    }
  }
}
