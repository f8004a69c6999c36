import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BuildEvent } from '../src/events.ts';
import { PhaseTree } from '../src/phase-tree.ts';
import { orderlyEvents, wildEvents } from './arbitrary-events.ts';
import { buildFinished, phaseFinished, phaseStarted, stepCompleted } from './events.ts';

function treeOf(events: readonly BuildEvent[]): PhaseTree {
  const tree = new PhaseTree();
  for (const event of events) tree.apply(event);
  return tree;
}

describe('identity', () => {
  test('a name that occurs twice makes two phases', () => {
    const tree = treeOf([phaseStarted(1, { name: 'a' }), phaseFinished(1), phaseStarted(2, { name: 'a' })]);
    expect(tree.phases().map(({ phase, name }) => [phase, name])).toEqual([
      [1, 'a'],
      [2, 'a'],
    ]);
  });

  test('a phase with an unknown parent becomes a root and keeps the name of that parent', () => {
    const tree = treeOf([phaseStarted(3, { parent: 9, parentName: 'gone' })]);
    expect(tree.roots).toEqual([tree.get(3)]);
    expect(tree.get(3)).toMatchObject({ parentName: 'gone', depth: 0 });
    expect(tree.get(3)).not.toHaveProperty('parent');
  });

  test('a second start of an id, and a start with the id of strays, change nothing', () => {
    const tree = treeOf([
      phaseStarted(1, { name: 'first' }),
      phaseStarted(1, { name: 'second' }),
      phaseStarted(0),
    ]);
    expect(tree.phases().map(({ name }) => name)).toEqual(['first']);
  });

  test('a phase that names itself as its parent is a root', () => {
    expect(treeOf([phaseStarted(1, { parent: 1 })]).roots).toHaveLength(1);
  });

  test('children, depth and path follow the parents', () => {
    const tree = treeOf([phaseStarted(1), phaseStarted(2, { parent: 1 }), phaseStarted(3, { parent: 2 })]);
    expect(tree.get(1)?.children).toEqual([2]);
    expect(tree.get(3)?.depth).toBe(2);
    expect(tree.pathOf(3)).toEqual(['phase 1', 'phase 2', 'phase 3']);
    expect(tree.pathOf(8)).toEqual([]);
  });
});

describe('counts', () => {
  test('a step keeps its phase at the count that it says, and at the last step', () => {
    const tree = treeOf([phaseStarted(1), stepCompleted(1, 1), stepCompleted(1, 7, { merged: 5 })]);
    expect(tree.get(1)).toMatchObject({ done: 7, lastStep: 6 });
  });

  test('steps of phases that are not live are strays, each one of a merged event', () => {
    const tree = treeOf([
      phaseStarted(1),
      phaseFinished(1),
      stepCompleted(1, 1),
      stepCompleted(0, 3, { merged: 2 }),
    ]);
    expect(tree.strays).toBe(4);
  });

  test('finishes of phases that are not live are strays', () => {
    const tree = treeOf([
      phaseFinished(0, 1),
      phaseFinished(5),
      phaseStarted(1),
      phaseFinished(1),
      phaseFinished(1),
    ]);
    expect(tree.strays).toBe(3);
    expect(tree.get(1)?.finishedNs).toBe(0);
  });

  test('a step of a parent while its child is live belongs to the parent', () => {
    const tree = treeOf([phaseStarted(1), phaseStarted(2, { parent: 1 }), stepCompleted(1, 1)]);
    expect([tree.get(1)?.done, tree.get(2)?.done]).toEqual([1, 0]);
  });
});

describe('liveness', () => {
  test('the innermost live phase is the one that started last and has not finished', () => {
    const tree = treeOf([phaseStarted(1), phaseStarted(2, { parent: 1 }), phaseStarted(3, { parent: 2 })]);
    expect(tree.innermostLive?.phase).toBe(3);
    tree.apply(phaseFinished(3));
    expect(tree.innermostLive?.phase).toBe(2);
    expect(tree.live().map(({ phase }) => phase)).toEqual([1, 2]);
  });

  test('phases that are live when the build ends are unfinished', () => {
    const tree = treeOf([phaseStarted(1), phaseStarted(2), phaseFinished(2), buildFinished('failed')]);
    expect(tree.phases().map(({ state }) => state)).toEqual(['unfinished', 'finished']);
    expect(tree.live()).toEqual([]);
    expect(tree.get(1)).not.toHaveProperty('finishedNs');
  });

  test('nothing changes after the end', () => {
    const tree = treeOf([phaseStarted(1), buildFinished('failed')]);
    const before = tree.snapshot();
    for (const event of [phaseStarted(2), stepCompleted(1, 3), phaseFinished(1), buildFinished()])
      tree.apply(event);
    expect(tree.snapshot()).toEqual(before);
  });
});

