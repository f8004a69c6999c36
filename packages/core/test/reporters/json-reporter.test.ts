import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { encodeEvents, replaySource, startBuild } from '../../src/index.ts';
import { jsonReporter } from '../../src/reporters/index.ts';
import { FakeClock } from '../fake-clock.ts';
import { Log } from './log.ts';
import { ScriptedBuild } from './scripted-build.ts';

function events() {
  const build = new ScriptedBuild(new FakeClock());
  return [
    ...build.begin(),
    build.start('Building engine', { steps: 6 }),
    build.finish('Building engine', 5),
    build.built(),
  ];
}

describe('jsonReporter', () => {
  it('writes the lines of the codec, exactly, with the version on the first', async () => {
    const log = new Log();
    const replay = startBuild(replaySource(events(), { speed: 'max' }));
    await replay.attach(jsonReporter({ stream: log })).closed;
    expect(log.text).toBe(encodeEvents(events()));
    expect(log.text.split('\n')[0]).toContain('"v":1,');
  });

  it('falls silent when its reader leaves, and the build goes on to its own outcome', async () => {
    const log = new Log();
    const replay = startBuild(replaySource(events(), { speed: 'max' }));
    const { closed } = replay.attach(jsonReporter({ stream: log }));
    log.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await closed;
    expect(log.text).toBe('');
    expect((await replay.result).outcome).toBe('built');
  });

  it('waits for a slow reader', async () => {
    const slow = new PassThrough({ highWaterMark: 10 });
    const reporter = jsonReporter({ stream: slow });
    const receiving = reporter.receive(events());
    const first = await Promise.race([receiving, Promise.resolve('still waiting')]);
    expect(first).toBe('still waiting');
    slow.resume();
    await receiving;
    await reporter.close?.();
    expect(slow.listenerCount('close')).toBe(0);
  });
});
