import { diag } from '@opentelemetry/api';
import type { Attributes, HrTime, Span } from '@opentelemetry/api';
import { attributes, events } from './semconv.ts';
import { StepSample } from './step-sample.ts';
import type { StepMoment } from './step-sample.ts';
import type { TimeFrame } from './time-frame.ts';

/**
 * Which steps become span events. `sampled`: all of a phase up to a cap; past it the first, the last, the slowest and a
 * systematic sample. `all`: every one, whatever the SDK's limit then drops. `none`: none. Counts are exact with each.
 */
export type StepEventPolicy = 'sampled' | 'all' | 'none';

/** Takes one phase's steps. */
export interface PhaseStepEvents {
  add(step: StepMoment): void;
  /** When the frame has ended and the span has not; answers what to say of them on it. */
  end(): Attributes;
}

const maxEventsPerBuild = 4_000;

/** The one place that decides what becomes of a build's steps. */
export class StepEvents {
  readonly #policy: StepEventPolicy;
  readonly #maxPerSpan: number;
  readonly #timeAt: (timeNs: number) => HrTime;
  #left = maxEventsPerBuild;
  #warned = false;

  constructor(policy: StepEventPolicy, maxPerSpan: number, timeAt: (timeNs: number) => HrTime) {
    this.#policy = policy;
    this.#maxPerSpan = maxPerSpan;
    this.#timeAt = timeAt;
  }

  /** Absent when nothing is wanted or nothing is recorded. */
  forPhase(span: Span, frame: TimeFrame): PhaseStepEvents | undefined {
    if (!span.isRecording()) return undefined;
    switch (this.#policy) {
      case 'none':
        return undefined;
      case 'all':
        return this.#everyStep(span, frame);
      case 'sampled':
        return this.#sampled(span, frame);
    }
  }

  #sampled(span: Span, frame: TimeFrame): PhaseStepEvents {
    const sample = new StepSample(this.#maxPerSpan);
    return {
      add: (step) => sample.add(step),
      end: () => {
        // Half of what is left at most: a build of many phases still has some for its last ones.
        const { steps, slowest, stride } = sample.select(Math.min(this.#maxPerSpan, this.#left >> 1));
        this.#left -= steps.length;
        for (const step of steps) this.#addEvent(span, step, frame.clamp(step.timeNs), slowest.has(step));
        return {
          [attributes.stepEventsRecorded.name]: steps.length,
          [attributes.stepEventsStride.name]: stride,
        };
      },
    };
  }

  #everyStep(span: Span, frame: TimeFrame): PhaseStepEvents {
    let count = 0;
    return {
      add: (step) => {
        count += 1;
        this.#addEvent(span, step, frame.clamp(step.timeNs), false);
      },
      end: () => {
        // Only an SDK's span knows its limit; the API has no word for it.
        const dropped = (span as { readonly droppedEventsCount?: number }).droppedEventsCount ?? 0;
        if (dropped > 0) this.#warnOnce();
        return {
          [attributes.stepEventsRecorded.name]: count - dropped,
          [attributes.stepEventsStride.name]: 1,
        };
      },
    };
  }

  #addEvent(span: Span, step: StepMoment, timeNs: number, withDuration: boolean): void {
    span.addEvent(
      events.step.name,
      {
        [attributes.stepIndex.name]: step.index,
        ...(withDuration ? { [attributes.stepDuration.name]: step.forNs / 1e9 } : {}),
        ...(step.merged ? { [attributes.stepMerged.name]: step.merged } : {}),
      },
      this.#timeAt(timeNs),
    );
  }

  #warnOnce(): void {
    if (this.#warned) return;
    this.#warned = true;
    diag.warn(
      'The SDK dropped tensorrt.step events past its limit of events per span: raise OTEL_SPAN_EVENT_COUNT_LIMIT, or use the step-event policy "sampled".',
    );
  }
}