describe('any order of events', () => {
  test('never throws, keeps ids unique, and ties each phase to its parent', () => {
    fc.assert(
      fc.property(wildEvents, (events) => {
        const tree = treeOf(events);
        const ids = tree.phases().map(({ phase }) => phase);
        expect(new Set(ids).size).toBe(ids.length);
        for (const node of tree.phases()) {
          const parent = node.parent === undefined ? undefined : tree.get(node.parent);
          expect(node.parent === undefined).toBe(tree.roots.includes(node));
          expect(parent?.children.includes(node.phase) ?? true).toBe(true);
          expect(node.depth).toBe(parent === undefined ? 0 : parent.depth + 1);
          expect(tree.pathOf(node.phase)).toHaveLength(node.depth + 1);
          expect(tree.live().includes(node)).toBe(node.state === 'live');
        }
      }),
    );
  });

  test('loses no step: each one is in a phase or a stray', () => {
    fc.assert(
      fc.property(orderlyEvents, (events) => {
        const tree = treeOf(events);
        const done = tree.phases().reduce((sum, node) => sum + node.done, 0);
        expect(done + tree.strays).toBe(events.filter(({ type }) => type === 'step.completed').length);
      }),
    );
  });

  test('progress of a phase and of the build never falls, and stays between 0 and 1', () => {
    fc.assert(
      fc.property(wildEvents, fc.constantFrom('built' as const, 'failed' as const), (events, outcome) => {
        const tree = new PhaseTree();
        const last = new Map<number | 'build', number>();
        const see = (key: number | 'build', progress: number | undefined): void => {
          expect(progress === undefined && last.has(key)).toBe(false);
          if (progress === undefined) return;
          expect(progress).toBeGreaterThanOrEqual(last.get(key) ?? 0);
          expect(progress).toBeLessThanOrEqual(1);
          last.set(key, progress);
        };
        for (const event of [...events, buildFinished(outcome)]) {
          if (last.has('build')) expect(tree.progress).toBeLessThan(1);
          tree.apply(event);
          for (const node of tree.phases()) see(node.phase, node.progress);
          see('build', tree.progress);
        }
        if (outcome === 'built') expect(tree.progress).toBe(1);
      }),
    );
  });

  test('a tree made from a snapshot goes on exactly as the one that it was taken of', () => {
    fc.assert(
      fc.property(wildEvents, wildEvents, (before, after) => {
        const tree = treeOf(before);
        const copy = PhaseTree.from(structuredClone(tree.snapshot()));
        expect(copy.snapshot()).toEqual(tree.snapshot());
        for (const event of after) {
          tree.apply(event);
          copy.apply(event);
        }
        expect(copy.snapshot()).toEqual(tree.snapshot());
        expect(copy.progress).toBe(tree.progress);
        expect(copy.live()).toEqual(tree.live());
      }),
    );
  });
});

test('a snapshot is a copy that the tree does not change any more', () => {
  const tree = treeOf([phaseStarted(1, { steps: 2 })]);
  const snapshot = tree.snapshot();
  tree.apply(phaseStarted(2, { parent: 1 }));
  tree.apply(stepCompleted(1, 1));
  expect(snapshot.phases).toMatchObject([{ phase: 1, done: 0, progress: 0, children: [] }]);
});

test('a snapshot event replaces what the tree knew', () => {
  const tree = treeOf([phaseStarted(7), phaseFinished(9)]);
  const other = treeOf([phaseStarted(1, { steps: 4 }), stepCompleted(1, 1)]);
  tree.apply({ type: 'snapshot', build: 'b', seq: 5, timeNs: 9, tree: other.snapshot() });
  expect(tree.snapshot()).toEqual(other.snapshot());
  expect(tree.progress).toBe(0.25);
});
