import type { Attachment, Consumer } from './build.ts';
import { TrtscopeError } from './errors.ts';
import type { BuildEvent } from './events.ts';

/** A consumer that an async iteration takes its events from. */
class Inbox implements Consumer {
  readonly name = 'events()';
  #batch: readonly BuildEvent[] | undefined;
  #taken: () => void = () => undefined;
  #arrived: () => void = () => undefined;
  #closed = false;

  receive(events: readonly BuildEvent[]): Promise<void> {
    this.#batch = events;
    this.#arrived();
    return new Promise((resolve) => {
      this.#taken = resolve;
    });
  }

  close(): void {
    this.#closed = true;
    this.#arrived();
  }

  /** The next batch; undefined when there is none any more. The mailbox waits until {@link release}. */
  async next(): Promise<readonly BuildEvent[] | undefined> {
    while (this.#batch === undefined && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    const batch = this.#batch;
    this.#batch = undefined;
    return batch;
  }

  release(): void {
    this.#taken();
  }
}

/** The events of a build from now on, as an async iteration. Throws in the end if it fell too far behind. */
export function eventStream(attach: (consumer: Consumer) => Attachment): AsyncIterable<BuildEvent> {
  const inbox = new Inbox();
  return iterate(inbox, attach(inbox));
}

async function* iterate(inbox: Inbox, attachment: Attachment): AsyncGenerator<BuildEvent, void> {
  try {
    for (let batch = await inbox.next(); batch !== undefined; batch = await inbox.next()) {
      for (const event of batch) {
        yield event;
        if (event.type === 'build.finished') return;
      }
      inbox.release();
    }
    throw new TrtscopeError(
      'CONSUMER_DETACHED',
      'This iteration over events() fell too far behind the build and was detached; take events faster.',
    );
  } finally {
    inbox.release();
    attachment.detach();
  }
}
