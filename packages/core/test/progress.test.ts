import { describe, expect, test } from 'vitest';
import type { BuildEvent } from '../src/events.ts';
import { PhaseTree } from '../src/phase-tree.ts';
import { buildFinished, phaseFinished, phaseStarted, stepCompleted } from './events.ts';
import { recordedEvents, type RecordingName } from './recordings.ts';

function progressOf(events: readonly BuildEvent[]): number | undefined {
  const tree = new PhaseTree();
  for (const event of events) tree.apply(event);
  return tree.progress;
}

const root = phaseStarted(1, { steps: 4 });

test('progress is unknown before the first TensorRT root, and while that announces no steps', () => {
  const own = phaseStarted(9, { origin: 'trtscope', steps: 3 });
  expect(progressOf([own])).toBeUndefined();
  expect(progressOf([own, phaseStarted(1), stepCompleted(1, 2)])).toBeUndefined();
});

test('the newest live child adds its own part of a step', () => {
  const child = phaseStarted(2, { parent: 1, steps: 2 });
  expect(progressOf([root, stepCompleted(1, 1), child, stepCompleted(2, 1)])).toBe(1.5 / 4);
  expect(progressOf([root, stepCompleted(1, 1), child, stepCompleted(2, 9)])).toBe(2 / 4);
});

test('an older live child counts again once the newest has finished', () => {
  const events = [
    root,
    phaseStarted(2, { parent: 1, steps: 2 }),
    phaseStarted(3, { parent: 1 }),
    stepCompleted(2, 1),
  ];
  expect(progressOf(events)).toBe(0);
  expect(progressOf([...events, phaseFinished(3)])).toBe(0.5 / 4);
});

test('a root that says more steps than it announced stays below 1 until the build is built', () => {
  const events = [root, stepCompleted(1, 9)];
  expect(progressOf(events)).toBe(0.999);
  expect(progressOf([...events, buildFinished('failed')])).toBe(0.999);
  expect(progressOf([...events, buildFinished('built')])).toBe(1);
});

test('a second root does not change the progress of the build', () => {
  expect(progressOf([root, stepCompleted(1, 2), phaseFinished(1), phaseStarted(2, { steps: 9 })])).toBe(
    2 / 4,
  );
});

/**
 * The definition, word by word, over the whole history and with nothing kept between events: a phase's progress is the
 * largest so far of (done + min(1, the newest live child's progress)) / steps.
 */
function slowProgress(events: readonly BuildEvent[]): number[] {
  interface Phase {
    readonly parent: number | undefined;
    readonly steps: number;
    live: boolean;
    done: number;
    best: number;
  }
  const phases = new Map<number, Phase>();
  let rootId: number | undefined;
  const values: number[] = [];
  for (const event of events) {
    if (event.type === 'phase.started') {
      phases.set(event.phase, {
        parent: event.parent,
        steps: event.steps ?? Infinity,
        live: true,
        done: 0,
        best: 0,
      });
      rootId ??= event.phase;
    }
    const phase = 'phase' in event && event.phase !== undefined ? phases.get(event.phase) : undefined;
    if (phase !== undefined && event.type === 'step.completed') phase.done = event.done;
    if (phase !== undefined && event.type === 'phase.finished') phase.live = false;
    // Children have higher ids than their parents, so that from the highest down every child is settled first.
    for (const [id, each] of [...phases].sort(([a], [b]) => b - a)) {
      const newest = [...phases.values()].findLast((other) => other.parent === id && other.live);
      if (each.live)
        each.best = Math.max(
          each.best,
          Math.min(1, (each.done + Math.min(1, newest?.best ?? 0)) / each.steps),
        );
    }
    const best = rootId === undefined ? 0 : (phases.get(rootId)?.best ?? 0);
    values.push(event.type === 'build.finished' && event.outcome === 'built' ? 1 : Math.min(0.999, best));
  }
  return values;
}

describe('on real builds', () => {
  const names: RecordingName[] = [
    'synthetic-convnet',
    'silero-vad-openvino-16k',
    'pp-ocrv4-det',
    'synthetic-convnet-rtx-1.4',
  ];

  test.each(names)('progress of %s is what the definition says, event by event', (name) => {
    const events = recordedEvents(name);
    const tree = new PhaseTree();
    const values = events.map((event) => {
      tree.apply(event);
      return tree.progress ?? 0;
    });
    expect(values).toEqual(slowProgress(events));
  });

  // Worked out by hand. The root announces 6 steps, and its fifth, "Building engine from subgraph", has one step of its own:
  // so 15 of 30 steps of "Optimizing graph" inside that are (4 + 15 / 30) / 6.
  test.each<[name: RecordingName, phase: string, done: number, progress: number]>([
    ['synthetic-convnet', 'Cloning network graph', 41, 41 / 82 / 6],
    ['synthetic-convnet', 'Preparing graph for optimization', 1, (2 + 1 / 4) / 6],
    ['synthetic-convnet', 'Optimizing graph', 15, 4.5 / 6],
    ['synthetic-convnet', 'Computing profile costs', 5, 5 / 6],
    ['silero-vad-openvino-16k', 'Cloning network graph', 653, 1 / 6],
    ['silero-vad-openvino-16k', 'Preparing graph for optimization', 4, 3 / 6],
    ['silero-vad-openvino-16k', 'Optimizing graph', 3, 4.1 / 6],
    ['pp-ocrv4-det', 'Cloning network graph', 319, 0.5 / 6],
    ['pp-ocrv4-det', 'Optimizing graph', 30, 5 / 6],
    ['pp-ocrv4-det', 'Building engine', 5, 5 / 6],
    ['synthetic-convnet-rtx-1.4', 'Optimizing graph', 29, (4 + 29 / 33) / 6],
  ])('in %s, "%s" at step %d means progress %d', (name, phase, done, progress) => {
    const tree = new PhaseTree();
    for (const event of recordedEvents(name)) {
      tree.apply(event);
      if (event.type === 'step.completed' && event.done === done && tree.get(event.phase)?.name === phase)
        break;
    }
    expect(tree.progress).toBeCloseTo(progress, 12);
  });
});
