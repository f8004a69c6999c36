import { SpanKind, SpanStatusCode, createNoopMeter, diag, metrics, trace } from '@opentelemetry/api';
import type { Context, Link, MeterProvider, SpanContext, TracerProvider } from '@opentelemetry/api';
import type { Build, BuildEvent, LogSeverity } from '@trtscope/core';
import { buildName, resultAttributes, subjectAttributes } from './build-attributes.ts';
import { BuildLogs } from './build-logs.ts';
import { BuildMetrics } from './build-metrics.ts';
import { addCancelMoment } from './cancel-trace.ts';
import { Instruments } from './instruments.ts';
import { globalLogs, noLogger } from './logs-api.ts';
import type { LogsProvider } from './logs-api.ts';
import { isSuppressed, parentContext } from './parent-context.ts';
import type { Environment } from './parent-context.ts';
import { PhaseSpans } from './phase-spans.ts';
import { StepEvents, stepEventPolicies } from './step-events.ts';
import type { StepEventPolicy } from './step-events.ts';
import { TimeFrame, timeAt } from './time-frame.ts';

const scope = '@trtscope/otel';
const defaultPerSpan = 120;
const defaultPerBuild = 4_000;
// An SDK's queue for logs takes 2,048, and a phase's steps come all at once.
const defaultLogsPerBuild = 1_500;

/** How a build is traced. */
export interface TraceOptions {
  /** Parent of the build's span. Default: the active context, else TRACEPARENT of the environment, else none. */
  readonly parent?: Context;
  /** Of the build's span, such as to the spans of what it was made for. Default none. */
  readonly links?: readonly Link[];
  /** Default `sampled`. */
  readonly stepEvents?: StepEventPolicy;
  /**
   * Step events on one span at most. Default 120, so that an SDK with the default limit of 128 loses none, or
   * OTEL_SPAN_EVENT_COUNT_LIMIT where that is lower.
   */
  readonly maxEventsPerSpan?: number;
  /** Step events of one build at most. Default 4,000; 1,500 with `logs`, so that an SDK's queue of 2,048 loses none. */
  readonly maxEventsPerBuild?: number;
  /** Default: the one registered globally. */
  readonly tracerProvider?: TracerProvider;
  /** Default: the one registered globally. */
  readonly meterProvider?: MeterProvider;
  /** Default: the one registered globally, where the Logs API is there: in `@opentelemetry/api` 1.10, or `@opentelemetry/api-logs`. */
  readonly loggerProvider?: LogsProvider;
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
 * Makes a trace of a build: one span for it, one for each of its phases, steps as span events; beside it metrics, and log
 * records that belong to those spans. Call it in the tick that starts the build. Where tracing is suppressed in the parent
 * context, it makes nothing. Throws a TypeError or RangeError for a bad option.
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
  const { maxEventsPerBuild = stepEvents === 'logs' ? defaultLogsPerBuild : defaultPerBuild } = options;
  checkOptions(stepEvents, { maxEventsPerSpan, maxEventsPerBuild });
  const context = options.parent ?? parentContext(environment);
  const suppressed = isSuppressed(context);
  const { startedAt } = build;
  const buildTime = (timeNs: number) => timeAt(startedAt, timeNs);
  const tracer = (options.tracerProvider ?? trace).getTracer(scope);
  const meter = suppressed ? createNoopMeter() : (options.meterProvider ?? metrics).getMeter(scope);
  const logger = suppressed ? noLogger : (options.loggerProvider ?? globalLogs()).getLogger(scope);
  const span = tracer.startSpan(
    buildName(build),
    {
      kind: SpanKind.INTERNAL,
      startTime: buildTime(0),
      attributes: subjectAttributes(build),
      links: [...(options.links ?? [])],
    },
    context,
  );
  const frame = new TimeFrame(0);
  const measured = new BuildMetrics(build, Instruments.of(meter), (name) => {
    diag.warn(`Metrics keep 100 phase names apart: "${name}" and all further ones count as "other".`);
    told.namesFolded(name);
  });
  const phases = new PhaseSpans({
    tracer,
    root: { span, frame },
    context,
    timeAt: buildTime,
    stepEvents: new StepEvents(
      stepEvents,
      { perSpan: maxEventsPerSpan, perBuild: maxEventsPerBuild },
      logger,
      buildTime,
    ),
    metrics: measured,
  });
  const told = new BuildLogs(build, {
    logger,
    timeAt: buildTime,
    contextOf: (phase) => phases.contextOf(phase),
  });
  told.started();
  const attachment = build.attach({
    name: 'opentelemetry',
    receive: (batch) => {
      for (const event of batch) {
        observe(event, { phases, measured, told });
        addCancelMoment(span, event, build.tree, (timeNs) => buildTime(frame.clamp(timeNs)));
      }
      measured.flush();
    },
  });
  const end = async () => {
    await attachment.closed;
    const result = await build.result;
    // What a detached consumer missed: a result has every phase with its times and counts.
    for (const phase of result.phases) phases.apply(phase);
    const failure = result.outcome === 'failed' ? result.error : undefined;
    phases.close(result.durationNs, failure);
    measured.ended(result);
    told.finished(result);
    span.setAttributes(resultAttributes(result));
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
    span.end(buildTime(frame.end(result.durationNs)));
  };
  const done = end().catch((error: unknown) => diag.error('The trace of a build is incomplete:', error));
  return { spanContext: span.spanContext(), done };
}

function checkOptions(stepEvents: StepEventPolicy, limits: Readonly<Record<string, number>>): void {
  if (!stepEventPolicies.includes(stepEvents)) {
    throw new TypeError(
      `The option stepEvents must be sampled, all, logs or none, but is ${JSON.stringify(stepEvents)}.`,
    );
  }
  for (const [option, limit] of Object.entries(limits)) {
    if (Number.isInteger(limit) && limit >= 0) continue;
    throw new RangeError(`The option ${option} must be a whole number of at least 0, but is ${limit}.`);
  }
}

const errors: ReadonlySet<LogSeverity> = new Set(['error', 'internal_error']);

interface Observers {
  readonly phases: PhaseSpans;
  readonly measured: BuildMetrics;
  readonly told: BuildLogs;
}

function observe(event: BuildEvent, { phases, measured, told }: Observers): void {
  switch (event.type) {
    case 'snapshot':
      for (const node of event.tree.phases) phases.apply(node);
      measured.heard(event.timeNs);
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
      told.line(event);
      return;
    case 'budget.warning':
      measured.budgetWarned(event.budget);
      told.budgetWarning(event);
      return;
    case 'quiet':
      told.quiet(event);
      return;
    case 'build.started':
    case 'tensorrt.loaded':
    case 'cancel.requested':
    case 'cancel.escalated':
    case 'cancel.acknowledged':
    case 'build.finished':
      // They are no phase's.
      return;
  }
}

// A program's own SDK has this limit in its environment, or the default of 128.
function eventLimit(environment: Environment): number {
  const limit = Number.parseInt(environment['OTEL_SPAN_EVENT_COUNT_LIMIT'] ?? '', 10);
  return limit >= 0 ? Math.min(limit, defaultPerSpan) : defaultPerSpan;
}
