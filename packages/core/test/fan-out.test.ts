import { describe, expect, test } from 'vitest';
import type { Consumer } from '../src/build.ts';
import type { BuildEvent } from '../src/events.ts';
import { FanOut } from '../src/fan-out.ts';
import { maxKept } from '../src/merging-queue.ts';
import { logLine, phaseStarted, stepCompleted } from './events.ts';

function fanOut(): { out: FanOut; faults: string[] } {
  const faults: string[] = [];
  const out = new FanOut({ onFault: (fault) => faults.push(fault), catchUp: () => [logLine('caught up')] });
  return { out, faults };
}

/** Keeps what it gets; `closes` counts its closings. */
class Keeper implements Consumer {
  readonly name: string = 'keeper';
  readonly batches: (readonly BuildEvent[])[] = [];
  closes = 0;

  receive(events: readonly BuildEvent[]): void | Promise<void> {
    this.batches.push(events);
  }

  close(): void {
    this.closes += 1;
  }

  get events(): BuildEvent[] {
    return this.batches.flat();
  }
}

/** Stays with its first batch until the test lets it go. */
class Stalled extends Keeper {
  override readonly name = 'stalled';
  readonly release = Promise.withResolvers<void>();

  override receive(events: readonly BuildEvent[]): Promise<void> {
    this.batches.push(events);
    return this.release.promise;
  }
}

const events = [phaseStarted(1), stepCompleted(1, 1), logLine('x')];

describe('delivery', () => {
  test('the events of one tick come as one batch, after that tick', async () => {
    const { out } = fanOut();
    const keeper = new Keeper();
    const { closed } = out.attach(keeper);
    for (const event of events) out.publish(event);
    expect(keeper.batches).toEqual([]);
    out.end();
    await closed;
    expect(keeper.batches).toEqual([events]);
    expect(keeper.closes).toBe(1);
  });

  test('while a consumer works, what follows waits for it', async () => {
    const { out } = fanOut();
    const stalled = new Stalled();
    const { closed } = out.attach(stalled);
    out.publish(logLine('1'));
    await Promise.resolve();
    await Promise.resolve();
    out.publish(logLine('2'));
    out.publish(logLine('3'));
    out.end();
    expect(stalled.batches).toHaveLength(1);
    stalled.release.resolve();
    await closed;
    expect(stalled.batches.map((batch) => batch.length)).toEqual([1, 2]);
  });

  test('an early consumer gets the beginning, a late one what it needs to catch up', async () => {
    const { out } = fanOut();
    const [early, late] = [new Keeper(), new Keeper()];
    out.publish(logLine('1'));
    const attachments = [out.attach(early)];
    out.forgetBeginning();
    attachments.push(out.attach(late));
    out.publish(logLine('2'));
    out.end();
    await Promise.all(attachments.map(({ closed }) => closed));
    expect(early.events).toEqual([logLine('1'), logLine('2')]);
    expect(late.events).toEqual([logLine('caught up'), logLine('2')]);
  });

  test('a consumer that comes after the end is closed after it has caught up', async () => {
    const { out } = fanOut();
    out.forgetBeginning();
    out.end();
    const keeper = new Keeper();
    await out.attach(keeper).closed;
    expect([keeper.events, keeper.closes]).toEqual([[logLine('caught up')], 1]);
  });
});

describe('detaching', () => {
  test('a detached consumer gets nothing more, is closed once, and is no fault', async () => {
    const { out, faults } = fanOut();
    const keeper = new Keeper();
    const attachment = out.attach(keeper);
    out.publish(logLine('1'));
    attachment.detach();
    attachment.detach();
    out.publish(logLine('2'));
    out.end();
    await attachment.closed;
    expect([keeper.events, faults]).toEqual([[], []]);
    await expect.poll(() => keeper.closes).toBe(1);
  });

  test('a detached consumer is closed only when it has let go of what it has', async () => {
    const { out } = fanOut();
    const stalled = new Stalled();
    const attachment = out.attach(stalled);
    out.publish(logLine('1'));
    await expect.poll(() => stalled.batches.length).toBe(1);
    attachment.detach();
    await attachment.closed;
    expect(stalled.closes).toBe(0);
    stalled.release.resolve();
    await expect.poll(() => stalled.closes).toBe(1);
  });
});

describe('a faulty consumer', () => {
  test.each<[string, Consumer['receive']]>([
    [
      'throws',
      () => {
        throw new Error('no such column');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no such column'))],
  ])('that %s is detached, reported once, and closed; the others go on', async (_how, receive) => {
    const { out, faults } = fanOut();
    const keeper = new Keeper();
    let closes = 0;
    const faulty = out.attach({ name: 'faulty', receive, close: () => void (closes += 1) });
    out.attach(keeper);
    out.publish(logLine('1'));
    await faulty.closed;
    out.publish(logLine('2'));
    expect(faults).toEqual([
      'The consumer faulty threw "no such column": it was detached, the build goes on.',
    ]);
    out.end();
    await expect.poll(() => keeper.closes).toBe(1);
    expect([keeper.events.length, closes, faults.length]).toEqual([2, 1, 1]);
  });

  test('that never lets go is detached once too much waits that cannot merge', async () => {
    const { out, faults } = fanOut();
    const keeper = new Keeper();
    const stalled = new Stalled();
    const attachment = out.attach(stalled);
    out.attach(keeper);
    out.publish(logLine('taken'));
    await expect.poll(() => stalled.batches.length).toBe(1);
    out.publish(stepCompleted(1, 1));
    for (let index = 0; index < maxKept; index += 1) {
      out.publish(logLine('x'));
      // The other one gets its turn now and then.
      if (index % 1000 === 0) await new Promise(setImmediate);
    }
    expect(faults).toEqual([]);
    out.publish(logLine('one too many'));
    expect(faults).toEqual([
      'The consumer stalled fell 65536 events behind, steps not counted: it was detached, the build goes on.',
    ]);
    await attachment.closed;
    out.publish(logLine('x'));
    expect(faults).toHaveLength(1);
  });

  test('that throws when it closes is reported too', async () => {
    const { out, faults } = fanOut();
    const { closed } = out.attach({
      name: 'faulty',
      receive: () => undefined,
      close: () => Promise.reject(new Error('disk gone')),
    });
    out.end();
    await closed;
    expect(faults).toEqual(['The consumer faulty threw "disk gone" when it closed.']);
  });
});
