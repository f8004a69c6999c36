import type { Context } from '@opentelemetry/api';
import type { Build } from '@trtscope/core';
import type { RunTrace } from '@trtscope/otel';
import { complain } from './messages.ts';
import type { TelemetryValues } from './options/telemetry-options.ts';

/** Where a build's trace, metrics and logs go. */
export interface Telemetry {
  /** Call it in the tick that starts the build. */
  trace(build: Build, parent?: Context): void;
  /** Begins the span of a command, above those of its builds. Absent where nothing is exported. */
  run?(name: string): RunTrace;
  /** Sends what waits, for a few seconds at most. Never rejects. */
  flush(): Promise<void>;
}

const none: Telemetry = { trace: () => undefined, flush: async () => undefined };

/** Exports only when asked to, by `--otlp` or by the standard variables. */
export async function startTelemetry(
  { otlp, stepEvents, exportTimeout, ciAttributes }: TelemetryValues,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Telemetry> {
  if (otlp === undefined && !asksForExport(env)) {
    return none;
  }
  const [sdk, { traceBuild, traceRun }] = await Promise.all([
    import('@trtscope/otel/sdk'),
    import('@trtscope/otel'),
  ]);
  const telemetry = await sdk.startTelemetry({
    ...(otlp !== undefined && { url: otlp }),
    ...(exportTimeout !== undefined && { shutdownTimeoutMs: exportTimeout }),
    ...(ciAttributes !== undefined && { ciAttributes }),
    report: complain,
  });
  const options = { ...telemetry.traceOptions, ...(stepEvents !== undefined && { stepEvents }) };
  const traces: Promise<void>[] = [];
  return {
    trace: (build, parent) => {
      traces.push(traceBuild(build, { ...options, ...(parent && { parent }) }).done);
    },
    run: (name) => traceRun(name, telemetry.traceOptions),
    flush: async () => {
      await Promise.all(traces);
      await telemetry.shutdown();
    },
  };
}

const signals = ['TRACES', 'METRICS', 'LOGS'];

function asksForExport(env: NodeJS.ProcessEnv): boolean {
  const value = (name: string): string => env[name]?.trim() ?? '';
  return signals.some((signal) => {
    const exporter = value(`OTEL_${signal}_EXPORTER`);
    if (exporter !== '') return exporter !== 'none';
    return [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'].some(
      (name) => value(name) !== '',
    );
  });
}
