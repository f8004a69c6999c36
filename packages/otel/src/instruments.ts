import { ValueType } from '@opentelemetry/api';
import type { Counter, Histogram, Meter, UpDownCounter } from '@opentelemetry/api';
import { BoundedNames } from './bounded-names.ts';
import { LiveBuilds } from './live-builds.ts';
import { attributes, metrics } from './semconv.ts';
import type { Definition } from './semconv.ts';
import { StepCounter } from './step-counter.ts';

export const budgetKinds = ['total', 'phase', 'step', 'quiet'] as const;

const all = new WeakMap<Meter, Instruments>();

/** What the builds of one meter are measured with; made once, since gauges look at all of them together. */
export class Instruments {
  readonly buildDuration: Histogram;
  readonly buildOutcomes: Counter;
  readonly buildActive: UpDownCounter;
  readonly phaseDuration: Histogram;
  readonly phaseActive: UpDownCounter;
  readonly cancelLatency: Histogram;
  readonly budgetWarnings: Counter;
  readonly engineSize: Histogram;
  readonly steps: StepCounter;
  readonly live: LiveBuilds;
  readonly phaseNames = new BoundedNames();

  static of(meter: Meter): Instruments {
    const made = all.get(meter) ?? new Instruments(meter);
    all.set(meter, made);
    return made;
  }

  private constructor(meter: Meter) {
    this.buildDuration = histogram(meter, metrics.buildDuration);
    this.buildOutcomes = meter.createCounter(...described(metrics.buildOutcomes));
    this.buildActive = meter.createUpDownCounter(...described(metrics.buildActive));
    this.phaseDuration = histogram(meter, metrics.phaseDuration);
    this.phaseActive = meter.createUpDownCounter(...described(metrics.phaseActive));
    this.cancelLatency = histogram(meter, metrics.cancelLatency);
    this.budgetWarnings = meter.createCounter(...described(metrics.budgetWarnings));
    this.engineSize = histogram(meter, metrics.engineSize);
    this.steps = new StepCounter(meter.createCounter(...described(metrics.phaseSteps)));
    this.live = new LiveBuilds(meter);
    // What has no series yet shows no increase when it comes: each begins with 0.
    for (const result of ['built', 'cancelled', 'failed']) {
      this.buildOutcomes.add(0, { [attributes.buildResult.name]: result });
    }
    for (const kind of budgetKinds) {
      this.budgetWarnings.add(0, { [attributes.budgetKind.name]: kind });
    }
  }
}

function described({ name, unit, brief }: Definition) {
  // What is counted, and bytes, is whole.
  const valueType = unit === 's' ? ValueType.DOUBLE : ValueType.INT;
  return [name, { ...(unit !== undefined && { unit }), description: brief, valueType }] as const;
}

function histogram(
  meter: Meter,
  definition: Definition & { readonly buckets: readonly number[] },
): Histogram {
  const [name, options] = described(definition);
  return meter.createHistogram(name, {
    ...options,
    advice: { explicitBucketBoundaries: [...definition.buckets] },
  });
}
