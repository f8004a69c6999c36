import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, HrTime, Span, Tracer } from '@opentelemetry/api';
import type { FailureFacts, PhaseOrigin, StepCompleted } from '@trtscope/core';
import type { BuildMetrics } from './build-metrics.ts';
import { attributes } from './semconv.ts';
import { phaseSpanName } from './span-name.ts';
import type { PhaseStepEvents, StepEvents } from './step-events.ts';
import { TimeFrame } from './time-frame.ts';

/** A phase as an event, a snapshot or a result has it. */
export interface PhaseFacts {
  readonly phase: number;
  readonly parent?: number;
  readonly name: string;
  readonly origin: PhaseOrigin;
  readonly startedNs: number;
  readonly finishedNs?: number;
  readonly steps?: number;
  readonly done: number;
  readonly thread?: number;
}

/** What phase spans are made with. */
export interface PhaseSpansSetup {
  readonly tracer: Tracer;
  readonly root: { readonly span: Span; readonly frame: TimeFrame };
  /** The context that `root` was started in. */
  readonly context: Context;
  readonly timeAt: (timeNs: number) => HrTime;
  readonly stepEvents: StepEvents;
  readonly metrics: BuildMetrics;
}

interface PhaseSpan {
  readonly span: Span;
  readonly frame: TimeFrame;
  readonly name: string;
  readonly title: string;
  readonly origin: PhaseOrigin;
  readonly depth: number;
  stepEvents: PhaseStepEvents | undefined;
  /** An error was said in it. */
  suspect: boolean;
  done: number;
  lastStepNs: number;
}

/** One span per phase occurrence of a build. */
export class PhaseSpans {
  readonly #setup: PhaseSpansSetup;
  readonly #phases = new Map<number, PhaseSpan>();
  // Phases whose spans have not ended, in order of their starts. A phase may have: TensorRT finishes the phases of a failed
  // build like any others, so a span waits for the next start before it ends, since its status may still change.
  readonly #open = new Map<TimeFrame, PhaseSpan>();

  constructor(setup: PhaseSpansSetup) {
    this.#setup = setup;
  }

  /** Starts what is new, counts what is not counted, ends what has finished. */
  apply(facts: PhaseFacts): void {
    this.start(facts);
    const phase = this.#phases.get(facts.phase);
    if (phase === undefined) return;
    this.#countTo(phase, facts.done);
    if (facts.finishedNs !== undefined) this.#endFrame(phase, facts.finishedNs);
  }

  start(facts: Omit<PhaseFacts, 'done'>): void {
    if (facts.phase === 0 || this.#phases.has(facts.phase)) return;
    this.#endFinished(facts.origin);
    const { root, tracer, context, timeAt, stepEvents, metrics } = this.#setup;
    const parent = facts.parent === undefined ? undefined : this.#phases.get(facts.parent);
    const frame = new TimeFrame(facts.startedNs, parent?.frame ?? root.frame);
    const parentSpan = (frame.parent && this.#open.get(frame.parent)?.span) ?? root.span;
    const name = phaseSpanName(facts.name);
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const span = tracer.startSpan(
      name,
      {
        kind: SpanKind.INTERNAL,
        startTime: timeAt(frame.startNs),
        attributes: {
          [attributes.phaseName.name]: facts.name,
          [attributes.phaseDepth.name]: depth,
          [attributes.phaseOrigin.name]: facts.origin,
          ...(facts.steps === undefined ? {} : { [attributes.phaseStepsTotal.name]: facts.steps }),
          ...(facts.thread === undefined ? {} : { [attributes.threadId.name]: facts.thread }),
        },
      },
      trace.setSpan(context, parentSpan),
    );
    const phase: PhaseSpan = {
      span,
      frame,
      name,
      title: facts.name,
      origin: facts.origin,
      depth,
      stepEvents: stepEvents.forPhase({ span, frame, context: trace.setSpan(context, span) }),
      suspect: false,
      done: 0,
      lastStepNs: frame.startNs,
    };
    this.#phases.set(facts.phase, phase);
    this.#open.set(frame, phase);
    metrics.phaseStarted(phase);
    this.#hear(phase, facts.startedNs);
  }

  step(event: StepCompleted): void {
    const phase = this.#phases.get(event.phase);
    if (phase === undefined) return;
    this.#countTo(phase, event.done);
    this.#hear(phase, event.timeNs);
    phase.stepEvents?.add({
      index: event.step,
      timeNs: event.timeNs,
      forNs: event.longest?.forNs ?? event.timeNs - phase.lastStepNs,
      ...(event.merged === undefined ? {} : { merged: event.merged }),
    });
    phase.lastStepNs = event.timeNs;
  }

  finish(id: number, timeNs: number, done: number): void {
    const phase = this.#phases.get(id);
    if (phase === undefined) return;
    this.#countTo(phase, done);
    this.#hear(phase, timeNs);
    this.#endFrame(phase, timeNs);
  }

  /** What was said in a phase belongs to its span; without one, to the build's. */
  contextOf(id?: number): Context {
    const phase = id === undefined ? undefined : this.#phases.get(id);
    return trace.setSpan(this.#setup.context, phase?.span ?? this.#setup.root.span);
  }

  /** An error was said in this phase: its span stays open until it is known whether the build failed. */
  suspect(id: number): void {
    const phase = this.#phases.get(id);
    if (phase !== undefined) phase.suspect = true;
  }

  /** Ends all that is open; marks where it happened when there was a failure. */
  close(timeNs: number, failure?: FailureFacts): void {
    const open = [...this.#open.values()].reverse();
    if (failure !== undefined) {
      const title = failure.phasePath?.at(-1);
      const live = open.find((phase) => phase.frame.endNs === undefined);
      const failed = open.find((phase) => phase.title === title) ?? live;
      failed?.span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
    }
    for (const phase of open) {
      if (phase.frame.endNs === undefined) {
        phase.span.setAttribute(attributes.phaseResult.name, 'unfinished');
        this.#endFrame(phase, timeNs, false);
      }
      this.#endSpan(phase);
    }
  }

  // The time after TensorRT's phases is ours: it must not end theirs.
  #endFinished(started: PhaseOrigin): void {
    for (const phase of this.#open.values()) {
      const waits = phase.suspect || (started === 'trtscope' && phase.origin === 'tensorrt');
      if (phase.frame.endNs !== undefined && !waits) this.#endSpan(phase);
    }
  }

  #countTo(phase: PhaseSpan, done: number): void {
    if (done <= phase.done) return;
    this.#setup.metrics.stepsMade(phase, done - phase.done);
    phase.done = done;
  }

  #hear(phase: PhaseSpan, timeNs: number): void {
    if (phase.origin === 'tensorrt') this.#setup.metrics.heard(timeNs);
  }

  #endFrame(phase: PhaseSpan, timeNs: number, finished = true): void {
    if (phase.frame.endNs !== undefined) return;
    const endNs = phase.frame.end(timeNs);
    this.#setup.metrics.phaseEnded(phase, finished ? endNs - phase.frame.startNs : undefined);
    phase.span.setAttributes({
      [attributes.phaseSteps.name]: phase.done,
      ...phase.stepEvents?.end(),
    });
    phase.stepEvents = undefined;
  }

  #endSpan(phase: PhaseSpan): void {
    this.#open.delete(phase.frame);
    phase.span.end(this.#setup.timeAt(phase.frame.endNs ?? phase.frame.startNs));
  }
}
