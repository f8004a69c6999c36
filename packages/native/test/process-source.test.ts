import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Build, BuildEvent, BuildOptions } from '@trtscope/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EngineBuildOptions } from '../src/build-options.ts';
import { startEngineBuild } from '../src/engine-build.ts';
import { fakeLibraries, rtxNames } from './fake-tensorrt.ts';
import { temporaryFolder } from './temporary-folder.ts';

const standIn = fileURLToPath(new URL('stand-in-builder.mjs', import.meta.url));
let folder: string;
let output: string;

function start(
  behaviour: string,
  options: Partial<EngineBuildOptions> = {},
  buildOptions?: BuildOptions,
): Build {
  vi.stubEnv('STAND_IN', behaviour);
  const tensorrt = fakeLibraries(join(folder, 'lib'), rtxNames);
  return startEngineBuild({ model: join(folder, 'm.onnx'), output, tensorrt, ...options }, buildOptions);
}

// Resolves when TensorRT is at work; what comes later is gathered in the array that it answers.
async function working(build: Build): Promise<BuildEvent[]> {
  const events: BuildEvent[] = [];
  await new Promise<void>((resolve) => {
    build.attach({
      name: 'test',
      receive: (batch) => {
        events.push(...batch);
        if (batch.some(({ type }) => type === 'step.completed')) resolve();
      },
    });
  });
  return events;
}

async function pidOf(build: Build): Promise<number> {
  for await (const event of build.events()) if (event.type === 'build.started') return event.pid ?? 0;
  throw new Error('The build did not start.');
}

function isAlive(events: readonly BuildEvent[]): boolean {
  return isRunning(events.find((event) => event.type === 'build.started')?.pid ?? 0);
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
  } catch {
    return false;
  }
}

