import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BuildEvent, StepCompleted } from '../src/events.ts';
import { maxKept, mergeAbove, MergingQueue } from '../src/merging-queue.ts';
import { PhaseTree } from '../src/phase-tree.ts';
import { StepTimes, type StepTime } from '../src/step-times.ts';
import { orderlyEvents } from './arbitrary-events.ts';
import { logLine, phaseFinished, phaseStarted, stepCompleted } from './events.ts';

function pushAll(queue: MergingQueue, events: readonly BuildEvent[], times = new StepTimes()): void {
  for (const event of events) queue.push(event, times.take(event));
}

/** What becomes of these events where every step merges that can. */
function merged(events: readonly BuildEvent[]): BuildEvent[] {
  const queue = new MergingQueue(0);
  pushAll(queue, events);
  return queue.takeAll();
}

/** What a consumer gets that takes a batch after each gap. */
function throughQueue(events: readonly BuildEvent[], gaps: readonly number[], limit: number): BuildEvent[] {
  const times = new StepTimes();
  const out: BuildEvent[] = [];
  let at = 0;
  for (const gap of [...gaps, events.length]) {
    const queue = new MergingQueue(limit);
    pushAll(queue, events.slice(at, at + gap), times);
    out.push(...queue.takeAll());
    at += gap;
  }
  return out;
}

function facts(tree: PhaseTree): unknown {
  return tree.phases().map(({ phase, done, state }) => [phase, done, state]);
}

function others(events: readonly BuildEvent[]): BuildEvent[] {
  return events.filter(({ type }) => type !== 'step.completed');
}

function steps(events: readonly BuildEvent[]): StepCompleted[] {
  return events.filter((event) => event.type === 'step.completed');
}

test('below the limit every event stays as it is', () => {
  const queue = new MergingQueue();
  const events = Array.from({ length: mergeAbove }, (_, index) => stepCompleted(1, index + 1));
  pushAll(queue, events);
  expect(queue.takeAll()).toEqual(events);
  expect(queue.takeAll()).toEqual([]);
});

describe('above the limit', () => {
  test('a later step takes up the waiting one of its phase, with its count and the longest of both', () => {
    const events = [
      phaseStarted(1, { timeNs: 10 }),
      stepCompleted(1, 1, { timeNs: 40, seq: 1 }),
      stepCompleted(1, 2, { timeNs: 45, seq: 2 }),
      stepCompleted(1, 3, { timeNs: 60, seq: 3 }),
    ];
    expect(merged(events)).toEqual([
      events[0],
      stepCompleted(1, 3, { timeNs: 60, seq: 3, merged: 2, longest: { step: 0, forNs: 30 } }),
    ]);
  });

  test('what was merged at the source merges on, with the longest that it names', () => {
    const longest = { step: 4, forNs: 99 };
    const events = [
      phaseStarted(1),
      stepCompleted(1, 8, { timeNs: 100, merged: 7, longest }),
      stepCompleted(1, 10, { timeNs: 130, merged: 1, longest: { step: 9, forNs: 20 } }),
    ];
    expect(merged(events).slice(1)).toEqual([stepCompleted(1, 10, { timeNs: 130, merged: 9, longest })]);
  });

  test('steps of different phases do not merge, and keep the order of their last ones', () => {
    const events = [
      stepCompleted(1, 1),
      stepCompleted(2, 1),
      stepCompleted(1, 2),
      logLine('x'),
      stepCompleted(2, 2),
    ];
    expect(merged(events)).toMatchObject([
      { phase: 1, done: 2, merged: 1 },
      { type: 'log' },
      { phase: 2, done: 2, merged: 1 },
    ]);
  });

  test('a step never moves past the end of its phase', () => {
    const events = [
      phaseStarted(1),
      stepCompleted(1, 1),
      phaseFinished(1, 1),
      stepCompleted(1, 1),
      stepCompleted(1, 1),
    ];
    expect(merged(events)).toMatchObject([{}, { done: 1 }, { type: 'phase.finished' }, { merged: 1 }]);
  });

  test('strays merge and stay exact', () => {
    expect(merged([stepCompleted(0, 1), stepCompleted(0, 2), stepCompleted(0, 3)])).toMatchObject([
      { phase: 0, done: 3, merged: 2 },
    ]);
  });
});

describe('of any build, merged from any point on', () => {
  const limits = fc.nat({ max: 20 });

  test('counts, strays and every other event are exact, and seq rises', () => {
    fc.assert(
      fc.property(
        orderlyEvents,
        fc.array(fc.nat({ max: 40 }), { maxLength: 3 }),
        limits,
        (events, gaps, limit) => {
          const out = throughQueue(events, gaps, limit);
          const [before, after] = [new PhaseTree(), new PhaseTree()];
          for (const event of events) before.apply(event);
          for (const event of out) after.apply(event);
          expect(facts(after)).toEqual(facts(before));
          expect(after.strays).toBe(before.strays);
          expect(others(out)).toEqual(others(events));
          expect(steps(out).reduce((sum, step) => sum + 1 + (step.merged ?? 0), 0)).toBe(
            steps(events).length,
          );
          expect(out.map(({ seq }) => seq)).toEqual(out.map(({ seq }) => seq).toSorted((a, b) => a - b));
        },
      ),
    );
  });

  test('the longest step of each merged event is the longest of those that it stands for', () => {
    fc.assert(
      fc.property(orderlyEvents, limits, (events, limit) => {
        const durations = new Map<number, StepTime[]>();
        const times = new StepTimes();
        const all = events.map((event) => ({ event, time: times.take(event) }));
        for (const { event, time } of all) {
          if (event.type !== 'step.completed' || time === undefined) continue;
          durations.set(event.phase, [...(durations.get(event.phase) ?? []), time]);
        }
        for (const step of steps(throughQueue(events, [], limit))) {
          const taken = durations.get(step.phase)?.splice(0, 1 + (step.merged ?? 0)) ?? [];
          const longestNs = Math.max(...taken.map(({ forNs }) => forNs));
          if (step.merged === undefined) expect(step).not.toHaveProperty('longest');
          else expect(step.longest?.forNs).toBe(longestNs);
        }
      }),
    );
  });
});

test('one event too many that cannot merge is refused, and steps still are not', () => {
  const queue = new MergingQueue();
  const kept = Array.from({ length: maxKept }, () => queue.push(logLine('x'), undefined));
  expect(kept.includes(false)).toBe(false);
  expect(queue.push(logLine('x'), undefined)).toBe(false);
  expect(queue.push(stepCompleted(1, 1), { step: 0, forNs: 0 })).toBe(true);
  queue.takeAll();
  expect(queue.push(logLine('x'), undefined)).toBe(true);
});

test('a million steps of many phases wait in little room, with no step lost, and in little time', () => {
  const queue = new MergingQueue();
  const phases = 50;
  const done = new Map<number, number>();
  const startedMs = performance.now();
  let most = 0;
  for (let index = 0; index < 1_000_000; index += 1) {
    const phase = 1 + (index % phases);
    done.set(phase, (done.get(phase) ?? 0) + 1);
    queue.push(stepCompleted(phase, done.get(phase) ?? 0, { seq: index }), { step: index, forNs: 1 });
    most = Math.max(most, queue.size);
  }
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(most).toBeLessThanOrEqual(mergeAbove + phases + 1);
  const out = steps(queue.takeAll());
  expect(out.reduce((sum, step) => sum + 1 + (step.merged ?? 0), 0)).toBe(1_000_000);
  expect(out.slice(-phases).map((step) => step.done)).toEqual(
    Array.from({ length: phases }, () => 1_000_000 / phases),
  );
});
