import type { BuildEvent, StepCompleted } from './events.ts';

/** A step and how long it took. */
export type StepTime = NonNullable<StepCompleted['longest']>;

/** Knows how long each step took: from the step before it, or from the start of its phase. */
export class StepTimes {
  readonly #sinceNs = new Map<number, number>();

  /** The longest of the steps that an event stands for; undefined for any other event. */
  take(event: BuildEvent): StepTime | undefined {
    if (event.type === 'phase.started') this.#sinceNs.set(event.phase, event.timeNs);
    if (event.type === 'phase.finished') this.#sinceNs.delete(event.phase);
    if (event.type !== 'step.completed') return undefined;
    const sinceNs = this.#sinceNs.get(event.phase) ?? event.timeNs;
    this.#sinceNs.set(event.phase, event.timeNs);
    return event.longest ?? { step: event.step, forNs: Math.max(0, event.timeNs - sinceNs) };
  }
}
