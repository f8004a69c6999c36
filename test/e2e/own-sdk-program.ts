// A program with an OpenTelemetry SDK of its own, with default limits, that builds an engine inside a span of its own:
// node own-sdk-program.ts MODEL OUTPUT OTLP_URL
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { startEngineBuild } from '@trtscope/native';
import { traceBuild } from '@trtscope/otel';

const [model = '', output = '', url = ''] = process.argv.slice(2);
const sdk = new NodeSDK({
  serviceName: 'own-sdk',
  traceExporter: new OTLPTraceExporter({ url: `${url}/v1/traces` }),
  metricReaders: [],
  logRecordProcessors: [],
});
sdk.start();
await trace.getTracer('program').startActiveSpan('deploy', async (span) => {
  const build = startEngineBuild({ model, output });
  await traceBuild(build).done;
  span.end();
});
await sdk.shutdown();
