import { createRequire } from 'node:module';
import type * as resources from '@opentelemetry/resources';
import type * as logs from '@opentelemetry/sdk-logs';
import type * as metrics from '@opentelemetry/sdk-metrics';
import type * as node from '@opentelemetry/sdk-node';
import type * as traces from '@opentelemetry/sdk-trace';
import { TrtscopeError } from '@trtscope/core';
import type { Signal } from './signal.ts';

/** An OTLP exporter of any signal, as far as it is touched here. */
export interface Exporter {
  export(items: never, done: (result: ExportResult) => void): void;
}

/** How an export ended; code 0 is success. */
export interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

export type OtlpProtocol = 'grpc' | 'http/json' | 'http/protobuf';

/** OpenTelemetry's Node SDK and the packages that it brings. */
export interface SdkPackages {
  readonly node: typeof node;
  readonly resources: typeof resources;
  readonly traces: typeof traces;
  readonly metrics: typeof metrics;
  readonly logs: typeof logs;
  /** A new exporter, which reads what it is not told from OTEL_* itself. */
  exporter(signal: Signal, protocol: OtlpProtocol, options: { readonly url?: string }): Exporter;
}

const classes = {
  traces: 'OTLPTraceExporter',
  metrics: 'OTLPMetricExporter',
  logs: 'OTLPLogExporter',
} as const;
const folders = { traces: 'trace', metrics: 'metrics', logs: 'logs' } as const;
const endings = { grpc: 'grpc', 'http/json': 'http', 'http/protobuf': 'proto' } as const;

/** Throws a TrtscopeError (`TELEMETRY_UNAVAILABLE`) when the SDK is not installed. */
export function loadSdk(): SdkPackages {
  try {
    const here = createRequire(import.meta.url);
    // Its own copies: others, of another version, would not fit it.
    const its = createRequire(here.resolve('@opentelemetry/sdk-node'));
    return {
      node: here('@opentelemetry/sdk-node') as SdkPackages['node'],
      resources: its('@opentelemetry/resources') as SdkPackages['resources'],
      traces: its('@opentelemetry/sdk-trace') as SdkPackages['traces'],
      metrics: its('@opentelemetry/sdk-metrics') as SdkPackages['metrics'],
      logs: its('@opentelemetry/sdk-logs') as SdkPackages['logs'],
      exporter: (signal, protocol, options) => {
        const name = `@opentelemetry/exporter-${folders[signal]}-otlp-${endings[protocol]}`;
        const exports = its(name) as Readonly<Record<string, new (options: object) => Exporter>>;
        const Exporter = exports[classes[signal]];
        if (Exporter === undefined) throw new Error(`${name} has no ${classes[signal]}`);
        return new Exporter(options);
      },
    };
  } catch (error) {
    throw new TrtscopeError(
      'TELEMETRY_UNAVAILABLE',
      'Exporting telemetry needs OpenTelemetry’s Node SDK: npm install @opentelemetry/sdk-node',
      { cause: error },
    );
  }
}
