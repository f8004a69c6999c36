import { SpanKind, SpanStatusCode, propagation, trace } from '@opentelemetry/api';
import type { Context, TracerProvider } from '@opentelemetry/api';
import { parentContext } from './parent-context.ts';
import type { Environment } from './parent-context.ts';
import { attributes } from './semconv.ts';
import { runSpanName } from './span-name.ts';

/** How a command's trace begins. */
export interface RunTraceOptions {
  /** Parent of the command's span. Default: the active context, else TRACEPARENT of the environment, else none. */
  readonly parent?: Context;
  /** Default: the one registered globally. */
  readonly tracerProvider?: TracerProvider;
  /** Default `process.env`. */
  readonly environment?: Environment;
}

/** How a command ended. */
export interface RunEnding {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly builds: number;
}

/** A command's span, the parent of the spans of its builds. */
export interface RunTrace {
  /** TRACEPARENT, and TRACESTATE where there is one, for the command's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** The parent for a build: the span that the process had itself in its TRACEPARENT, where it is not ours. */
  contextFor(traceparent: string | undefined): Context;
  end(ending: RunEnding): void;
}

/**
 * Begins the span of a command. What the command's words are stays untold, but for its name: they may hold secrets.
 *
 * @example
 * const run = traceRun('polygraphy');
 * traceBuild(build, { parent: run.contextFor(undefined) });
 * run.end({ exitCode: 0, signal: null, builds: 1 });
 */
export function traceRun(name: string, options: RunTraceOptions = {}): RunTrace {
  const context = options.parent ?? parentContext(options.environment ?? process.env);
  const tracer = (options.tracerProvider ?? trace).getTracer('@trtscope/otel');
  const span = tracer.startSpan(runSpanName(name), { kind: SpanKind.INTERNAL }, context);
  const own = trace.setSpan(context, span);
  const environment = carried(own);
  return {
    environment,
    contextFor: (traceparent) =>
      traceparent === undefined || traceparent === environment['TRACEPARENT']
        ? own
        : parentContext({ TRACEPARENT: traceparent }),
    end: ({ exitCode, signal, builds }) => {
      span.setAttributes({
        [attributes.runBuilds.name]: builds,
        ...(exitCode !== null && { [attributes.processExitCode.name]: exitCode }),
        ...(signal !== null && { [attributes.runSignal.name]: signal }),
      });
      if (exitCode !== 0) {
        const message = signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
    },
  };
}

function carried(context: Context): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context, headers);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase().replaceAll('-', '_'), value]),
  );
}
