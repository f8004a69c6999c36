import type { Context } from '@opentelemetry/api';
import type { Build } from '@trtscope/core';
import type { RunTrace } from '@trtscope/otel';
import { complain } from './messages.ts';

/** Where a build's trace goes. */
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
  otlp: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Telemetry> {
  if (otlp === undefined && !asksForTraces(env)) {
    return none;
  }
  const [sdk, { traceBuild, traceRun }] = await Promise.all([
    import('@trtscope/otel/sdk'),
    import('@trtscope/otel'),
  ]);
  const telemetry = await sdk.startTelemetry({ ...(otlp !== undefined && { url: otlp }), report: complain });
  const traces: Promise<void>[] = [];
  return {
    trace: (build, parent) => {
      traces.push(traceBuild(build, { ...telemetry.traceOptions, ...(parent && { parent }) }).done);
    },
    run: (name) => traceRun(name, telemetry.traceOptions),
    flush: async () => {
      await Promise.all(traces);
      await telemetry.shutdown();
    },
  };
}

function asksForTraces(env: NodeJS.ProcessEnv): boolean {
  const exporter = env['OTEL_TRACES_EXPORTER']?.trim();
  if (exporter !== undefined && exporter !== '') {
    return exporter !== 'none';
  }
  return ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].some((name) =>
    env[name]?.trim(),
  );
}
