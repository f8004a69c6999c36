import type { PhaseOrigin } from './events.ts';

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
