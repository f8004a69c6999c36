import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Build, CancelRequest } from '@trtscope/core';
import { describe, expect, test } from 'vitest';
import { cancelByToken, startEngineBuild } from '../src/index.ts';
import type { Isolation } from '../src/index.ts';
import { blockUntil } from './busy-loop.ts';
import { simulate } from './simulator.ts';

const endlessSteps = ['build', 'phase 1 Building engine', 'steps 100000 every 1'];

interface Canceller {
  readonly worker: Worker;
  readonly shared: Int32Array;
}

/** A worker thread that is about to cancel. */
function canceller(token: string, request: string | CancelRequest): Canceller {
  const shared = new Int32Array(new SharedArrayBuffer(12));
  const workerData = { token, request, shared };
  const worker = new Worker(new URL('cancel-worker.ts', import.meta.url), { workerData });
  return { worker, shared };
}

/** Lets it, while this thread is busy. Answers what cancelByToken does. */
function letCancel({ shared }: Canceller): boolean {
  blockUntil(() => Atomics.load(shared, 0) === 1);
  Atomics.store(shared, 1, 1);
  Atomics.notify(shared, 1);
  blockUntil(() => Atomics.load(shared, 2) !== 0);
  return Atomics.load(shared, 2) === 2;
}

/** Resolves when TensorRT's first phase has begun. */
function underWay(build: Build): Promise<void> {
  return new Promise((resolve) => {
    build.attach({
      name: 'test',
      receive: (events) => {
        if (events.some((event) => event.type === 'phase.started' && event.origin === 'tensorrt')) resolve();
      },
    });
  });
}

function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

/** A build, during which another program is started; answers the sockets that this one was given. */
async function runAndList(isolation: Isolation): Promise<string[]> {
  const build = startEngineBuild({ ...simulate({ script: endlessSteps }), isolation });
  const listed = execFileSync('ls', ['-l', '/proc/self/fd'], { encoding: 'utf8' });
  cancelByToken(build.cancelToken);
  await build.result;
  return listed.split('\n').filter((line) => / ([3-9]|\d\d+) -> socket/.test(line));
}

describe.each(['process', 'thread'] as const)('cancelByToken of a build in a %s', (isolation) => {
  test('cancels from a worker while the main thread is busy', async () => {
    const build = startEngineBuild({ ...simulate({ script: endlessSteps }), isolation });
    const request = { source: 'agent', message: 'not "needed" any more', detail: 'plan 7' } as const;
    const other = canceller(build.cancelToken, request);
    await once(other.worker, 'online');
    expect(letCancel(other)).toBe(true);
    const answeredNs = build.elapsedNs();
    blockUntil(() => build.elapsedNs() > answeredNs + 300e6);
    const freeNs = build.elapsedNs();
    const result = await build.result;
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { ...request, later: [] } });
    expect(result.cancel?.requestedAtNs).toBeLessThanOrEqual(answeredNs);
    expect(result.cancel?.acknowledged?.atNs).toBeLessThan(freeNs);
    await other.worker.terminate();
  });

  test('counts in the order of the requests, wherever they come from', async () => {
    // It ignores the first answers, so that it still runs when it is asked again.
    const script = ['build', 'phase 1 Building engine', 'ignore 500', 'steps 100000 every 1'];
    const build = startEngineBuild({ ...simulate({ script }), isolation });
    await underWay(build);
    expect(cancelByToken(build.cancelToken, 'first')).toBe(true);
    build.cancel('second');
    expect(cancelByToken(build.cancelToken, 'third')).toBe(true);
    const { outcome, cancel } = await build.result;
    expect([outcome, cancel?.message, ...(cancel?.later ?? []).map(({ message }) => message)]).toEqual([
      'cancelled',
      'first',
      'second',
      'third',
    ]);
  });

  test('knows only builds that run', async () => {
    const build = startEngineBuild({ ...simulate({ script: endlessSteps }), isolation });
    const { cancelToken } = build;
    expect(cancelByToken(`${cancelToken}x`)).toBe(false);
    expect(cancelByToken(cancelToken)).toBe(true);
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      cancel: { source: 'call', message: 'the caller cancelled the build' },
    });
    expect(cancelByToken(cancelToken)).toBe(false);
  });

  test('takes any words, and no source that there is not', async () => {
    const build = startEngineBuild({ ...simulate({ script: endlessSteps }), isolation });
    expect(() => cancelByToken(build.cancelToken, { source: 'me' as 'call' })).toThrow(TypeError);
    expect(() => cancelByToken(7 as unknown as string)).toThrow(TypeError);
    const message = `a\0b "ü" ${'形'.repeat(9000)}`;
    expect(cancelByToken(build.cancelToken, message)).toBe(true);
    for (let at = 0; at < 200; at += 1) cancelByToken(build.cancelToken, `${at} ${message}`);
    const result = await build.result;
    expect(result.cancel?.message).toBe(`a b "ü" ${'形'.repeat(4096 - 8)}`);
  });

  test('holds no file once its build has ended, and gives none to other programs', async () => {
    await runAndList(isolation);
    const before = openFiles();
    const given = [];
    for (let at = 0; at < 3; at += 1) given.push(await runAndList(isolation));
    expect(given.flat()).toEqual([]);
    expect(openFiles()).toBe(before);
  });
});
