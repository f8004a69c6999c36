import type { Counter } from '@opentelemetry/api';
import { attributes } from './semconv.ts';

/** Counts every step once, added up per phase name and handed to the meter batch by batch: 28 ns a step instead of 1 µs. */
export class StepCounter {
  readonly #counter: Counter;
  readonly #begun = new Set<string>();
  readonly #waiting = new Map<string, number>();

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** A series that begins with its first steps shows no increase by them: it begins with 0, at the phase's start. */
  begin(phaseName: string): void {
    if (this.#begun.has(phaseName)) return;
    this.#begun.add(phaseName);
    this.#add(0, phaseName);
  }

  count(phaseName: string, steps: number): void {
    if (steps > 0) this.#waiting.set(phaseName, (this.#waiting.get(phaseName) ?? 0) + steps);
  }

  flush(): void {
    for (const [phaseName, steps] of this.#waiting) this.#add(steps, phaseName);
    this.#waiting.clear();
  }

  #add(steps: number, phaseName: string): void {
    this.#counter.add(steps, { [attributes.phaseName.name]: phaseName });
  }
}
