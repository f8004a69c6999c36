import type { PhaseEntry } from './phase-tree.ts';

/**
 * Raises a live phase's progress to what its steps and its newest live child say, then its ancestors'. It never falls: a
 * child that ends hands its part over to the step that its parent makes next.
 */
export function raiseProgress(from: PhaseEntry | undefined): void {
  for (let entry = from; entry !== undefined; entry = entry.parent) {
    const { node, live } = entry;
    if (node.state !== 'live' || node.steps === undefined) return;
    const child = Math.min(1, live.at(-1)?.node.progress ?? 0);
    const progress = Math.min(1, (node.done + child) / node.steps);
    if (progress <= (node.progress ?? 0)) return;
    node.progress = progress;
  }
}
