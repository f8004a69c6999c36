import { randomUUID } from 'node:crypto';
import * as api from '@opentelemetry/api';
import { TrtscopeError } from '@trtscope/core';
import { globalLogs } from '../logs-api.ts';
import type { TraceOptions } from '../trace-build.ts';
import { ciAttributes } from './ci-attributes.ts';
import { isSet, withEnvironmentDefaults } from './environment-defaults.ts';
import { exportersFor, logQueueSize } from './exporters.ts';
import { FirstFault } from './first-fault.ts';
import { signalUrl, withoutSecrets } from './otlp-url.ts';
import { loadSdk } from './sdk-packages.ts';
import type { SignalExports } from './signal-exports.ts';

/**
 * How to export. Whatever the standard OTEL_* variables say is honoured, and only `url` goes before the endpoints and
 * protocols among them.
 */
export interface TelemetryOptions {
  /** OTLP/HTTP endpoint, such as `http://localhost:4318`. Default: what OTEL_* say, else `http://localhost:4318`. */
  readonly url?: string;
  /** Default `trtscope`; OTEL_SERVICE_NAME goes before it. */
  readonly serviceName?: string;
  /** Whether the resource says which CI job this is, from the variables of GitHub Actions and GitLab CI. Default true. */
  readonly ciAttributes?: boolean;
  /** How long `shutdown()` may take, in milliseconds. Default 3000. */
  readonly shutdownTimeoutMs?: number;
  /** Takes one line when something could not be exported. Default: standard error. */
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
const maxEventsPerBuild = 4_000;
const maxRequestMs = 2_500;

/**
 * Sets up OpenTelemetry's Node SDK to export traces, metrics and logs over OTLP/HTTP, for programs that have no SDK of their own, and
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
  const { serviceName = 'trtscope', shutdownTimeoutMs = 3_000, url } = options;
  const report = options.report ?? ((line: string) => process.stderr.write(`${line}\n`));
  if (url !== undefined) signalUrl(url, 'traces');
  if (isRegistered()) {
    throw new TrtscopeError(
      'TELEMETRY_UNAVAILABLE',
      'This program has an OpenTelemetry SDK already: call traceBuild() without startTelemetry().',
    );
  }
  const sdk = loadSdk();
  const { defaultResource, envDetector, resourceFromAttributes } = sdk.resources;
  const fault = new FirstFault();
  const { started, exports } = withEnvironmentDefaults(Math.min(maxRequestMs, shutdownTimeoutMs), () => {
    const exporters = exportersFor(sdk, url);
    const node = new sdk.node.NodeSDK({
      resource: defaultResource().merge(
        resourceFromAttributes({
          'service.name': serviceName,
          // Sums of two processes that say they are the same one are of no use.
          'service.instance.id': randomUUID(),
          ...(options.ciAttributes === false ? {} : ciAttributes(process.env)),
        }),
      ),
      // The SDK's own choice would put the command line on every resource.
      ...(isSet('OTEL_NODE_RESOURCE_DETECTORS') ? {} : { resourceDetectors: [envDetector] }),
      ...exporters.configuration,
    });
    // After the constructor, which sets a logger of its own when OTEL_LOG_LEVEL asks for one.
    fault.listen();
    node.start();
    return { started: node, exports: exporters.exports };
  });

  let ended: Promise<void> | undefined;
  const end = async () => {
    await settledWithin(started.shutdown(), shutdownTimeoutMs, { exports, fault });
    unregister();
    const line = lossLine(exports, fault, url);
    if (line !== undefined) report(line);
  };
  return {
    traceOptions: {
      maxEventsPerSpan: eventLimit(),
      maxEventsPerBuild: Math.min(maxEventsPerBuild, Math.ceil(logQueueSize() * 0.75)),
    },
    shutdown: () => (ended ??= end()),
  };
}

function isRegistered(): boolean {
  const none = new api.ProxyTracerProvider().getDelegate();
  const current = api.trace.getTracerProvider();
  return !(current instanceof api.ProxyTracerProvider) || current.getDelegate() !== none;
}

function unregister(): void {
  const { trace, metrics, context, propagation, diag } = api;
  const logs = globalLogs() as { disable?(): void };
  for (const registered of [trace, metrics, context, propagation, diag]) registered.disable();
  logs.disable?.();
}

interface Faults {
  readonly exports: readonly SignalExports[];
  readonly fault: FirstFault;
}

async function settledWithin(
  promise: Promise<unknown>,
  timeoutMs: number,
  { exports, fault }: Faults,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      const unanswered = exports.filter(({ waiting }) => waiting > 0);
      for (const one of unanswered.length > 0 ? unanswered : [fault]) {
        one.note(`no answer within ${timeoutMs / 1_000} s`);
      }
      resolve();
    }, timeoutMs);
  });
  await Promise.race([promise.catch((error: unknown) => fault.note(error)), timeout]);
  clearTimeout(timer);
}

/** What was lost, in one line; absent when nothing is known to be. */
function lossLine(
  exports: readonly SignalExports[],
  fault: FirstFault,
  url: string | undefined,
): string | undefined {
  const lost = exports.filter((one) => one.fault !== undefined);
  const reasons = new Set(lost.length > 0 ? lost.map((one) => one.fault) : fault.message && [fault.message]);
  if (reasons.size === 0) return undefined;
  const what = lost.length === 0 ? 'telemetry was' : `${listed(lost.map(({ signal }) => signal))} were`;
  const target = url === undefined ? '' : ` to ${withoutSecrets(url)}`;
  return `${what[0]?.toUpperCase()}${what.slice(1)} not fully exported${target}: ${[...reasons].join('; ')}`;
}

function listed(words: readonly string[]): string {
  const last = words.slice(-2).join(' and ');
  return [...words.slice(0, -2), last].join(', ');
}

// Where the user has set a lower limit, it is kept.
function eventLimit(): number {
  const limit = Number.parseInt(process.env['OTEL_SPAN_EVENT_COUNT_LIMIT'] ?? '', 10);
  return limit >= 0 ? Math.min(limit, maxEventsPerSpan) : maxEventsPerSpan;
}
