import type { Consumer } from './build.ts';
import type { BuildEvent } from './events.ts';
import { maxKept, MergingQueue } from './merging-queue.ts';
import type { StepTime } from './step-times.ts';

/** Hands events to one consumer at the consumer's pace, and shields everybody else from it. */
export class Mailbox {
  /** Resolves when the consumer has closed or was detached. */
  readonly closed: Promise<void>;
  readonly #consumer: Consumer;
  readonly #onFault: (message: string) => void;
  readonly #queue = new MergingQueue();
  #resolveClosed: () => void = () => undefined;
  #delivering = false;
  #state: 'open' | 'ending' | 'detached' | 'done' = 'open';

  /** `onFault` is told once, in one sentence, why the consumer was detached. */
  constructor(consumer: Consumer, onFault: (message: string) => void) {
    this.#consumer = consumer;
    this.#onFault = onFault;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  push(event: BuildEvent, longest: StepTime | undefined): void {
    if (this.#state !== 'open') return;
    if (this.#queue.push(event, longest)) this.#wake();
    else this.#fail(`fell ${maxKept} events behind, steps not counted`);
  }

  /** No event follows: closes the consumer once it has had those that wait. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ending';
    this.#wake();
  }

  /** Drops what waits and closes the consumer as soon as it lets go of what it has. */
  detach(): void {
    if (this.#state === 'detached' || this.#state === 'done') return;
    this.#state = 'detached';
    this.#queue.takeAll();
    this.#resolveClosed();
    this.#wake();
  }

  #fail(what: string): void {
    if (this.#state === 'detached' || this.#state === 'done') return;
    this.detach();
    this.#onFault(`The consumer ${this.#consumer.name} ${what}: it was detached, the build goes on.`);
  }

  #wake(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    // Not awaited: a consumer works beside the build, and #deliver catches all that it throws.
    void this.#deliver();
  }

  async #deliver(): Promise<void> {
    // The events of one tick go out as one batch, and never on the stack of whoever emitted them.
    await Promise.resolve();
    while (this.#queue.size > 0) {
      const events = this.#queue.takeAll();
      try {
        await this.#consumer.receive(events);
      } catch (error) {
        this.#fail(`threw ${said(error)}`);
      }
    }
    this.#delivering = false;
    if (this.#state === 'ending' || this.#state === 'detached') await this.#close();
  }

  async #close(): Promise<void> {
    const detached = this.#state === 'detached';
    this.#state = 'done';
    try {
      await this.#consumer.close?.();
    } catch (error) {
      if (detached) return;
      this.#onFault(`The consumer ${this.#consumer.name} threw ${said(error)} when it closed.`);
    } finally {
      this.#resolveClosed();
    }
  }
}

function said(error: unknown): string {
  return error instanceof Error ? `"${error.message}"` : JSON.stringify(String(error));
}
