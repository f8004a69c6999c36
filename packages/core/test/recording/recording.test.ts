import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBuild } from '../../src/build.ts';
import type { BuildEvent } from '../../src/events.ts';
import { openRecording, readRecording, recordingConsumer, recordTo } from '../../src/recording/index.ts';
import { replaySource } from '../../src/replay-source.ts';
import { ManualSource } from '../manual-source.ts';
import { recordedEvents, recordingNames, recordingPath, recordingText } from '../recordings.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trtscope-recording-'));
  path = join(folder, 'build.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function all(events: AsyncIterable<BuildEvent>): Promise<BuildEvent[]> {
  const list: BuildEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}

describe('recording a build', () => {
  test.each(recordingNames)('writes %s as it was', async (name) => {
    const build = startBuild(replaySource(recordedEvents(name), { speed: 'max' }));
    const outcome = await recordTo(build, path);
    expect(outcome).toEqual({ written: true, path, bytes: Buffer.byteLength(recordingText(name)) });
    expect(readFileSync(path, 'utf8')).toBe(recordingText(name));
    expect(readdirSync(folder)).toEqual(['build.jsonl']);
  });

  test('leaves the target as it was until the build has ended', async () => {
    writeFileSync(path, 'old');
    const source = new ManualSource();
    const build = startBuild(source);
    const outcome = recordTo(build, path);
    source.begin();
    await expect.poll(() => readdirSync(folder).length).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('old');
    source.finish('built');
    expect(await outcome).toMatchObject({ written: true });
    expect((await all(readRecording(path))).map(({ type }) => type)).toEqual([
      'build.started',
      'build.finished',
    ]);
  });

  test('that is given up leaves nothing behind', async () => {
    const source = new ManualSource();
    const build = startBuild(source);
    const recorder = recordingConsumer(path);
    const attachment = build.attach(recorder);
    source.begin();
    await expect.poll(() => readdirSync(folder).length).toBe(1);
    attachment.detach();
    expect(await recorder.outcome).toMatchObject({ written: false, error: { code: 'CONSUMER_DETACHED' } });
    expect(readdirSync(folder)).toEqual([]);
    source.finish('built');
  });

  test('into a directory that is not there is reported, and the build goes on', async () => {
    const source = new ManualSource();
    const build = startBuild(source);
    const outcome = recordTo(build, join(folder, 'no', 'build.jsonl'));
    const events = all(build.events());
    source.begin();
    const message = `The recording ${folder}/no/build.jsonl cannot be written: its directory does not exist; create it first.`;
    expect(await outcome).toMatchObject({ written: false, error: { code: 'WRITE_FAILED', message } });
    source.finish('built');
    expect(await build.result).toMatchObject({ outcome: 'built' });
    expect(await events).toMatchObject([
      {},
      { type: 'log', severity: 'warning', message: expect.stringContaining(message.slice(0, -1)) as string },
      { type: 'build.finished' },
    ]);
  });

  test('over a directory fails at the end and says so', async () => {
    const build = startBuild(replaySource(recordedEvents('synthetic-convnet'), { speed: 'max' }));
    expect(await recordTo(build, folder)).toMatchObject({
      written: false,
      error: {
        code: 'WRITE_FAILED',
        message: `The recording ${folder} cannot be written: it is a directory; name a file.`,
      },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('without a path is refused', () => {
    expect(() => recordingConsumer('')).toThrow(TypeError);
  });
});

describe('reading a recording', () => {
  test.each(recordingNames)('gives the events of %s', async (name) => {
    expect(await all(readRecording(recordingPath(name)))).toEqual(recordedEvents(name));
  });

  test('knows its first event as soon as it is open', async () => {
    const recording = await openRecording(recordingPath('synthetic-convnet'));
    expect(recording.started).toMatchObject({ build: 'synthetic-convnet' });
    expect(await all(recording)).toEqual(recordedEvents('synthetic-convnet'));
  });

  test('that is not there says so', async () => {
    await expect(openRecording(path)).rejects.toMatchObject({
      code: 'RECORDING_UNREADABLE',
      message: expect.stringMatching(`^The recording ${path} cannot be read: .*ENOENT`) as string,
    });
  });

  test('that is empty says so', async () => {
    writeFileSync(path, '');
    await expect(openRecording(path)).rejects.toMatchObject({
      code: 'RECORDING_UNREADABLE',
      message: `The recording ${path} cannot be read: it is empty.`,
    });
  });

  test('that was cut off gives what came before and names file and line', async () => {
    const text = recordingText('synthetic-convnet');
    writeFileSync(path, text.slice(0, -20));
    const events: BuildEvent[] = [];
    const read = async (): Promise<void> => {
      for await (const event of readRecording(path)) events.push(event);
    };
    await expect(read()).rejects.toMatchObject({
      code: 'EVENT_INVALID',
      message: expect.stringMatching(`^${path}: Line 165 is cut off after \\d+ characters`) as string,
    });
    expect(events).toHaveLength(164);
  });

  test('keeps characters whole that lie across two pieces of the file', async () => {
    const log: BuildEvent = {
      type: 'log',
      build: 'b',
      seq: 0,
      timeNs: 0,
      severity: 'info',
      message: '𝄞é'.repeat(50_000),
      origin: 'tensorrt',
    };
    writeFileSync(path, `${JSON.stringify({ v: 1, ...log })}\n`);
    expect(await all(readRecording(path))).toEqual([log]);
  });
});
