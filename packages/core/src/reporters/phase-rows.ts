import type { BuildStory } from './build-story.ts';
import type { PhaseNode, PhaseTree } from '../phase-tree.ts';

/** How a phase is marked. `stopped`: a cancel ended it. `failed`: the build failed in it. */
type PhaseMark = 'live' | 'done' | 'failed' | 'stopped';

export interface PhaseRow {
  readonly node: PhaseNode;
  readonly mark: PhaseMark;
}

/** The rows of a tree that a screen shows, and how many it does not. */
export interface PhaseRows {
  readonly rows: readonly PhaseRow[];
  readonly hidden: number;
}

/** At most `limit` phases in the order of the tree: the live ones come first, then those that finished last. */
export function phaseRows(story: BuildStory, limit: number): PhaseRows {
  const phases = inTreeOrder(story.tree);
  const kept = phases.length <= limit ? phases : choose(phases, Math.max(0, limit));
  const failed = failedPhases(story);
  return {
    rows: kept.map((node) => ({ node, mark: markOf(node, story, failed) })),
    hidden: phases.length - kept.length,
  };
}

function inTreeOrder(tree: PhaseTree): PhaseNode[] {
  const ordered: PhaseNode[] = [];
  const waiting = [...tree.roots].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    ordered.push(node);
    for (const child of node.children.toReversed()) {
      waiting.push(tree.get(child) as PhaseNode);
    }
  }
  return ordered;
}

function choose(phases: readonly PhaseNode[], limit: number): PhaseNode[] {
  const byInterest = phases.toSorted((a, b) => {
    const [aEnd, bEnd] = [endOf(a), endOf(b)];
    return aEnd === bEnd ? b.phase - a.phase : bEnd - aEnd;
  });
  const kept = new Set(byInterest.slice(0, limit));
  return phases.filter((node) => kept.has(node));
}

function endOf(node: PhaseNode): number {
  return node.finishedNs ?? Infinity;
}

// TensorRT finishes the phases it leaves because of a cancel or a failure like any other.
function markOf(
  node: PhaseNode,
  { cancel, finished }: BuildStory,
  failed: ReadonlySet<PhaseNode>,
): PhaseMark {
  if (failed.has(node)) {
    return 'failed';
  }
  const stoppedAt = finished?.outcome === 'cancelled' ? (cancel?.acknowledged?.atNs ?? Infinity) : Infinity;
  if (finished === undefined) {
    return node.state === 'live' ? 'live' : 'done';
  }
  return node.state === 'finished' && (node.finishedNs ?? 0) < stoppedAt ? 'done' : 'stopped';
}

function failedPhases({ tree, finished }: BuildStory): ReadonlySet<PhaseNode> {
  const path = finished?.outcome === 'failed' ? (finished.error?.phasePath ?? []) : [];
  const found = new Set<PhaseNode>();
  let level: readonly PhaseNode[] = tree.roots;
  for (const name of path) {
    const node = level.findLast((candidate) => candidate.name === name);
    if (node === undefined) {
      break;
    }
    found.add(node);
    level = node.children.map((child) => tree.get(child) as PhaseNode);
  }
  return found;
}
