import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { stdinTrigger } from '../../src/triggers/index.ts';
import { WatchedBuild } from './watched-build.ts';

function watched() {
  const build = new WatchedBuild();
  const stream = new PassThrough();
  const release = stdinTrigger(build, stream);
  return { build, stream, release };
}

const listeners = (stream: PassThrough) =>
  (['data', 'end', 'error', 'readable'] as const).map((name) => stream.listenerCount(name));

describe('stdinTrigger', () => {
  it.each([
    ['stop it\n', 'stop it'],
    ['  stop it \r\nand this\n', 'stop it'],
    ['\n', 'a line came on stdin'],
    [`${'x'.repeat(5000)}\n`, 'x'.repeat(1000)],
  ])('cancels at a line, whose text is the message: %j', async (text, message) => {
    const { build, stream } = watched();
    stream.write(text);
    await build.asked;
    expect(build.requests).toEqual([{ source: 'stdin', message }]);
  });

  it('puts a line together that comes in pieces, also within a character', async () => {
    const { build, stream } = watched();
    const bytes = Buffer.from('genug für heute\n');
    for (const byte of bytes) stream.write(Buffer.of(byte));
    await build.asked;
    expect(build.requests).toMatchObject([{ message: 'genug für heute' }]);
  });

  it('does not cancel at the end of the stream', async () => {
    const { build, stream } = watched();
    stream.end();
    await once(stream, 'end');
    await build.end();
    expect(build.requests).toEqual([]);
  });

  it('cancels at text that the end cuts off', async () => {
    const { build, stream } = watched();
    stream.end('stop');
    await build.asked;
    expect(build.requests).toMatchObject([{ message: 'stop' }]);
  });

  it('cancels once and reads no further', async () => {
    const { build, stream } = watched();
    stream.write('one\n');
    await build.asked;
    stream.write('two\n');
    expect(stream.isPaused()).toBe(true);
    expect(listeners(stream)).toEqual(listeners(new PassThrough()));
    expect(build.requests).toHaveLength(1);
  });

  it('is not disturbed by a stream that breaks', async () => {
    const { build, stream } = watched();
    const closed = new Promise((resolve) => stream.on('close', resolve));
    stream.destroy(new Error('broken'));
    await closed;
    await build.end();
    expect(build.requests).toEqual([]);
  });

  it('lets go of the stream at the end of the build, and leaves it flowing for who else reads', async () => {
    const [alone, shared] = [watched(), watched()];
    shared.stream.on('data', () => undefined);
    await Promise.all([alone.build.end(), shared.build.end()]);
    expect(listeners(alone.stream)).toEqual(listeners(new PassThrough()));
    expect([alone.stream.isPaused(), shared.stream.isPaused()]).toEqual([true, false]);
    expect(shared.stream.listenerCount('data')).toBe(1);
  });

  it('keeps no process alive', async () => {
    const module = fileURLToPath(new URL('../../src/triggers/index.ts', import.meta.url));
    const program = `
      const { stdinTrigger } = await import(${JSON.stringify(module)});
      stdinTrigger({ cancel() {}, result: new Promise(() => undefined) });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });
});
