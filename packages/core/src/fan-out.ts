import type { Attachment, Consumer } from './build.ts';
import type { BuildEvent } from './events.ts';
import { Mailbox } from './mailbox.ts';
import { maxKept } from './merging-queue.ts';
import { StepTimes, type StepTime } from './step-times.ts';

export interface FanOutOptions {
  /** Told once for each consumer that was detached for a fault, in one sentence. */
  readonly onFault: (message: string) => void;
  /** What a consumer gets first that comes when the beginning is no longer kept. */
  readonly catchUp: () => readonly BuildEvent[];
}

/** Hands every event of a build to every consumer's mailbox. */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #times = new StepTimes();
  readonly #mailboxes = new Set<Mailbox>();
  #beginning: (readonly [event: BuildEvent, longest: StepTime | undefined])[] | undefined = [];
  #faults: string[] | undefined;
  #ended = false;

  constructor(options: FanOutOptions) {
    this.#options = options;
  }

  publish(event: BuildEvent): void {
    const longest = this.#times.take(event);
    this.#beginning?.push([event, longest]);
    if (this.#beginning !== undefined && this.#beginning.length > maxKept) this.forgetBeginning();
    // A fault becomes an event, which must come after this one in every mailbox.
    this.#faults = [];
    for (const mailbox of this.#mailboxes) mailbox.push(event, longest);
    const faults = this.#faults;
    this.#faults = undefined;
    for (const fault of faults) this.#options.onFault(fault);
  }

  attach(consumer: Consumer): Attachment {
    const mailbox = new Mailbox(consumer, (fault) => this.#report(fault));
    const before = this.#beginning ?? this.#options.catchUp().map((event) => [event, undefined] as const);
    for (const [event, longest] of before) mailbox.push(event, longest);
    if (this.#ended) mailbox.end();
    else this.#mailboxes.add(mailbox);
    void mailbox.closed.then(() => this.#mailboxes.delete(mailbox));
    return { closed: mailbox.closed, detach: () => mailbox.detach() };
  }

  /** From now on a new consumer is late. */
  forgetBeginning(): void {
    this.#beginning = undefined;
  }

  /** No event follows. */
  end(): void {
    this.#ended = true;
    for (const mailbox of this.#mailboxes) mailbox.end();
  }

  #report(fault: string): void {
    if (this.#faults === undefined) this.#options.onFault(fault);
    else this.#faults.push(fault);
  }
}
