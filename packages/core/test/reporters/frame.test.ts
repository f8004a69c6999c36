import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BuildStory } from '../../src/reporters/build-story.ts';
import { displayWidth } from '../../src/reporters/display-text.ts';
import { finalFrame, liveFrame } from '../../src/reporters/frame.ts';
import { themeFor } from '../../src/reporters/theme.ts';
import { recordedEvents, recordingNames } from '../recordings.ts';
import { Log } from './log.ts';

const recordings = recordingNames.map(recordedEvents);
const theme = themeFor(new Log(), {});

const nestedInSevenColumns = {
  events: recordedEvents('basic-pitch').slice(0, 790),
  part: 1,
  silentMs: 0,
  columns: 7,
  rows: 10,
};

describe('a frame', () => {
  it('is never wider or higher than the screen, at any moment of any real build', () => {
    const moment = fc.record({
      events: fc.constantFrom(...recordings),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      silentMs: fc.nat(100_000),
      columns: fc.integer({ min: 1, max: 130 }),
      rows: fc.integer({ min: 0, max: 30 }),
    });
    fc.assert(
      fc.property(moment, ({ events, part, silentMs, columns, rows }) => {
        const story = new BuildStory();
        for (const event of events.slice(0, Math.ceil(events.length * part))) story.tell(event);
        const facts = {
          story,
          subject: { model: '模型.onnx' },
          nowNs: story.latestNs + silentMs * 1e6,
          theme,
        };
        const lines = liveFrame(facts, { columns, rows });
        expect(lines.length).toBeLessThanOrEqual(rows);
        const tree = finalFrame(facts, columns).slice(0, story.finished === undefined ? undefined : -1);
        for (const line of [...lines, ...tree]) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      }),
      { numRuns: 200, examples: [[nestedInSevenColumns]] },
    );
  });
});
