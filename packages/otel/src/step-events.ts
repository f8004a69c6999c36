import { diag } from '@opentelemetry/api';
import type { Attributes, Context, HrTime, Span } from '@opentelemetry/api';
import type { Logger } from './logs-api.ts';
import { attributes, events } from './semconv.ts';
import { StepSample } from './step-sample.ts';
import type { StepMoment } from './step-sample.ts';
import type { TimeFrame } from './time-frame.ts';

/**
 * What becomes of steps. `sampled`: span events; all of a phase up to a cap, past it the first, the last, the slowest and a
 * systematic sample. `logs`: the same choice, as log records. `all`: every one as a span event, whatever the SDK's limit then
 * drops. `none`: nothing. Counts are exact with each.
 */
export type StepEventPolicy = 'sampled' | 'all' | 'logs' | 'none';

export const stepEventPolicies: readonly StepEventPolicy[] = ['sampled', 'all', 'logs', 'none'];

/** How many steps are kept at most. */
export interface StepCaps {
  readonly perSpan: number;
  readonly perBuild: number;
}

/** Takes one phase's steps. */
export interface PhaseStepEvents {
  add(step: StepMoment): void;
  /** When the frame has ended and the span has not; answers what to say of them on it. */
  end(): Attributes;
}

/** Where a phase's steps belong. */
export interface StepPlace {
  readonly span: Span;
  /** With that span. */
  readonly context: Context;
  readonly frame: TimeFrame;
}

type StepPutter = (place: StepPlace, step: StepMoment, withDuration: boolean) => void;

/** The one place that decides what becomes of a build's steps. */
export class StepEvents {
  readonly #policy: StepEventPolicy;
  readonly #perSpan: number;
  readonly #logger: Logger;
  readonly #timeAt: (timeNs: number) => HrTime;
  #left: number;
  #warned = false;

  constructor(policy: StepEventPolicy, caps: StepCaps, logger: Logger, timeAt: (timeNs: number) => HrTime) {
    this.#policy = policy;
    this.#perSpan = caps.perSpan;
    this.#left = caps.perBuild;
    this.#logger = logger;
    this.#timeAt = timeAt;
  }

  /** Absent when nothing is wanted or nothing is recorded. */
  forPhase(place: StepPlace): PhaseStepEvents | undefined {
    switch (this.#policy) {
      case 'none':
        return undefined;
      case 'all':
        return place.span.isRecording() ? this.#everyStep(place) : undefined;
      case 'sampled':
        return place.span.isRecording() ? this.#sampled(place, this.#addEvent) : undefined;
      case 'logs':
        return this.#sampled(place, this.#emit);
    }
  }

  #sampled(place: StepPlace, put: StepPutter): PhaseStepEvents {
    const sample = new StepSample(this.#perSpan);
    return {
      add: (step) => sample.add(step),
      end: () => {
        // Half of what is left at most: a build of many phases still has some for its last ones.
        const { steps, slowest, stride } = sample.select(Math.min(this.#perSpan, this.#left >> 1));
        this.#left -= steps.length;
        for (const step of steps) put(place, step, slowest.has(step));
        return {
          [attributes.stepEventsRecorded.name]: steps.length,
          [attributes.stepEventsStride.name]: stride,
        };
      },
    };
  }

  #everyStep(place: StepPlace): PhaseStepEvents {
    let count = 0;
    return {
      add: (step) => {
        count += 1;
        this.#addEvent(place, step, false);
      },
      end: () => {
        // Only an SDK's span knows its limit; the API has no word for it.
        const { droppedEventsCount: dropped = 0 } = place.span as { readonly droppedEventsCount?: number };
        if (dropped > 0) this.#warnOnce();
        return {
          [attributes.stepEventsRecorded.name]: count - dropped,
          [attributes.stepEventsStride.name]: 1,
        };
      },
    };
  }

  readonly #addEvent: StepPutter = ({ span, frame }, step, withDuration) => {
    span.addEvent(
      events.step.name,
      stepAttributes(step, withDuration),
      this.#timeAt(frame.clamp(step.timeNs)),
    );
  };

  readonly #emit: StepPutter = ({ context, frame }, step, withDuration) => {
    this.#logger.emit({
      eventName: events.step.name,
      timestamp: this.#timeAt(frame.clamp(step.timeNs)),
      severityNumber: 9,
      severityText: 'INFO',
      attributes: stepAttributes(step, withDuration),
      context,
    });
  };

  #warnOnce(): void {
    if (this.#warned) return;
    this.#warned = true;
    diag.warn(
      'The SDK dropped tensorrt.step events past its limit of events per span: raise OTEL_SPAN_EVENT_COUNT_LIMIT, or use the step-event policy "sampled".',
    );
  }
}

function stepAttributes(step: StepMoment, withDuration: boolean): Attributes {
  return {
    [attributes.stepIndex.name]: step.index,
    ...(withDuration ? { [attributes.stepDuration.name]: step.forNs / 1e9 } : {}),
    ...(step.merged ? { [attributes.stepMerged.name]: step.merged } : {}),
  };
}
