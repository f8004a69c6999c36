import { diag } from '@opentelemetry/api';
import { withEnvironmentDefaults } from './environment-defaults.ts';
import { otlpExporter } from './exporters.ts';
import { FirstFault } from './first-fault.ts';
import { signalUrl, withoutSecrets } from './otlp-url.ts';
import { metrics, spans } from '../semconv.ts';
import { loadSdk } from './sdk-packages.ts';
import { SignalExports } from './signal-exports.ts';
import { signals } from './signal.ts';
import type { Signal } from './signal.ts';

/** What an endpoint answered to one signal. */
export interface EndpointAnswer {
  readonly signal: Signal;
  /** Without credentials and query. */
  readonly url: string;
  /** `absent`: there is an endpoint, which does not take this signal. */
  readonly state: 'taken' | 'absent' | 'failed';
  /** Such as `HTTP 404 Not Found`; absent when it was taken. */
  readonly answer?: string;
}

/** How to ask. */
export interface ProbeOptions {
  /** How long to wait for all answers, in milliseconds. Default 3000. */
  readonly timeoutMs?: number;
}

/**
 * Sends one span, one metric and one log to an OTLP/HTTP endpoint, with headers and the rest as OTEL_* say, and answers
 * what came back for each. Throws a TypeError for a bad URL, and a TrtscopeError (`TELEMETRY_UNAVAILABLE`) without the SDK.
 *
 * @example
 * for (const { signal, state, answer } of await probeEndpoint('http://localhost:4318')) console.log(signal, state, answer);
 */
export async function probeEndpoint(
  url: string,
  { timeoutMs = 3_000 }: ProbeOptions = {},
): Promise<readonly EndpointAnswer[]> {
  signalUrl(url, 'traces');
  const sdk = loadSdk();
  // What it would log is in the answers, but for what was taken in part.
  const partly = new FirstFault();
  partly.listen();
  try {
    const resource = sdk.resources.resourceFromAttributes({ 'service.name': 'trtscope-doctor' });
    const probes = withEnvironmentDefaults(timeoutMs, () =>
      signals.map((signal) => {
        const exports = new SignalExports(signal, { mayBeAbsent: true, isCumulative: false });
        return { exports, exporter: exports.watch(otlpExporter(sdk, signal, url)) };
      }),
    );
    const [spanExporter, metricExporter, logExporter] = probes.map(({ exporter }) => exporter as object);
    const tracing = new sdk.traces.TracerProvider({
      resource,
      spanProcessors: [new sdk.traces.BatchSpanProcessor({ exporter: spanExporter as never })],
    });
    const reader = new sdk.metrics.PeriodicExportingMetricReader({ exporter: metricExporter as never });
    const metering = new sdk.metrics.MeterProvider({ resource, readers: [reader] });
    const logging = new sdk.logs.LoggerProvider({
      resource,
      processors: [new sdk.logs.BatchLogRecordProcessor({ exporter: logExporter as never })],
    });
    tracing.getTracer('@trtscope/otel').startSpan(spans.doctor.name).end();
    metering.getMeter('@trtscope/otel').createCounter(metrics.doctorProbes.name).add(1);
    logging.getLogger('@trtscope/otel').emit({ body: spans.doctor.name });
    await answered([tracing, metering, logging], timeoutMs);
    return probes.map(({ exports }) => answerOf(exports, url, { timeoutMs, partly: partly.message }));
  } finally {
    diag.disable();
  }
}

async function answered(providers: readonly { shutdown(): Promise<void> }[], timeoutMs: number) {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([Promise.allSettled(providers.map((provider) => provider.shutdown())), timeout]);
  clearTimeout(timer);
}

function answerOf(
  { signal, sent, absent, fault }: SignalExports,
  url: string,
  { timeoutMs, partly }: { readonly timeoutMs: number; readonly partly: string | undefined },
): EndpointAnswer {
  const target = withoutSecrets(signalUrl(url, signal));
  const to = { signal, url: `${target}/v1/${signal}` };
  if (absent !== undefined) return { ...to, state: 'absent', answer: absent };
  if (fault !== undefined) return { ...to, state: 'failed', answer: fault };
  if (!sent) return { ...to, state: 'failed', answer: `no answer within ${timeoutMs / 1_000} s` };
  return { ...to, state: 'taken', ...(partly !== undefined && { answer: partly }) };
}
