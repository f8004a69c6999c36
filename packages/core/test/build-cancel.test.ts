import { describe, expect, test } from 'vitest';
import { startBuild, type Build, type CancelRequest } from '../src/build.ts';
import type { CancelSource, SourceEvent } from '../src/events.ts';
import type { BuildSource } from '../src/source.ts';
import { ManualSource } from './manual-source.ts';
import { phases, started } from './started-build.ts';

describe('cancelling', () => {
  test('reports who asked, where the build was, when it answered and how long it took', async () => {
    const { source, clock, build, cancel } = started();
    source.emit(...phases);
    clock.advance(10);
    build.cancel({ source: 'os-signal', message: 'Ctrl-C', detail: 'SIGINT' });
    clock.advance(2);
    source.emit({ type: 'cancel.acknowledged', timeNs: 12e6, by: 'step', phase: 2, step: 5 });
    clock.advance(3);
    source.finish('cancelled');
    expect(source.cancels).toMatchObject([{ source: 'os-signal', detail: 'SIGINT', requestedAtNs: 10e6 }]);
    expect(await cancel()).toEqual({
      source: 'os-signal',
      message: 'Ctrl-C',
      detail: 'SIGINT',
      requestedAtNs: 10e6,
      phasePath: ['root', 'leaf'],
      step: 4,
      acknowledged: { by: 'step', atNs: 12e6, phase: 'leaf', step: 5 },
      latencyNs: 5e6,
      escalation: 'none',
      temporariesRemoved: [],
      later: [],
      tooLate: false,
    });
  });

  test('asks the source once; later requests are listed', async () => {
    const { source, build, types, cancel } = started();
    build.cancel('first');
    build.cancel('second');
    build.cancel({ source: 'file', message: 'third' });
    expect(source.cancels.map(({ message }) => message)).toEqual(['first']);
    source.finish('cancelled');
    expect(await cancel()).toMatchObject({
      source: 'call',
      message: 'first',
      later: [
        { source: 'call', message: 'second' },
        { source: 'file', message: 'third' },
      ],
    });
    await expect.poll(() => types).toContain('build.finished');
    expect(types.filter((type) => type === 'cancel.requested')).toHaveLength(3);
  });

  test('after the end does nothing', async () => {
    const { source, build } = started();
    source.finish('built');
    build.cancel();
    build.escalate();
    await build.result;
    build.cancel();
    expect([source.cancels, source.escalations]).toEqual([[], 0]);
    expect(await build.result).not.toHaveProperty('cancel');
  });

  test('when the engine was in place already yields a built build that says so', async () => {
    const { source, build } = started();
    build.cancel();
    source.finish('built');
    expect(await build.result).toMatchObject({ outcome: 'built', cancel: { tooLate: true } });
  });

  test('a failure before the answer is a failure, with the request on record', async () => {
    const { source, build } = started();
    build.cancel();
    source.finish('failed');
    expect(await build.result).toMatchObject({ outcome: 'failed', cancel: { tooLate: false } });
  });

  test.each<SourceEvent>([
    { type: 'cancel.acknowledged', timeNs: 0, by: 'step' },
    { type: 'cancel.escalated', timeNs: 0, to: 'kill' },
  ])('a failure after $type is a cancel', async (event) => {
    const { source, build } = started();
    build.cancel();
    source.emit(event);
    source.finish('failed');
    expect(await build.result).toMatchObject({ outcome: 'cancelled' });
  });

  test('a source that stops by itself makes a cancel of the program', async () => {
    const { source, build } = started();
    source.finish('cancelled');
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      cancel: { source: 'program', latencyNs: 0 },
    });
  });

  test('a source that cannot be told to stop is no fault of the caller, and is said in the events', async () => {
    const source: BuildSource = {
      kind: 'deaf',
      subject: {},
      start: (context) => {
        context.emit([{ type: 'build.started', timeNs: 0, startedAt: context.startedAt }]);
        return {
          cancel: () => {
            throw new Error('the socket is closed');
          },
          ended: new Promise(() => undefined),
        };
      },
    };
    const build = startBuild(source);
    const messages = logsOf(build);
    build.cancel();
    await expect
      .poll(() => messages)
      .toEqual(['The deaf source could not be told to stop: the socket is closed.']);
  });
});

function asked(message: string, requestedAtNs: number, source: CancelSource = 'agent'): SourceEvent {
  return { type: 'cancel.requested', timeNs: requestedAtNs, reason: { source, message, requestedAtNs } };
}

