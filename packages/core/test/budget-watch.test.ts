import { describe, expect, test } from 'vitest';
import { BudgetWatch } from '../src/budget-watch.ts';
import type { Budget } from '../src/build.ts';
import type { SourceEvent } from '../src/events.ts';
import { buildFinished, logLine, phaseFinished, phaseStarted, stepCompleted } from './events.ts';

function watched(budget: Budget) {
  const told: string[] = [];
  let nowNs = 0;
  const watch = new BudgetWatch(budget, {
    onWarning: ({ budget: name, limitNs, usedNs }) =>
      told.push(`${nowNs / 1e6}: ${name} ${usedNs / 1e6} of ${limitNs / 1e6}`),
    onSpent: (name, message) => told.push(`${nowNs / 1e6}: ${name} spent, ${message}`),
  });
  /** Moves on to a time in milliseconds as the machine's clock would: one tick after another. */
  const until = (ms: number): void => {
    for (; nowNs < ms * 1e6; nowNs += 1e6) watch.advance(nowNs);
    watch.advance(nowNs);
  };
  const at = (ms: number, ...events: SourceEvent[]): void => {
    until(ms);
    for (const event of events) watch.apply({ ...event, timeNs: nowNs });
  };
  return { watch, told, until, at };
}

describe('a total', () => {
  test('runs from the beginning of the build, warns once and is spent once', () => {
    const { told, until } = watched({ totalMs: 100 });
    until(300);
    expect(told).toEqual(['80: total 80 of 100', '100: total spent, the budget of 100 ms is spent']);
  });

  test.each([
    [0, ['0: total 0 of 10', '10: total spent, the budget of 10 ms is spent']],
    [1, ['10: total 10 of 10', '10: total spent, the budget of 10 ms is spent']],
  ])('warns at %d of it', (warnAt, expected) => {
    const { told, until } = watched({ totalMs: 10, warnAt });
    until(20);
    expect(told).toEqual(expected);
  });

  test('is warned of once more when it is spent and does not cancel', () => {
    const { told, until } = watched({ totalMs: 100, onSpent: 'warn' });
    until(300);
    expect(told).toEqual(['80: total 80 of 100', '100: total 100 of 100']);
  });

  test('tells of time that passed in one leap as of time that passed step by step', () => {
    const { told, watch } = watched({ totalMs: 100, quietMs: 10 });
    watch.apply(phaseStarted(1));
    watch.advance(500e6);
    expect(told.map((line) => line.split(' ')[1])).toEqual(['quiet', 'quiet', 'total', 'total']);
    expect(watch.dueNs).toBe(Infinity);
  });
});

describe('a budget of phases', () => {
  const budget: Budget = { phaseMs: { 'Timing*': 50 } };

  test('runs for each occurrence anew, ours included', () => {
    const { told, at } = watched(budget);
    at(10, phaseStarted(1, { name: 'Timing tactics' }), phaseStarted(2, { name: 'Optimizing graph' }));
    at(30, phaseStarted(3, { name: 'Timing of ours', origin: 'trtscope' }));
    at(45, phaseFinished(1));
    at(100);
    expect(told).toEqual([
      '70: phase "Timing*" 40 of 50',
      '80: phase "Timing*" spent, the phase "Timing of ours" has used up its budget of 50 ms',
    ]);
  });

  test('goes on through steps and children', () => {
    const { told, at } = watched(budget);
    at(0, phaseStarted(1, { name: 'Timing' }));
    for (let ms = 5; ms < 60; ms += 5) at(ms, stepCompleted(1, ms / 5));
    at(60, phaseFinished(1));
    expect(told).toHaveLength(2);
  });

  test('counts separately for each glob that matches', () => {
    const { told, at } = watched({ phaseMs: { '*': 20, Timing: 10 }, warnAt: 1 });
    at(0, phaseStarted(1, { name: 'Timing' }));
    at(30);
    expect(told.filter((line) => line.includes('spent'))).toEqual([
      '10: phase "Timing" spent, the phase "Timing" has used up its budget of 10 ms',
      '20: phase "*" spent, the phase "Timing" has used up its budget of 20 ms',
    ]);
  });
});

const message = (name: string) => `step spent, the phase "${name}" has made no step for 10 ms`;

