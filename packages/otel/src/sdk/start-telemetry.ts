import * as api from '@opentelemetry/api';
import { TrtscopeError } from '@trtscope/core';
import type { TraceOptions } from '../trace-build.ts';
import { isSet, withEnvironmentDefaults } from './environment-defaults.ts';
import { FirstFault } from './first-fault.ts';
import { traceUrl, withoutSecrets } from './otlp-url.ts';

/** How to export. Whatever the standard OTEL_* variables say is honoured, and only `url` goes before them. */
export interface TelemetryOptions {
  /** OTLP/HTTP endpoint, such as `http://localhost:4318`. Default: what OTEL_* say, else `http://localhost:4318`. */
  readonly url?: string;
  /** Default `trtscope`; OTEL_SERVICE_NAME goes before it. */
  readonly serviceName?: string;
  /** How long `shutdown()` may take, in milliseconds. Default 3000. */
  readonly shutdownTimeoutMs?: number;
  /** Takes one line when spans could not be exported. Default: standard error. */
  readonly report?: (line: string) => void;
}

/** A running export. */
export interface Telemetry {
  /** For `traceBuild`: this SDK takes more events a span than the default. */
  readonly traceOptions: TraceOptions;
  /** Sends what waits, within the time limit, and unregisters. Never rejects; reports at most one line. */
  shutdown(): Promise<void>;
}

const maxEventsPerSpan = 2_000;

/**
 * Sets up OpenTelemetry's Node SDK to export traces over OTLP/HTTP, for programs that have no SDK of their own, and
 * registers it globally until `shutdown()`. Throws a TypeError for a bad URL, and a TrtscopeError
 * (`TELEMETRY_UNAVAILABLE`) when its packages are missing or another SDK is registered.
 *
 * @example
 * const telemetry = await startTelemetry({ url: 'http://localhost:4318' });
 * const { done } = traceBuild(build, telemetry.traceOptions);
 * await done;
 * await telemetry.shutdown();
 */
export async function startTelemetry(options: TelemetryOptions = {}): Promise<Telemetry> {
  const { serviceName = 'trtscope', shutdownTimeoutMs = 3_000 } = options;
  const report = options.report ?? ((line: string) => process.stderr.write(`${line}\n`));
  const url = options.url === undefined ? undefined : traceUrl(options.url);
  if (isRegistered()) {
    throw new TrtscopeError(
      'TELEMETRY_UNAVAILABLE',
      'This program has an OpenTelemetry SDK already: call traceBuild() without startTelemetry().',
    );
  }
  const { NodeSDK, OTLPTraceExporter, resources } = await loadSdk();
  const { defaultResource, envDetector, resourceFromAttributes } = resources;
  const fault = new FirstFault();
  const sdk = withEnvironmentDefaults(() => {
    const started = new NodeSDK({
      resource: defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName })),
      // The SDK's own choice would put the command line on every resource.
      ...(isSet('OTEL_NODE_RESOURCE_DETECTORS') ? {} : { resourceDetectors: [envDetector] }),
      ...(isSet('OTEL_METRICS_EXPORTER') ? {} : { metricReaders: [] }),
      ...(isSet('OTEL_LOGS_EXPORTER') ? {} : { logRecordProcessors: [] }),
      ...(url === undefined ? {} : { traceExporter: new OTLPTraceExporter({ url }) }),
    });
    // After the constructor, which sets a logger of its own when OTEL_LOG_LEVEL asks for one.
    fault.listen();
    started.start();
    return started;
  });

  let ended: Promise<void> | undefined;
  const end = async () => {
    await settledWithin(sdk.shutdown(), shutdownTimeoutMs, fault);
    unregister();
    if (fault.message !== undefined) {
      const target = url === undefined ? '' : ` to ${withoutSecrets(url)}`;
      report(`Traces were not fully exported${target}: ${fault.message}`);
    }
  };
  return {
    traceOptions: { maxEventsPerSpan: eventLimit() },
    shutdown: () => (ended ??= end()),
  };
}

async function loadSdk() {
  try {
    const [{ NodeSDK }, { OTLPTraceExporter }, resources] = await Promise.all([
      import('@opentelemetry/sdk-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { NodeSDK, OTLPTraceExporter, resources };
  } catch (error) {
    throw new TrtscopeError(
      'TELEMETRY_UNAVAILABLE',
      'Exporting traces needs OpenTelemetry’s Node SDK: npm install @opentelemetry/sdk-node @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources',
      { cause: error },
    );
  }
}

function isRegistered(): boolean {
  const none = new api.ProxyTracerProvider().getDelegate();
  const current = api.trace.getTracerProvider();
  return !(current instanceof api.ProxyTracerProvider) || current.getDelegate() !== none;
}

function unregister(): void {
  const { trace, metrics, context, propagation, diag } = api;
  // Its logs are in the API from 1.10 on; the SDK registers a provider of none.
  const { logs } = api as { readonly logs?: { disable(): void } };
  for (const registered of [trace, metrics, context, propagation, logs, diag]) registered?.disable();
}

async function settledWithin(promise: Promise<unknown>, timeoutMs: number, fault: FirstFault): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      fault.note(new Error(`no answer within ${timeoutMs / 1_000} s`));
      resolve();
    }, timeoutMs);
  });
  await Promise.race([promise.catch((error: unknown) => fault.note(error)), timeout]);
  clearTimeout(timer);
}

// Where the user has set a lower limit, it is kept.
function eventLimit(): number {
  const limit = Number.parseInt(process.env['OTEL_SPAN_EVENT_COUNT_LIMIT'] ?? '', 10);
  return limit >= 0 ? Math.min(limit, maxEventsPerSpan) : maxEventsPerSpan;
}
