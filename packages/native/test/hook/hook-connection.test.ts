import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { closed, switchboard } from './connected-peer.ts';
import { finished, hello, line, opening, phase, step } from './peer-lines.ts';

describe('a watched process', () => {
  test('has its builds known with exact counts, several at once', async () => {
    const board = await switchboard();
    const peer = await board.connect();
    peer.write(hello + opening('1') + opening('2') + phase('1', 1) + phase('2', 1));
    for (let done = 1; done <= 500; done++) peer.write(step('1', 1, done) + step('2', 1, 2 * done));
    peer.end(finished('2') + finished('1'));
    await vi.waitFor(() => expect(board.builds).toHaveLength(2));
    const results = await Promise.all(board.builds.map((build) => build.result));
    expect(results.map(({ outcome, counts }) => [outcome, counts.steps])).toEqual([
      ['built', 500],
      ['built', 1000],
    ]);
    expect(results[0]?.command).toBe('peer');
  });

  test('that says hello again goes on', async () => {
    const board = await switchboard();
    const peer = await board.connect();
    peer.end(hello + hello + opening('1') + hello + finished('1'));
    await vi.waitFor(() => expect(board.builds).toHaveLength(1));
    expect((await board.builds[0]?.result)?.outcome).toBe('built');
    expect(board.notices).toEqual([]);
  });

  test('speaks of no build but those that it has opened itself', async () => {
    const board = await switchboard();
    const honest = await board.connect();
    honest.write(hello + opening('1') + phase('1', 1) + step('1', 1, 3));
    await vi.waitFor(() => expect(board.builds[0]?.tree.get(1)?.done).toBe(3));
    const other = await board.connect();
    other.end(hello + step('1', 1, 99) + phase('9', 1) + finished('1') + finished('9'));
    await closed(other);
    honest.end(step('1', 1, 4) + finished('1'));
    expect(await board.builds[0]?.result).toMatchObject({ outcome: 'built', counts: { steps: 4 } });
    expect(board.builds).toHaveLength(1);
  });
});

// What ends a connection, and what is said of it.
const nonsense: readonly [what: string, text: string | Buffer, says: RegExp][] = [
  ['bytes that are no text', Buffer.from([0, 255, 254, 27, 91, 50, 74, 10]), /is not JSON/u],
  ['a line without a version', '{"type":"hello"}\n', /version 1/u],
  ['a line of another version', '{"v":2,"type":"hello"}\n', /version 1/u],
  ['a list', '[1]\n', /must hold a JSON object/u],
  ['a line that is too long', `${hello}${'x'.repeat(300_000)}\n`, /longer than 262144/u],
  ['a line without an end', hello + 'x'.repeat(300_000), /longer than 262144/u],
  ['a build that is opened twice', hello + opening('1') + opening('1'), /a build that is none/u],
  ['a build without a name', hello + opening(''), /a build that is none/u],
  ['a build of a strange name', hello + opening('1\0*'), /a build that is none/u],
  ['a build of a long name', hello + opening('1'.repeat(65)), /a build that is none/u],
  ['a build that began at no time', hello + opening('1', { originNs: '-1' }), /a build that is none/u],
  ['a build of no day', hello + opening('1', { startedAt: [1e12, 0] }), /a build that is none/u],
  ['a build of half a nanosecond', hello + opening('1', { startedAt: [1, 0.5] }), /a build that is none/u],
  ['an event with a field that is none', hello + line('1', 'phase.started'), /needs "phase" to be/u],
  ['a step of a phase that never began', hello + opening('1') + step('1', 7, 1), /has not begun/u],
  [
    'more builds at once than a process has',
    hello + Array.from({ length: 257 }, (_, index) => opening(`${index}`)).join(''),
    /more than 256 builds at once/u,
  ],
];

