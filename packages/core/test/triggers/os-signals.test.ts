import { afterEach, describe, expect, it } from 'vitest';
import type { BuildResult, CancelRequest } from '../../src/index.ts';
import { osSignals } from '../../src/triggers/index.ts';
import type { CancelSignal } from '../../src/triggers/index.ts';

const signals: readonly CancelSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const removals: (() => void)[] = [];

afterEach(() => {
  for (const remove of removals.splice(0)) {
    remove();
  }
});

function watched() {
  const calls: (string | CancelRequest | undefined)[] = [];
  const { promise: result, resolve: end } = Promise.withResolvers<BuildResult>();
  const build = {
    result,
    cancel: (request?: string | CancelRequest) => void calls.push(request),
    escalate: () => void calls.push('escalate'),
  };
  const remove = osSignals(build);
  removals.push(remove);
  return { calls, end: () => end({} as BuildResult), result, remove };
}

const counts = () => signals.map((signal) => process.listenerCount(signal));

describe('osSignals', () => {
  it.each(signals)('cancels at the first %s and goes up a rung at each further one', (signal) => {
    const { calls } = watched();
    for (let at = 0; at < 3; at += 1) {
      process.emit(signal, signal);
    }
    expect(calls).toEqual([
      { source: 'os-signal', message: expect.stringContaining(signal), detail: signal },
      'escalate',
      'escalate',
    ]);
  });

  it('passes a second kind of signal on as a request of its own', () => {
    const { calls } = watched();
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGTERM', 'SIGTERM');
    expect(calls).toMatchObject([{ detail: 'SIGINT' }, { detail: 'SIGTERM' }]);
  });

  it('has one handler for however many builds, and each hears the signal', async () => {
    const before = counts();
    const builds = Array.from({ length: 200 }, watched);
    expect(counts()).toEqual(before.map((count) => count + 1));
    process.emit('SIGTERM', 'SIGTERM');
    expect(builds.map(({ calls }) => calls.length)).toEqual(builds.map(() => 1));
    for (const { end } of builds) end();
    await Promise.all(builds.map(({ result }) => result));
    expect(counts()).toEqual(before);
  });

  it('removes its handlers when the build ends', async () => {
    const before = counts();
    const { end, result } = watched();
    expect(counts()).toEqual(before.map((count) => count + 1));
    end();
    await result;
    expect(counts()).toEqual(before);
  });

  it('can be taken away before', () => {
    const before = counts();
    watched().remove();
    expect(counts()).toEqual(before);
  });
});
