import type {
  BuildEvent,
  BuildFinished,
  PhaseFinished,
  PhaseOrigin,
  PhaseStarted,
  StepCompleted,
} from './events.ts';
import { raiseProgress } from './progress.ts';

/** `live` until it finishes; `unfinished` when the build ended first. */
export type PhaseState = 'live' | 'finished' | 'unfinished';

/** One occurrence of a phase. Plain data: a consumer may keep it, but only the tree changes it. */
export interface PhaseNode {
  readonly phase: number;
  readonly parent?: number;
  readonly parentName?: string;
  readonly name: string;
  readonly origin: PhaseOrigin;
  readonly thread: number;
  /** 0 for a root. */
  readonly depth: number;
  /** As announced; absent when none were. */
  readonly steps?: number;
  readonly startedNs: number;
  readonly finishedNs?: number;
  readonly state: PhaseState;
  readonly done: number;
  /** The last step made, 0-based. */
  readonly lastStep?: number;
  /** 0 to 1; absent without announced steps. Never falls. */
  readonly progress?: number;
  /** In order of their starts. */
  readonly children: readonly number[];
}

/** A {@link PhaseTree} as JSON-safe data. */
export interface TreeSnapshot {
  /** In order of their starts. */
  readonly phases: readonly PhaseNode[];
  readonly strays: number;
}

/** What the tree keeps of a phase beside its public node. */
export interface PhaseEntry {
  readonly node: { -readonly [K in keyof PhaseNode]: PhaseNode[K] } & { readonly children: number[] };
  readonly parent: PhaseEntry | undefined;
  /** Live children, the newest last. */
  readonly live: PhaseEntry[];
}

/** A build shows at most this much before it is built. */
const unbuiltLimit = 0.999;

/** The phases of a build, made from its events in whatever order they come. Nothing makes it throw. */
export class PhaseTree {
  readonly #entries = new Map<number, PhaseEntry>();
  readonly #phases: PhaseNode[] = [];
  readonly #roots: PhaseNode[] = [];
  readonly #live: PhaseEntry[] = [];
  #firstTensorrtRoot: PhaseNode | undefined;
  #strays = 0;
  #outcome: BuildFinished['outcome'] | undefined;

  /** A tree that goes on where `snapshot` was taken. */
  static from(snapshot: TreeSnapshot): PhaseTree {
    const tree = new PhaseTree();
    tree.#restore(snapshot);
    return tree;
  }

