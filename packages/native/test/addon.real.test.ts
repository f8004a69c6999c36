import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadAddon } from '../src/addon.ts';

const ignore = () => undefined;

it('loading the addon loads no TensorRT', () => {
  loadAddon();
  const loaded = readFileSync('/proc/self/maps', 'utf8');
  expect(loaded).toContain('trtscope.node');
  expect(loaded).not.toContain('libtensorrt');
});

it('a build that cannot be started says why', () => {
  const addon = loadAddon();
  expect(() => addon.startBuild('t', ['maxThreads', 'many'], ignore, ignore)).toThrow(
    /^The build could not be started: .*maxThreads.*"many"/,
  );
  // @ts-expect-error: only a caller without types can do this.
  expect(() => addon.startBuild('t', 'model', ignore, ignore)).toThrow(TypeError);
});

it('fifty builds at once each tell their own story, and then end', async () => {
  const addon = loadAddon();
  const originNs = String(process.hrtime.bigint());
  const stories = Array.from({ length: 50 }, async (_, index) => {
    const build = `build ${index}`;
    const texts: string[] = [];
    const words = ['build', build, 'originNs', originNs, 'library', '/nowhere/libnvinfer.so'];
    await new Promise<void>((resolve) => {
      addon.startBuild(build, words, (lines) => texts.push(lines), resolve);
    });
    const events = texts
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events[0]).toMatchObject({ v: 1, type: 'phase.started', name: 'start', timeNs: 0 });
    expect(events.at(-1)).toMatchObject({ type: 'build.finished', error: { code: 'TENSORRT_MISSING' } });
    expect(events.map((event) => event['build'])).toEqual(events.map(() => build));
    expect(events.map((event) => event['seq'])).toEqual(events.map((_event, at) => at + 1));
  });
  await Promise.all(stories);
});

it('a build can be cancelled after its end', async () => {
  const addon = loadAddon();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const build = addon.startBuild('t', ['build', 'b'], ignore, resolve);
  await ended;
  build.cancel();
});