describe('the process source', () => {
  beforeEach(() => {
    folder = temporaryFolder();
    output = join(folder, 'm.engine');
    writeFileSync(join(folder, 'm.onnx'), 'a model');
    vi.stubEnv('TRTSCOPE_BUILDER', standIn);
  });
  afterEach(() => {
    const left = readdirSync(folder).filter((name) => name.includes('trtscope-'));
    if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
    vi.unstubAllEnvs();
  });

  test('the first event is there at once and names the process', async () => {
    const build = start('obey');
    const events: BuildEvent[] = [];
    build.attach({ name: 'test', receive: (batch) => void events.push(...batch) });
    build.cancel();
    await build.result;
    expect(events[0]).toMatchObject({ type: 'build.started', seq: 0, timeNs: 0, output });
    expect(events[0]).toHaveProperty('pid');
    expect(isAlive(events)).toBe(false);
  });

  test('a built engine gets its sha256 in a phase of ours without a gap before it', async () => {
    const result = await start('build').result;
    const sha256 = createHash('sha256').update('an engine').digest('hex');
    expect(result).toMatchObject({ outcome: 'built', engine: { path: output, bytes: 9, sha256 } });
    const [last, hash] = result.phases.slice(-2);
    expect(result.phases.map(({ name }) => name)).toEqual(['start', 'Building engine', 'write', 'hash']);
    expect(hash).toMatchObject({ name: 'hash', phase: 4, origin: 'trtscope', finishedNs: result.durationNs });
    expect((hash?.startedNs ?? 0) - (last?.finishedNs ?? 0)).toBeLessThan(5e6);
  });

  test('a cancel that TensorRT answers ends without an escalation', async () => {
    const build = start('obey');
    await working(build);
    build.cancel('not needed any more');
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      cancel: { message: 'not needed any more', acknowledged: { by: 'step', step: 1 }, escalation: 'none' },
    });
  });

  test('a build that does not answer is told to leave after the grace', async () => {
    const build = start('silent', { graceMs: 50 });
    const events = await working(build);
    build.cancel();
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      cancel: { acknowledged: { by: 'exit' }, escalation: 'terminate' },
    });
    expect(isAlive(events)).toBe(false);
  });

  test('a builder that does not even leave is killed after a second grace', async () => {
    const build = start('deaf', { graceMs: 50 });
    const events = await working(build);
    build.cancel();
    expect(await build.result).toMatchObject({ outcome: 'cancelled', cancel: { escalation: 'kill' } });
    expect(events.filter(({ type }) => type === 'cancel.escalated')).toMatchObject([{ to: 'kill' }]);
  });

  test('a builder that is over its budget and hangs is killed after two graces', async () => {
    const build = start('over-budget', { graceMs: 50 }, { budget: { totalMs: 60_000 } });
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      cancel: { source: 'budget', message: 'spent', escalation: 'kill', later: [] },
    });
  });

  test('a builder that cannot say any more that it left is known to have', async () => {
    const build = start('speechless', { graceMs: 50 });
    const events = await working(build);
    build.cancel();
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      cancel: { acknowledged: { by: 'exit' }, escalation: 'terminate' },
    });
    expect(events.filter(({ type }) => type === 'cancel.escalated')).toMatchObject([{ to: 'terminate' }]);
  });

  test('a builder whose own timer killed it is known to be', async () => {
    const build = start('timed-out', { graceMs: 50 });
    await working(build);
    build.cancel();
    expect(await build.result).toMatchObject({ outcome: 'cancelled', cancel: { escalation: 'kill' } });
  });

  test('escalating goes up a rung at once', async () => {
    const build = start('silent', { graceMs: 60_000 });
    const events = await working(build);
    build.escalate();
    expect(await build.result).toMatchObject({ outcome: 'cancelled', cancel: { escalation: 'terminate' } });
    expect(events.filter(({ type }) => type === 'cancel.escalated')).toHaveLength(1);
  });

  test('escalating again kills', async () => {
    const build = start('deaf', { graceMs: 60_000 });
    const events = await working(build);
    build.escalate();
    build.escalate();
    expect(await build.result).toMatchObject({ outcome: 'cancelled', cancel: { escalation: 'kill' } });
    expect(events.filter(({ type }) => type === 'cancel.escalated')).toMatchObject([{ to: 'kill' }]);
  });

  test('without a grace a cancel kills, and the result knows how much memory was used', async () => {
    const build = start('silent', { graceMs: 0 });
    await working(build);
    build.cancel();
    const result = await build.result;
    expect(result).toMatchObject({ outcome: 'cancelled', cancel: { escalation: 'kill' } });
    expect(result.peakMemoryBytes).toBeGreaterThan(1e6);
  });

  test('a crash is a failed build that names the signal, the phase and the last words', async () => {
    const result = await start('crash').result;
    expect(result).toMatchObject({
      outcome: 'failed',
      error: { code: 'BUILDER_CRASHED', phasePath: ['Building engine'] },
    });
    expect(result.outcome === 'failed' && result.error.message).toMatch(
      /was ended by SIGSEGV in the phase "Building engine"; .*last words: first \| terminate called \| last words$/,
    );
  });

  test('an exit before the end of the build names the code', async () => {
    const result = await start('exit').result;
    expect(result.outcome === 'failed' && result.error.message).toMatch(
      /exited with code 4 before .* no more disk$/,
    );
  });

  test('a crash of its own after a mere request is a failure, with the request recorded', async () => {
    const build = start('crash-when-asked');
    await working(build);
    build.cancel('stop');
    expect(await build.result).toMatchObject({
      outcome: 'failed',
      error: { code: 'BUILDER_CRASHED' },
      cancel: { message: 'stop' },
    });
  });

  test('a build that is killed while it writes leaves no file, and tells which it removed', async () => {
    const build = start('killed-while-writing', { graceMs: 0, timingCacheFile: join(folder, 't.cache') });
    await vi.waitUntil(() => readdirSync(folder).some((name) => name.endsWith('.trtscope-tmp')));
    build.cancel();
    expect(await build.result).toMatchObject({
      outcome: 'cancelled',
      cancel: {
        temporariesRemoved: [expect.stringMatching(/\/\.m\.engine\.\d+\.\w+\.trtscope-tmp$/) as unknown],
        timingCacheSaved: false,
      },
    });
    expect(existsSync(output)).toBe(false);
  });

  test('a build that is killed when its engine is in place is built', async () => {
    writeFileSync(output, 'an older engine');
    const build = start('killed-in-place', { graceMs: 0 });
    await vi.waitUntil(() => readFileSync(output, 'utf8') === 'an engine');
    build.cancel();
    expect(await build.result).toMatchObject({
      outcome: 'built',
      engine: { bytes: 9 },
      cancel: { tooLate: true },
    });
  });

  test('an output that was there before a killed build is no engine of it', async () => {
    writeFileSync(output, 'an older engine');
    const build = start('killed-while-writing', { graceMs: 0 });
    await working(build);
    build.cancel();
    expect(await build.result).toMatchObject({ outcome: 'cancelled' });
    expect(readFileSync(output, 'utf8')).toBe('an older engine');
  });

  test('lines that this version does not read end the build and are told', async () => {
    const result = await start('gibberish').result;
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'SOURCE_FAILED' } });
  });

  test('a process that stays after its build has ended is put out, and the build is built', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const build = start('stays');
      const events = await working(build);
      await vi.waitUntil(() => build.tree.phases().at(-1)?.name === 'hash');
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await build.result).toMatchObject({ outcome: 'built' });
      expect(isAlive(events)).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a signal that is aborted already starts no process', async () => {
    const result = await start('build', {}, { signal: AbortSignal.abort() }).result;
    expect(result).toMatchObject({ outcome: 'cancelled', phases: [] });
    expect(existsSync(output)).toBe(false);
  });

  test('a builder that is not compiled fails the build with the command that compiles it', async () => {
    vi.stubEnv('TRTSCOPE_BUILDER', join(folder, 'none'));
    const result = await start('build').result;
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'BUILDER_MISSING' } });
    expect(result.outcome === 'failed' && result.error.message).toContain('build:native');
  });

  test('a builder that cannot be started fails the build', async () => {
    const path = join(folder, 'text');
    writeFileSync(path, 'text');
    chmodSync(path, 0o644);
    vi.stubEnv('TRTSCOPE_BUILDER', path);
    const result = await start('build').result;
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'BUILDER_MISSING' } });
    expect(result.outcome === 'failed' && result.error.message).toContain('could not be started');
  });

  test('without TensorRT the build fails and says how to get it', async () => {
    const result = await start('build', { tensorrt: join(folder, 'm.onnx') }).result;
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'TENSORRT_UNLOADABLE' } });
  });

  test('a program that exits during a build takes it along, and leaves no file', async () => {
    const program = `
      const { startEngineBuild } = await import(${JSON.stringify(new URL('../src/engine-build.ts', import.meta.url))});
      const { model, output, tensorrt } = JSON.parse(process.argv[1]);
      startEngineBuild({ model, output, tensorrt }).attach({ name: 'test', receive: (events) => {
        const { pid } = events.find(({ type }) => type === 'build.started') ?? {};
        if (pid) console.log(pid);
        if (events.some(({ name }) => name === 'write')) process.exit(5);
      } });`;
    const tensorrt = fakeLibraries(join(folder, 'lib'), rtxNames);
    const options = JSON.stringify({ model: join(folder, 'm.onnx'), output, tensorrt });
    const env = { ...process.env, STAND_IN: 'killed-while-writing' };
    const args = ['--input-type=module', '-e', program, options];
    const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    expect(status).toBe(5);
    await vi.waitUntil(() => !isRunning(Number(stdout)));
  });

  test('a builder that somebody else stops is a failed build', async () => {
    const build = start('silent');
    const [started] = await working(build);
    process.kill(started?.type === 'build.started' ? (started.pid ?? 0) : 0, 'SIGTERM');
    const result = await build.result;
    expect(result.outcome === 'failed' && result.error.message).toContain('was ended by SIGTERM');
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'a builder that %s ends before its first word was stopped by the request that is made of the same signal',
    async (detail) => {
      const before = process.listenerCount('exit');
      const build = start('unborn', { graceMs: 0 });
      process.kill(await pidOf(build), detail);
      // Until its end is known here.
      while (process.listenerCount('exit') > before) await setImmediate();
      build.cancel({ source: 'os-signal', message: `received ${detail}`, detail });
      const { outcome, cancel } = await build.result;
      expect({ outcome, ...cancel }).toMatchObject({
        outcome: 'cancelled',
        source: 'os-signal',
        detail,
        acknowledged: { by: 'exit' },
        escalation: detail === 'SIGTERM' ? 'terminate' : 'none',
      });
      expect(cancel?.acknowledged?.atNs).toBeGreaterThanOrEqual(cancel?.requestedAtNs ?? Infinity);
    },
  );

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'a builder that %s ends before its first word, for no request, is a failed build',
    async (signal) => {
      const build = start('unborn');
      process.kill(await pidOf(build), signal);
      const result = await build.result;
      expect(result).toMatchObject({ outcome: 'failed', error: { code: 'BUILDER_CRASHED' } });
      expect(result.outcome === 'failed' && result.error.message).toContain(`was ended by ${signal};`);
      expect(result.cancel).toBeUndefined();
    },
  );

  test('nothing listens on the process once its builds have ended', async () => {
    const before = process.listenerCount('exit');
    const builds = [start('build'), start('build', { output: join(folder, 'other.engine') })];
    expect(process.listenerCount('exit')).toBe(before + 1);
    await Promise.all(builds.map((build) => build.result));
    expect(process.listenerCount('exit')).toBe(before);
  });
});