describe('a budget of steps', () => {
  test('runs from the start of a phase, and from each step of it', () => {
    const { told, at } = watched({ stepMs: 10 });
    at(5, phaseStarted(1));
    at(12, stepCompleted(1, 1));
    at(19, stepCompleted(1, 2));
    at(40);
    expect(told).toEqual(['27: step 8 of 10', `29: ${message('phase 1')}`]);
  });

  test('warns once for each step that takes long', () => {
    const { told, at } = watched({ stepMs: 10 });
    at(0, phaseStarted(1));
    at(9, stepCompleted(1, 1));
    at(18, phaseFinished(1));
    at(50);
    expect(told).toEqual(['8: step 8 of 10', '17: step 8 of 10']);
  });

  test('rests for a phase that has live children, and runs on from the end of the last one', () => {
    const { told, at } = watched({ stepMs: 10 });
    at(0, phaseStarted(1));
    at(5, phaseStarted(2, { parent: 1 }), phaseStarted(3, { parent: 1, thread: 2 }));
    for (const ms of [10, 15, 20]) at(ms, stepCompleted(2, ms / 5 - 1), stepCompleted(3, ms / 5 - 1));
    at(22, phaseFinished(2));
    at(24, phaseFinished(3));
    at(30, stepCompleted(1, 1));
    at(50);
    expect(told).toEqual(['38: step 8 of 10', `40: ${message('phase 1')}`]);
  });

  test('is not moved by a step that the outer phase makes meanwhile', () => {
    const { told, at } = watched({ stepMs: 10, warnAt: 1 });
    at(0, phaseStarted(1), phaseStarted(2, { parent: 1 }));
    at(6, stepCompleted(1, 1));
    at(20);
    expect(told.at(-1)).toBe(`10: ${message('phase 2')}`);
    expect(told).toHaveLength(2);
  });

  test('does not run for phases of ours', () => {
    const { told, at } = watched({ stepMs: 10 });
    at(0, phaseStarted(1, { origin: 'trtscope' }));
    at(50, phaseFinished(1));
    expect(told).toEqual([]);
  });
});

describe('a budget of silence', () => {
  test('runs while a phase of TensorRT is live, from each callback anew', () => {
    const { told, at } = watched({ quietMs: 10 });
    at(0, phaseStarted(1, { origin: 'trtscope' }));
    at(50, phaseStarted(2));
    at(57, stepCompleted(0, 1), phaseFinished(1));
    at(60, logLine('a log line is no callback'));
    at(70, phaseFinished(2), phaseStarted(3, { origin: 'trtscope' }));
    at(100, buildFinished());
    expect(told).toEqual(['65: quiet 8 of 10', '67: quiet spent, TensorRT has made no callback for 10 ms']);
  });

  test('warns again of a second silence', () => {
    const { told, at } = watched({ quietMs: 10 });
    at(0, phaseStarted(1));
    at(9, stepCompleted(1, 1));
    at(18, stepCompleted(1, 2));
    expect(told).toEqual(['8: quiet 8 of 10', '17: quiet 8 of 10']);
  });
});

test('a watch that comes late takes up the phases that are live', () => {
  const { told, at } = watched({ phaseMs: { '*': 30 }, stepMs: 20, warnAt: 1 });
  const node = { thread: 1, origin: 'tensorrt', state: 'live', done: 0, children: [] } as const;
  const phases = [
    { ...node, phase: 1, name: 'outer', depth: 0, startedNs: 0 },
    { ...node, phase: 2, parent: 1, name: 'inner', depth: 1, startedNs: 5e6 },
    { ...node, phase: 3, name: 'over', depth: 0, startedNs: 6e6, state: 'finished' as const },
  ];
  at(10, { type: 'snapshot', timeNs: 0, tree: { phases, strays: 0 } });
  at(40);
  expect(told.filter((line) => line.includes('spent'))).toEqual([
    '30: phase "*" spent, the phase "outer" has used up its budget of 30 ms',
    '30: step spent, the phase "inner" has made no step for 20 ms',
    '35: phase "*" spent, the phase "inner" has used up its budget of 30 ms',
  ]);
});

test('without a budget nothing is ever due', () => {
  const { watch, at } = watched({ warnAt: 0.5 });
  at(0, phaseStarted(1), stepCompleted(1, 1));
  expect(watch.dueNs).toBe(Infinity);
});

/** Milliseconds for many steps while so many phases are live. */
function costWith(phases: number): number {
  const { watch } = watched({ totalMs: 1e6, phaseMs: { '*': 1e6 }, stepMs: 1e6, quietMs: 1e6 });
  for (let phase = 1; phase <= phases; phase += 1) watch.apply(phaseStarted(phase));
  const began = performance.now();
  for (let step = 0; step < 100_000; step += 1) {
    watch.apply(stepCompleted((step % phases) + 1, step, { timeNs: step }));
  }
  return performance.now() - began;
}

test('an event costs about the same with ten live phases as with ten thousand', () => {
  costWith(10);
  expect(costWith(10_000)).toBeLessThan(20 * costWith(10) + 200);
});
