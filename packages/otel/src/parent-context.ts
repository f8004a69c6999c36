import { context, createContextKey, propagation, trace } from '@opentelemetry/api';
import type { Context, TextMapGetter } from '@opentelemetry/api';

/** An environment, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The caller's active context when it has a span; else what the environment's TRACEPARENT says, as CI systems set it. */
export function parentContext(environment: Environment): Context {
  const active = context.active();
  return trace.getSpan(active) === undefined
    ? propagation.extract(active, environment, environmentGetter)
    : active;
}

// As `@opentelemetry/core` names it, on both release lines: a name makes the key.
const suppression = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** Whether somebody wants nothing recorded of what is done in this context. */
export function isSuppressed(parent: Context): boolean {
  return parent.getValue(suppression) === true;
}

// Header names as environment variables: `traceparent` is TRACEPARENT, `x-b3-traceid` X_B3_TRACEID.
const environmentGetter: TextMapGetter<Environment> = {
  keys: (environment) => Object.keys(environment),
  get: (environment, key) => environment[key.toUpperCase().replaceAll('-', '_')],
};