describe('a request that the source tells of', () => {
  test('is on record, and is not sent down again', async () => {
    const { source, types, cancel } = started();
    source.emit(asked('enough', 5));
    source.finish('cancelled');
    expect(source.cancels).toEqual([]);
    expect(await cancel()).toMatchObject({ source: 'agent', message: 'enough', requestedAtNs: 5, later: [] });
    await expect.poll(() => types).toEqual(['build.started', 'cancel.requested', 'build.finished']);
  });

  test('does not keep a later one from being sent down', async () => {
    const { source, clock, build, cancel } = started();
    source.emit(asked('enough', 5));
    clock.advance(1);
    build.cancel('too');
    expect(source.cancels).toMatchObject([{ message: 'too' }]);
    source.finish('cancelled');
    expect(await cancel()).toMatchObject({ message: 'enough', later: [{ message: 'too' }] });
  });

  test('wins over one that was made later and told earlier, with the place where the build was then', async () => {
    const { source, clock, build, cancel } = started();
    source.emit(...phases.slice(0, 1));
    clock.advance(10);
    build.cancel('second');
    source.emit(...phases.slice(1), asked('first', 5e6));
    source.finish('cancelled', 20e6);
    expect(await cancel()).toMatchObject({
      message: 'first',
      phasePath: ['root', 'leaf'],
      step: 4,
      latencyNs: 15e6,
      later: [{ message: 'second' }],
    });
  });

  test('in the words that it was told is an echo and leaves no trace', async () => {
    const { source, clock, build, types, cancel } = started();
    build.cancel({ source: 'agent', message: 'enough' });
    clock.advance(1);
    source.emit(asked('enough', 1e6), asked('enough', 1e6, 'http'));
    source.finish('cancelled');
    expect(await cancel()).toMatchObject({ source: 'agent', requestedAtNs: 0, later: [{ source: 'http' }] });
    await expect.poll(() => types.filter((type) => type === 'cancel.requested')).toHaveLength(2);
  });
});

describe('where the build was when it was asked to stop', () => {
  test('is corrected by news of before that come later', async () => {
    const { source, clock, build, cancel } = started();
    clock.advance(10);
    build.cancel();
    source.emit(...phases);
    source.emit({ type: 'phase.finished', timeNs: 11e6, phase: 2, done: 5 });
    source.finish('cancelled');
    expect(await cancel()).toMatchObject({ phasePath: ['root', 'leaf'], step: 4 });
  });
});

describe('what is left of the other files', () => {
  test('is in the report', async () => {
    const { source, build, cancel } = started();
    build.cancel();
    const cleanup = { temporariesRemoved: ['.net.engine.7.a.trtscope-tmp'], timingCacheSaved: false };
    source.emit({ type: 'build.finished', timeNs: 1, outcome: 'cancelled', cleanup });
    source.end();
    expect(await cancel()).toMatchObject(cleanup);
  });
});

test.each<[CancelRequest, string]>([
  [{ source: 'me' as 'call' }, 'The source of a cancel must be one of abort-signal, call, '],
  [{ message: 5 as unknown as string }, 'The message of a cancel must be a string, but is 5.'],
  [{ detail: {} as unknown as string }, 'The detail of a cancel must be a string, but is {}.'],
])('a request to cancel such as %j is refused', (request, message) => {
  const { source, build } = started();
  expect(() => build.cancel(request)).toThrow(message);
  expect(source.cancels).toEqual([]);
});

test("the cancel token is the source's, or the build's id", () => {
  expect(startBuild(new ManualSource({ cancelToken: 'token' })).cancelToken).toBe('token');
  expect(startBuild(new ManualSource(), { id: 'b' }).cancelToken).toBe('b');
});

describe('escalating', () => {
  test('asks first when nobody has, and then goes up in the source', async () => {
    const { source, build, cancel } = started();
    build.escalate();
    build.escalate();
    expect([source.cancels.length, source.escalations]).toEqual([1, 2]);
    source.emit({ type: 'cancel.escalated', timeNs: 1, to: 'terminate' });
    source.emit({ type: 'cancel.escalated', timeNs: 2, to: 'kill' });
    source.finish('cancelled');
    expect(await cancel()).toMatchObject({ source: 'call', escalation: 'kill' });
  });
});

test('escalating where the source has no ladder says so once', async () => {
  const source = new ManualSource();
  const build = startBuild({
    kind: 'flat',
    subject: {},
    start: (context) => ({ cancel: () => undefined, ended: source.start(context).ended }),
  });
  source.begin();
  const messages = logsOf(build);
  for (let times = 0; times < 3; times += 1) build.escalate();
  const message = 'A flat source cannot be ended by force: it stops when it next looks for a cancel.';
  await expect.poll(() => messages).toEqual([message]);
});

describe('disposing', () => {
  test('cancels what runs and waits until it has stopped', async () => {
    const { source, build, cancel } = started();
    const disposed = build[Symbol.asyncDispose]();
    expect(source.cancels).toMatchObject([{ source: 'dispose' }]);
    source.finish('cancelled');
    await disposed;
    expect(await cancel()).toMatchObject({ source: 'dispose' });
  });

  test('twice, or after a cancel or the end, asks for nothing more', async () => {
    const { source, build, cancel } = started();
    build.cancel('mine');
    const disposals = [build[Symbol.asyncDispose](), build[Symbol.asyncDispose]()];
    source.finish('cancelled');
    await Promise.all(disposals);
    await build[Symbol.asyncDispose]();
    expect(await cancel()).toMatchObject({ message: 'mine', later: [] });
  });
});

/** What a build says in its log, as it comes. */
function logsOf(build: Build): readonly string[] {
  const messages: string[] = [];
  build.attach({
    name: 'logs',
    receive: (events) => {
      for (const event of events) if (event.type === 'log') messages.push(event.message);
    },
  });
  return messages;
}
