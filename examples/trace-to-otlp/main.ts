// Exports the trace of a build over OTLP/HTTP: to a stand-in that checks it, or to your collector with `npm start -- --otlp URL`.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, startEngineBuild } from '@trtscope/native';
import { traceBuild } from '@trtscope/otel';
import { startTelemetry } from '@trtscope/otel/sdk';
import { startCollector } from './collector.ts';

const { values } = parseArgs({ options: { otlp: { type: 'string' } } });
const collector = await startCollector();
const folder = await mkdtemp(join(tmpdir(), 'trace-to-otlp-'));

const telemetry = await startTelemetry({ url: values.otlp ?? collector.url });
const build = startEngineBuild({
  model: join(cacheFolder(), 'models', 'light_resnet50.onnx'),
  output: join(folder, 'light_resnet50.engine'),
});
const { spanContext, done } = traceBuild(build, telemetry.traceOptions);
const result = await build.result;
await done;
await telemetry.shutdown();
collector.close();
await rm(folder, { recursive: true });

assert.equal(result.outcome, 'built');
console.log(`trace ${spanContext.traceId}`);
if (values.otlp === undefined) {
  const { spans } = collector;
  const steps = spans.flatMap((span) => span.events ?? []).filter((event) => event.name === 'tensorrt.step');
  for (const span of spans) console.log(`  ${span.name}: ${span.events?.length ?? 0} events`);
  assert.ok(
    spans.every((span) => span.traceId === spanContext.traceId),
    'one trace',
  );
  assert.deepEqual(
    spans.filter((span) => !span.parentSpanId).map((span) => span.name),
    ['build light_resnet50'],
  );
  assert.equal(spans.length, 1 + result.phases.length, 'a span for the build and for each phase');
  assert.equal(steps.length, result.counts.steps, 'every step is an event');
  assert.ok(
    spans.every((span) => !span.droppedEventsCount),
    'none was dropped',
  );
  console.log(`${spans.length} spans, ${steps.length} step events`);
}
