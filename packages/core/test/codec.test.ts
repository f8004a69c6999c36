import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeEvents, encodeEvents, EventDecoder } from '../src/codec.ts';
import type { BuildEvent } from '../src/events.ts';
import { anyEvent } from './arbitrary-events.ts';
import { logLine, phaseFinished, stepCompleted } from './events.ts';
import { recordedEvents, recordingNames, recordingText } from './recordings.ts';

const first = '{"v":1,"type":"phase.finished","build":"b","seq":0,"timeNs":0,"phase":1,"done":2}';

function faultOf(text: string): { code: string; message: string } {
  try {
    decodeEvents(text);
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('no fault was found');
}

describe('round trips', () => {
  test('any event comes back as it was', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        expect(decodeEvents(encodeEvents(events))).toEqual(events);
      }),
    );
  });

  test('text may come in any pieces', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1 }), fc.array(fc.nat({ max: 40 })), (events, sizes) => {
        const decoder = new EventDecoder();
        let text = encodeEvents(events);
        const decoded: BuildEvent[] = [];
        for (const size of sizes) {
          decoded.push(...decoder.feed(text.slice(0, size)));
          text = text.slice(size);
        }
        decoded.push(...decoder.feed(text), ...decoder.end());
        expect(decoded).toEqual(events);
      }),
    );
  });

  test.each(recordingNames)('the recording %s is written again byte by byte', (name) => {
    expect(encodeEvents(recordedEvents(name))).toBe(recordingText(name));
  });

  test('the first line carries the version, the others do not', () => {
    const lines = encodeEvents([phaseFinished(1), phaseFinished(2)]).split('\n');
    expect(lines.map((line) => line.includes('"v":1'))).toEqual([true, false, false]);
  });
});

describe('tolerance', () => {
  test('unknown fields are kept', () => {
    const text = first.replace('"done"', '"news":{"a":[1]},"done"');
    expect(decodeEvents(text)).toEqual([{ ...phaseFinished(1, 2), news: { a: [1] } }]);
  });

  test('events of an unknown type are skipped and counted', () => {
    const decoder = new EventDecoder();
    const line = '{"type":"gpu.power","watts":3}';
    expect(decoder.feed(`${first}\n${line}\n${line.replace('gpu.power', 'constructor')}\n`)).toHaveLength(1);
    expect(decoder.skipped).toBe(2);
  });

  test('empty lines and carriage returns are no events', () => {
    expect(decodeEvents(`${first}\r\n\r\n\n`)).toEqual([phaseFinished(1, 2)]);
  });

  test('a last line without an end is read when it is whole', () => {
    expect(decodeEvents(first)).toHaveLength(1);
  });

  test('nothing at all holds no events', () => {
    expect(decodeEvents('')).toEqual([]);
  });
});

