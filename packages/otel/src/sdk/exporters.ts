import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { isSet } from './environment-defaults.ts';
import { signalUrl } from './otlp-url.ts';
import type { OtlpProtocol, SdkPackages } from './sdk-packages.ts';
import { SignalExports } from './signal-exports.ts';
import { signals } from './signal.ts';
import type { Signal } from './signal.ts';

/** `otlp`: ours, which is watched. `none`: not exported. `theirs`: what the SDK makes of OTEL_*. */
type Way = 'otlp' | 'none' | 'theirs';

/** Ways out for the three signals. */
export interface Exporters {
  readonly configuration: Partial<NodeSDKConfiguration>;
  /** Those that are watched. */
  readonly exports: readonly SignalExports[];
}

/** Of OTLP's own metrics each export has all since the beginning, unless somebody wants differences. */
const cumulative = /^(?:|cumulative)$/iu;

/** What the SDK exports with, from `url`, and from OTEL_* wherever they say something else than an endpoint. */
export function exportersFor(sdk: SdkPackages, url: string | undefined): Exporters {
  const exports: SignalExports[] = [];
  const otlp = (signal: Signal) => {
    const watched = watchedExports(signal);
    exports.push(watched);
    return watched.watch(otlpExporter(sdk, signal, url));
  };
  const ways = Object.fromEntries(signals.map((signal) => [signal, wayOf(signal, url)])) as Record<
    Signal,
    Way
  >;
  return {
    exports,
    configuration: {
      ...(ways.traces === 'none' && { spanProcessors: [] }),
      ...(ways.traces === 'otlp' && {
        traceExporter: otlp('traces') as NodeSDKConfiguration['traceExporter'],
      }),
      ...(ways.metrics === 'none' && { metricReaders: [] }),
      ...(ways.metrics === 'otlp' && { metricReaders: [metricReader(sdk, otlp('metrics'))] }),
      ...(ways.logs === 'none' && { logRecordProcessors: [] }),
      ...(ways.logs === 'otlp' && { logRecordProcessors: [logProcessor(sdk, otlp('logs'))] }),
    },
  };
}

/** How many log records may wait to be sent. */
export function logQueueSize(): number {
  return positive('OTEL_BLRP_MAX_QUEUE_SIZE') ?? 65_536;
}

function watchedExports(signal: Signal): SignalExports {
  const name = signal.toUpperCase();
  const asked = isSet(`OTEL_${name}_EXPORTER`) || isSet(`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`);
  return new SignalExports(signal, {
    mayBeAbsent: signal !== 'traces' && !asked,
    isCumulative:
      signal === 'metrics' && cumulative.test(text('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE')),
  });
}

/** To `url`, in JSON unless OTEL_* want protobuf; else to where OTEL_* say. */
export function otlpExporter(sdk: SdkPackages, signal: Signal, url: string | undefined) {
  const asked =
    text(`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_PROTOCOL`) || text('OTEL_EXPORTER_OTLP_PROTOCOL');
  const wanted: OtlpProtocol = asked === 'grpc' || asked === 'http/json' ? asked : 'http/protobuf';
  if (url === undefined) return sdk.exporter(signal, wanted, {});
  const protocol = asked === 'http/protobuf' ? asked : 'http/json';
  return sdk.exporter(signal, protocol, { url: signalUrl(url, signal) });
}

function wayOf(signal: Signal, url: string | undefined): Way {
  const name = signal.toUpperCase();
  const exporter = text(`OTEL_${name}_EXPORTER`);
  if (exporter === 'none') return 'none';
  if (exporter !== '') return exporter === 'otlp' ? 'otlp' : 'theirs';
  if (
    url !== undefined ||
    isSet('OTEL_EXPORTER_OTLP_ENDPOINT') ||
    isSet(`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`)
  ) {
    return 'otlp';
  }
  // An endpoint for one signal alone asks for no other.
  return signals.some((other) => isSet(`OTEL_EXPORTER_OTLP_${other.toUpperCase()}_ENDPOINT`))
    ? 'none'
    : 'otlp';
}

// The SDK reads these variables for readers and processors that it makes itself only.

function metricReader({ metrics }: SdkPackages, exporter: object) {
  const exportIntervalMillis = positive('OTEL_METRIC_EXPORT_INTERVAL') ?? 1_000;
  return new metrics.PeriodicExportingMetricReader({
    exporter: exporter as ConstructorParameters<typeof metrics.PeriodicExportingMetricReader>[0]['exporter'],
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(positive('OTEL_METRIC_EXPORT_TIMEOUT') ?? 30_000, exportIntervalMillis),
  });
}

function logProcessor({ logs }: SdkPackages, exporter: object) {
  const maxQueueSize = logQueueSize();
  const scheduledDelayMillis = positive('OTEL_BLRP_SCHEDULE_DELAY');
  const exportTimeoutMillis = positive('OTEL_BLRP_EXPORT_TIMEOUT');
  return new logs.BatchLogRecordProcessor({
    exporter: exporter as ConstructorParameters<typeof logs.BatchLogRecordProcessor>[0]['exporter'],
    maxQueueSize,
    maxExportBatchSize: Math.min(positive('OTEL_BLRP_MAX_EXPORT_BATCH_SIZE') ?? 2_048, maxQueueSize),
    ...(scheduledDelayMillis !== undefined && { scheduledDelayMillis }),
    ...(exportTimeoutMillis !== undefined && { exportTimeoutMillis }),
  });
}

function positive(name: string): number | undefined {
  const value = Number(text(name));
  return value > 0 ? value : undefined;
}

function text(name: string): string {
  return (process.env[name] ?? '').trim();
}
