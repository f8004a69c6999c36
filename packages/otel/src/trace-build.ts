import { SpanKind, SpanStatusCode, diag, metrics, trace } from '@opentelemetry/api';
import type { Attributes, Context, MeterProvider, SpanContext, TracerProvider } from '@opentelemetry/api';
import type { Build, BuildEvent, BuildResult, LogSeverity } from '@trtscope/core';
import { addCancelMoment, cancelAttributes } from './cancel-trace.ts';
import { parentContext } from './parent-context.ts';
import type { Environment } from './parent-context.ts';
import { PhaseSpans } from './phase-spans.ts';
import { attributes } from './semconv.ts';
import { buildSpanName, stem } from './span-name.ts';
import { StepCounter } from './step-counter.ts';
import { StepEvents } from './step-events.ts';
import type { StepEventPolicy } from './step-events.ts';
import { TimeFrame, timeAt } from './time-frame.ts';

const scope = '@trtscope/otel';
const defaultEventLimit = 120;

/** How a build is traced. */
export interface TraceOptions {
  /** Parent of the build's span. Default: the active context, else TRACEPARENT of the environment, else none. */
  readonly parent?: Context;
  /** Default `sampled`. */
  readonly stepEvents?: StepEventPolicy;
  /**
   * Step events on one span at most. Default 120, so that an SDK with the default limit of 128 loses none, or
   * OTEL_SPAN_EVENT_COUNT_LIMIT where that is lower.
   */
  readonly maxEventsPerSpan?: number;
  /** Default: the one registered globally. */
  readonly tracerProvider?: TracerProvider;
  /** Default: the one registered globally. */
  readonly meterProvider?: MeterProvider;
  /** Default `process.env`. */
  readonly environment?: Environment;
}

/** A build's trace. */
export interface BuildTrace {
  /** Of the build's span: to link to it, or to print the trace's id. */
  readonly spanContext: SpanContext;
  /** Resolves when every span of the build has ended; wait for it before shutting the SDK down. Never rejects. */
  readonly done: Promise<void>;
}

/**
 * Makes a trace of a build: one span for it, one for each of its phases, steps as span events. Call it in the tick that
 * starts the build. Throws a TypeError or RangeError for a bad option.
 *
 * @example
 * const build = startEngineBuild({ model: 'model.onnx', output: 'model.engine' });
 * const { done } = traceBuild(build);
 * await build.result;
 * await done;
 */
export function traceBuild(build: Build, options: TraceOptions = {}): BuildTrace {
  const environment = options.environment ?? process.env;
  const { stepEvents = 'sampled', maxEventsPerSpan = eventLimit(environment) } = options;
  checkOptions(stepEvents, maxEventsPerSpan);
  const context = options.parent ?? parentContext(environment);
  const { startedAt } = build;
  const buildTime = (timeNs: number) => timeAt(startedAt, timeNs);
  const tracer = (options.tracerProvider ?? trace).getTracer(scope);
  const span = tracer.startSpan(
    rootName(build),
    { kind: SpanKind.INTERNAL, startTime: buildTime(0), attributes: subjectAttributes(build) },
    context,
  );
  const frame = new TimeFrame(0);
  const stepCounter = new StepCounter((options.meterProvider ?? metrics).getMeter(scope));
  const phases = new PhaseSpans({
    tracer,
    root: { span, frame },
    context,
    timeAt: buildTime,
    stepEvents: new StepEvents(stepEvents, maxEventsPerSpan, buildTime),
    stepCounter,
  });
  const attachment = build.attach({
    name: 'opentelemetry',
    receive: (batch) => {
      for (const event of batch) {
        observe(event, phases);
        addCancelMoment(span, event, build.tree, (timeNs) => buildTime(frame.clamp(timeNs)));
      }
      stepCounter.flush();
    },
  });
  const end = async () => {
    await attachment.closed;
    const result = await build.result;
    // What a detached consumer missed: a result has every phase with its times and counts.
    for (const phase of result.phases) phases.apply(phase);
    stepCounter.flush();
    const failure = result.outcome === 'failed' ? result.error : undefined;
    phases.close(result.durationNs, failure);
    span.setAttributes(resultAttributes(result));
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
    span.end(buildTime(frame.end(result.durationNs)));
  };
  const done = end().catch((error: unknown) => diag.error('The trace of a build is incomplete:', error));
  return { spanContext: span.spanContext(), done };
}

function checkOptions(stepEvents: string, maxEventsPerSpan: number): void {
  if (!['sampled', 'all', 'none'].includes(stepEvents)) {
    throw new TypeError(
      `The option stepEvents must be sampled, all or none, but is ${JSON.stringify(stepEvents)}.`,
    );
  }
  if (!Number.isInteger(maxEventsPerSpan) || maxEventsPerSpan < 0) {
    throw new RangeError(
      `The option maxEventsPerSpan must be a whole number of at least 0, but is ${maxEventsPerSpan}.`,
    );
  }
}

function rootName({ subject: { model, output, command } }: Build): string {
  const name = model ?? output ?? command;
  return buildSpanName(name === undefined ? undefined : stem(name));
}

function subjectAttributes({ id, subject: { model, output } }: Build): Attributes {
  return {
    [attributes.buildId.name]: id,
    ...(model !== undefined && { [attributes.networkName.name]: stem(model) }),
    ...(output !== undefined && { [attributes.filePath.name]: output }),
  };
}

const errors: ReadonlySet<LogSeverity> = new Set(['error', 'internal_error']);

function observe(event: BuildEvent, phases: PhaseSpans): void {
  switch (event.type) {
    case 'snapshot':
      for (const node of event.tree.phases) phases.apply(node);
      return;
    case 'phase.started':
      phases.start({ ...event, startedNs: event.timeNs });
      return;
    case 'step.completed':
      phases.step(event);
      return;
    case 'phase.finished':
      phases.finish(event.phase, event.timeNs, event.done);
      return;
    case 'log':
      if (event.phase !== undefined && errors.has(event.severity)) phases.suspect(event.phase);
      return;
    case 'build.started':
    case 'tensorrt.loaded':
    case 'budget.warning':
    case 'cancel.requested':
    case 'cancel.escalated':
    case 'cancel.acknowledged':
    case 'quiet':
    case 'build.finished':
      // They are no phase's.
      return;
  }
}

function resultAttributes(result: BuildResult): Attributes {
  const { tensorrt, cancel } = result;
  const engine = result.outcome === 'built' ? result.engine : undefined;
  return {
    [attributes.buildResult.name]: result.outcome,
    [attributes.buildSteps.name]: result.counts.steps,
    [attributes.buildPhases.name]: result.counts.phases,
    ...(tensorrt && {
      [attributes.version.name]: tensorrt.version,
      [attributes.edition.name]: tensorrt.edition,
    }),
    ...(engine && {
      [attributes.engineSize.name]: engine.bytes,
      [attributes.filePath.name]: engine.path,
    }),
    ...(result.outcome === 'failed' && { [attributes.errorType.name]: result.error.code }),
    ...(cancel && cancelAttributes(cancel)),
  };
}

// A program's own SDK has this limit in its environment, or the default of 128.
function eventLimit(environment: Environment): number {
  const limit = Number.parseInt(environment['OTEL_SPAN_EVENT_COUNT_LIMIT'] ?? '', 10);
  return limit >= 0 ? Math.min(limit, defaultEventLimit) : defaultEventLimit;
}
