import type { BuildEvent, StepCompleted } from './events.ts';
import type { StepTime } from './step-times.ts';

/** Steps merge when more events than this wait. */
export const mergeAbove = 8192;
/** No more events than this wait beside steps. */
export const maxKept = 65_536;

interface WaitingStep {
  index: number;
  readonly longest: StepTime;
}

/**
 * Events that wait for one consumer. Past {@link mergeAbove} a step takes up the waiting step of its phase, so that the
 * count stays exact and memory bounded; every other event is kept.
 */
export class MergingQueue {
  readonly #mergeAbove: number;
  /** A hole is left where a step was taken up by a later one. */
  #slots: (BuildEvent | undefined)[] = [];
  #holes = 0;
  #kept = 0;
  readonly #lastSteps = new Map<number, WaitingStep>();

  constructor(limit = mergeAbove) {
    this.#mergeAbove = limit;
  }

  get size(): number {
    return this.#slots.length - this.#holes;
  }

  /** Adds an event, `longest` being its longest step. False when it is one too many of those that cannot merge. */
  push(event: BuildEvent, longest: StepTime | undefined): boolean {
    if (event.type === 'step.completed' && longest !== undefined) {
      this.#pushStep(event, longest);
      return true;
    }
    if (this.#kept >= maxKept) return false;
    this.#kept += 1;
    // A step never moves past the start or the end of its own phase.
    if (event.type === 'phase.started' || event.type === 'phase.finished') {
      this.#lastSteps.delete(event.phase);
    }
    this.#slots.push(event);
    return true;
  }

  /** Everything that waits, in order. */
  takeAll(): BuildEvent[] {
    const events = this.#slots.filter((event) => event !== undefined);
    this.#slots = [];
    this.#holes = 0;
    this.#kept = 0;
    this.#lastSteps.clear();
    return events;
  }

  #pushStep(event: StepCompleted, longest: StepTime): void {
    const waiting = this.size > this.#mergeAbove ? this.#lastSteps.get(event.phase) : undefined;
    if (waiting === undefined) {
      this.#append(event, longest);
      return;
    }
    const earlier = this.#slots[waiting.index] as StepCompleted;
    this.#slots[waiting.index] = undefined;
    this.#holes += 1;
    const longer = waiting.longest.forNs >= longest.forNs ? waiting.longest : longest;
    const merged = (earlier.merged ?? 0) + 1 + (event.merged ?? 0);
    this.#append({ ...event, merged, longest: longer }, longer);
    // Half of the slots at least: the cost of closing the holes is spread over as many pushes.
    if (this.#holes > this.#mergeAbove && this.#holes > this.#slots.length / 2) this.#closeHoles();
  }

  #append(event: StepCompleted, longest: StepTime): void {
    this.#lastSteps.set(event.phase, { index: this.#slots.length, longest });
    this.#slots.push(event);
  }

  #closeHoles(): void {
    const events: BuildEvent[] = [];
    for (const [index, event] of this.#slots.entries()) {
      if (event === undefined) continue;
      const waiting = event.type === 'step.completed' ? this.#lastSteps.get(event.phase) : undefined;
      if (waiting?.index === index) waiting.index = events.length;
      events.push(event);
    }
    this.#slots = events;
    this.#holes = 0;
  }
}
