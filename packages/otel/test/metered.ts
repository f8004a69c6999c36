import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { DataPoint, Histogram, MetricData } from '@opentelemetry/sdk-metrics';

/** One series: its attributes, and its value, or how many values a histogram has and their sum. */
type Series = readonly [attributes: object, value: number, sum?: number];

/** An SDK of the test's own, read when the test likes. */
export interface Metered {
  readonly meterProvider: MeterProvider;
  readonly read: () => Promise<{
    readonly metric: (name: string) => MetricData | undefined;
    readonly series: (name: string) => Series[];
  }>;
}

export function metered(): Metered {
  const reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
    exportIntervalMillis: 3_600_000,
  });
  return {
    meterProvider: new MeterProvider({ readers: [reader] }),
    read: async () => {
      const { resourceMetrics } = await reader.collect();
      const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
      const metric = (name: string) => all.find(({ descriptor }) => descriptor.name === name);
      return {
        metric,
        series: (name) =>
          (metric(name)?.dataPoints ?? []).map((point) => seriesOf(point as DataPoint<number | Histogram>)),
      };
    },
  };
}

function seriesOf({ attributes, value }: DataPoint<number | Histogram>): Series {
  return typeof value === 'number' ? [attributes, value] : [attributes, value.count, value.sum ?? 0];
}