describe('strictness', () => {
  test.each([
    [first.replace('"v":1,', ''), 'EVENT_VERSION', 'but it names none'],
    [first.replace('"v":1', '"v":2'), 'EVENT_VERSION', 'but it says 2'],
    [`${first}\n${first.replace('"v":1', '"v":"1"')}`, 'EVENT_VERSION', 'Line 2: .* but it says "1"'],
    [`${first}\nnonsense\n`, 'EVENT_INVALID', 'Line 2 is not JSON: "nonsense"'],
    [`${first}\n[1,2]\n`, 'EVENT_INVALID', 'Line 2 must hold a JSON object, but holds \\[1,2\\]'],
    [
      first.replace('"phase.finished"', '7'),
      'EVENT_INVALID',
      'Line 1 needs "type" to be a string, but it is 7',
    ],
    [
      first.replace(',"done":2', ''),
      'EVENT_INVALID',
      '"done" to be a whole number from 0 up, but it is absent',
    ],
    [first.replace('"done":2', '"done":null'), 'EVENT_INVALID', '"done" .* but it is null'],
    [first.replace('"done":2', '"done":-1'), 'EVENT_INVALID', 'but it is -1'],
    [first.replace('"done":2', '"done":1.5'), 'EVENT_INVALID', 'but it is 1.5'],
    [first.replace('"build":"b"', '"build":{}'), 'EVENT_INVALID', '"build" to be a string, but it is {}'],
  ])('refuses %s with %s', (text, code, message) => {
    const fault = faultOf(text);
    expect(fault.code).toBe(code);
    expect(fault.message).toMatch(new RegExp(message));
    expect(fault.message).toMatch(/^Line \d+.*\.$/);
  });

  test.each<[string, object, string]>([
    ['build.started', { startedAt: [1] }, '"startedAt" to be a list of two, but it is [1]'],
    [
      'build.started',
      { startedAt: [1, 'x'] },
      '"startedAt[1]" to be a whole number from 0 up, but it is "x"',
    ],
    [
      'log',
      { severity: 'loud', message: '', origin: 'tensorrt' },
      'to be one of internal_error, error, warning, info, verbose',
    ],
    ['quiet', { forNs: 0, alive: 'yes' }, '"alive" to be true or false, but it is "yes"'],
    ['quiet', { forNs: 0, alive: true, cpu: 'x' }, '"cpu" to be a number, but it is "x"'],
    [
      'build.finished',
      { outcome: 'failed', error: { code: 'X' } },
      '"error.message" to be a string, but it is absent',
    ],
    ['build.finished', { outcome: 'failed', error: [] }, '"error" to be an object, but it is []'],
    ['snapshot', { tree: { phases: [{}], strays: 0 } }, '"tree.phases[0].phase" to be'],
    ['snapshot', { tree: { phases: {}, strays: 0 } }, '"tree.phases" to be a list, but it is {}'],
  ])('names the field of a %s that is wrong', (type, own, message) => {
    const fault = faultOf(JSON.stringify({ v: 1, type, build: 'b', seq: 0, timeNs: 0, ...own }));
    expect(fault).toMatchObject({ code: 'EVENT_INVALID' });
    expect(fault.message).toContain(`Line 1 (${type}) needs`);
    expect(fault.message).toContain(message);
  });

  test('a long value is shown cut short', () => {
    const fault = faultOf(first.replace('"done":2', `"done":"${'x'.repeat(500)}"`));
    expect(fault.message.length).toBeLessThan(200);
  });

  test('a field that only its prototype has is absent', () => {
    const text = '{"v":1,"type":"log","build":"b","seq":0,"timeNs":0,"message":"m","origin":"tensorrt"}';
    expect(faultOf(text).message).toContain('"severity"');
  });
});

describe('damaged streams', () => {
  test('a last line that was cut off is reported after the events before it', () => {
    const decoder = new EventDecoder();
    const text = encodeEvents([phaseFinished(1), stepCompleted(1, 1)]);
    expect(decoder.feed(text.slice(0, -9))).toHaveLength(1);
    expect(() => decoder.end()).toThrow(
      /^Line 2 is cut off after \d+ characters: the stream ended too early\.$/,
    );
  });

  test('events before a faulty line are handed out, the fault comes at the next call, and stays', () => {
    const decoder = new EventDecoder();
    expect(decoder.feed(`${first}\nnonsense\n${first}\n`)).toHaveLength(1);
    expect(() => decoder.feed(`${first}\n`)).toThrow('Line 2 is not JSON');
    expect(() => decoder.end()).toThrow('Line 2 is not JSON');
  });

  test('a faulty line that comes first is reported at once', () => {
    expect(() => new EventDecoder().feed('nonsense\n')).toThrow('Line 1 is not JSON');
  });

  test('a line that is too long is refused before its end has come', () => {
    const decoder = new EventDecoder({ maxLineLength: 100 });
    expect(decoder.feed(`${first}\n`)).toHaveLength(1);
    expect(() => decoder.feed('x'.repeat(101))).toThrow(
      'Line 2 is longer than 100 characters, the most that is read.',
    );
  });

  test('a line that is too long is refused when it comes whole', () => {
    const text = encodeEvents([logLine('x'.repeat(200))]);
    expect(() => new EventDecoder({ maxLineLength: 100 }).feed(text)).toThrow(
      'Line 1 is longer than 100 characters',
    );
  });
});