describe('nonsense', () => {
  test.each(nonsense)('such as %s ends its connection and no other', async (_, text, says) => {
    const board = await switchboard();
    const honest = await board.connect();
    honest.write(hello + opening('honest') + phase('honest', 1));
    const peer = await board.connect();
    peer.write(text);
    await closed(peer);
    expect(board.notices).toHaveLength(1);
    expect(board.notices[0]).toMatch(/^process 1 said what makes no sense, and is not heard any more: /u);
    expect(board.notices[0]).toMatch(says);
    honest.end(step('honest', 1, 1) + finished('honest'));
    const [build] = board.builds;
    expect(await build?.result).toMatchObject({ outcome: 'built', counts: { steps: 1 } });
    for (const other of board.builds.slice(1)) expect((await other.result).outcome).toBe('failed');
  });

  test('in any form leaves everybody else alone', { timeout: 60_000 }, async () => {
    const board = await switchboard();
    const honest = await board.connect();
    honest.write(hello + opening('honest') + phase('honest', 1));
    let done = 0;
    const field = fc.oneof(fc.jsonValue(), fc.maxSafeInteger(), fc.constantFrom('1', '2', 'honest'));
    const event = fc.record(
      {
        v: fc.constantFrom(1, 1, 1, 2),
        type: fc.constantFrom(
          'build',
          'hello',
          'notice',
          'phase.started',
          'step.completed',
          'phase.finished',
          'log',
          'build.finished',
          'build.started',
          'cancel.requested',
          'snapshot',
          '__proto__',
        ),
        build: fc.constantFrom('1', '2', 'honest'),
        seq: fc.maxSafeNat(),
        timeNs: fc.maxSafeNat(),
        phase: fc.oneof(fc.nat(3), field),
        originNs: fc.oneof(fc.constant('5'), field),
        startedAt: fc.oneof(fc.constant([1, 1]), field),
        name: fc.string(),
        thread: fc.nat(),
        origin: fc.constantFrom('tensorrt', 'trtscope'),
        step: fc.nat(),
        done: fc.maxSafeNat(),
        message: fc.string(),
        outcome: fc.constantFrom('built', 'failed', 'cancelled'),
        reason: field,
        tree: field,
        ['__proto__']: field,
      },
      { requiredKeys: ['v', 'type', 'build', 'seq', 'timeNs'] },
    );
    const text = fc.oneof(
      fc
        .array(event, { maxLength: 20 })
        .map((events) => events.map((one) => `${JSON.stringify(one)}\n`).join('')),
      fc.string().map((words) => `${words}\n`),
      fc.constant(hello + opening('1') + phase('1', 1)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(text, fc.uint8Array()), { maxLength: 6 }), async (pieces) => {
        const peer = await board.connect();
        for (const piece of pieces) peer.write(piece);
        done += 1;
        honest.write(step('honest', 1, done));
        if (done % 2 === 0) peer.destroy();
        else peer.end();
        await closed(peer);
      }),
      { numRuns: 300 },
    );
    honest.end(finished('honest'));
    const [build] = board.builds;
    expect(await build?.result).toMatchObject({ outcome: 'built', counts: { phases: 1, steps: done } });
    for (const other of board.builds) await other.result;
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(board.climbed).toEqual([]);
  });
});

describe('what a process makes us keep', () => {
  test('has a bound: phases without end cost it its connection', async () => {
    const board = await switchboard();
    const peer = await board.connect();
    const gone = closed(peer);
    peer.write(hello + opening('1'));
    const name = 'x'.repeat(16_000);
    for (let id = 1; !peer.destroyed && id < 10_000; id++) {
      if (!peer.write(phase('1', id, name)))
        await Promise.race([new Promise((resolve) => peer.once('drain', resolve)), gone]);
    }
    await gone;
    expect(board.notices[0]).toContain('builds with more phases than can be kept');
    expect(board.builds[0]?.tree.phases().length).toBeLessThan(2_200);
  });

  test('is let go of with each build', async () => {
    const board = await switchboard();
    const peer = await board.connect();
    peer.write(hello);
    const name = 'x'.repeat(200_000);
    for (let build = 1; build <= 400; build++) {
      if (!peer.write(opening(`${build}`) + phase(`${build}`, 1, name) + finished(`${build}`))) {
        await once(peer, 'drain');
      }
    }
    peer.end();
    await closed(peer);
    expect(board.notices).toEqual([]);
    expect(board.builds).toHaveLength(400);
  });

  test('of what it is told has a bound too: it may never read', async () => {
    const board = await switchboard();
    const peer = await board.connect();
    peer.pause();
    peer.write(hello);
    for (let build = 1; build <= 250; build++) peer.write(opening(`${build}`));
    await vi.waitFor(() => expect(board.builds).toHaveLength(250));
    for (const build of board.builds) build.cancel();
    peer.destroy();
    const outcomes = await Promise.all(board.builds.map(async ({ result }) => (await result).outcome));
    expect(new Set(outcomes)).toEqual(new Set(['cancelled']));
  });

  test('does not hold up others: half a line, and then silence', async () => {
    const board = await switchboard();
    const silent = await board.connect();
    silent.write(hello.slice(0, 20));
    const honest = await board.connect();
    honest.end(hello + opening('1') + finished('1'));
    await vi.waitFor(() => expect(board.builds).toHaveLength(1));
    expect((await board.builds[0]?.result)?.outcome).toBe('built');
    expect(silent.destroyed).toBe(false);
  });
});