  /** Takes one event of the build. After `build.finished` the tree stands still. */
  apply(event: BuildEvent): void {
    if (this.#outcome !== undefined) return;
    switch (event.type) {
      case 'phase.started':
        this.#start(event);
        break;
      case 'step.completed':
        this.#step(event);
        break;
      case 'phase.finished':
        this.#finish(event);
        break;
      case 'snapshot':
        this.#restore(event.tree);
        break;
      case 'build.finished':
        this.#end(event);
        break;
      case 'build.started':
      case 'tensorrt.loaded':
      case 'log':
      case 'budget.warning':
      case 'cancel.requested':
      case 'cancel.escalated':
      case 'cancel.acknowledged':
      case 'quiet':
        break;
    }
  }

  /** Phases without a parent, in order of their starts. */
  get roots(): readonly PhaseNode[] {
    return this.#roots;
  }

  /** Steps and finishes that named a phase which was not live. */
  get strays(): number {
    return this.#strays;
  }

  /** The most recently started phase that is live. */
  get innermostLive(): PhaseNode | undefined {
    return this.#live.at(-1)?.node;
  }

  /** 0 to 1, and 1 only once built; absent as long as it is unknown. Never falls. */
  get progress(): number | undefined {
    if (this.#outcome === 'built') return 1;
    const progress = this.#firstTensorrtRoot?.progress;
    return progress === undefined ? undefined : Math.min(progress, unbuiltLimit);
  }

  get(phase: number): PhaseNode | undefined {
    return this.#entries.get(phase)?.node;
  }

  /** Every phase, in order of the starts. */
  phases(): readonly PhaseNode[] {
    return this.#phases;
  }

  /** The phases that are live, in order of their starts. */
  live(): readonly PhaseNode[] {
    return this.#live.map((entry) => entry.node);
  }

  /** Names from the root down to this phase; empty for an unknown one. */
  pathOf(phase: number | undefined): readonly string[] {
    const path: string[] = [];
    let entry = phase === undefined ? undefined : this.#entries.get(phase);
    for (; entry !== undefined; entry = entry.parent) path.push(entry.node.name);
    return path.reverse();
  }

  snapshot(): TreeSnapshot {
    const phases = this.#phases.map((node) => ({ ...node, children: [...node.children] }));
    return { phases, strays: this.#strays };
  }

  #start(event: PhaseStarted): void {
    // Id 0 stands for strays, and the first phase of an id keeps it.
    if (event.phase === 0 || this.#entries.has(event.phase)) return;
    const parent = event.parent === undefined ? undefined : this.#entries.get(event.parent);
    this.#add({
      phase: event.phase,
      ...(parent !== undefined && { parent: parent.node.phase }),
      ...(event.parentName !== undefined && { parentName: event.parentName }),
      name: event.name,
      origin: event.origin,
      thread: event.thread,
      depth: 0,
      ...(event.steps !== undefined && event.steps > 0 && { steps: event.steps, progress: 0 }),
      startedNs: event.timeNs,
      state: 'live',
      done: 0,
      children: [],
    });
    raiseProgress(parent);
  }

  #step(event: StepCompleted): void {
    const entry = this.#entries.get(event.phase);
    if (entry?.node.state !== 'live') {
      this.#strays += 1 + (event.merged ?? 0);
      return;
    }
    entry.node.done = Math.max(entry.node.done, event.done);
    entry.node.lastStep = event.step;
    raiseProgress(entry);
  }

  #finish(event: PhaseFinished): void {
    const entry = this.#entries.get(event.phase);
    if (entry?.node.state !== 'live') {
      this.#strays += 1;
      return;
    }
    entry.node.done = Math.max(entry.node.done, event.done);
    raiseProgress(entry);
    entry.node.finishedNs = event.timeNs;
    entry.node.state = 'finished';
    remove(this.#live, entry);
    if (entry.parent !== undefined) remove(entry.parent.live, entry);
    raiseProgress(entry.parent);
  }

  #end(event: BuildFinished): void {
    this.#outcome = event.outcome;
    for (const { node } of this.#live) node.state = 'unfinished';
    this.#live.length = 0;
  }

  #restore(snapshot: TreeSnapshot): void {
    this.#entries.clear();
    for (const list of [this.#phases, this.#roots, this.#live]) list.length = 0;
    this.#firstTensorrtRoot = undefined;
    this.#strays = snapshot.strays;
    for (const phase of snapshot.phases) {
      if (!this.#entries.has(phase.phase)) this.#add({ ...phase, children: [] });
    }
  }

  /** Ties a phase to its parent, where that is known; parents come before their children, so no loop can arise. */
  #add(node: PhaseEntry['node']): void {
    const parent = node.parent === undefined ? undefined : this.#entries.get(node.parent);
    if (parent === undefined) {
      delete node.parent;
      node.depth = 0;
      this.#roots.push(node);
      if (node.origin === 'tensorrt') this.#firstTensorrtRoot ??= node;
    } else {
      node.depth = parent.node.depth + 1;
      parent.node.children.push(node.phase);
    }
    const entry: PhaseEntry = { node, parent, live: [] };
    this.#entries.set(node.phase, entry);
    this.#phases.push(node);
    if (node.state !== 'live') return;
    this.#live.push(entry);
    parent?.live.push(entry);
  }
}

/** From the end, where what finishes nearly always is. */
function remove(entries: PhaseEntry[], entry: PhaseEntry): void {
  const index = entries.lastIndexOf(entry);
  if (index !== -1) entries.splice(index, 1);
}
