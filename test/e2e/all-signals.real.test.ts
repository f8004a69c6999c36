import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '@trtscope/native';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOtlpServer } from '../../packages/otel/test/otlp-server.ts';
import type { OtlpServer } from '../../packages/otel/test/otlp-server.ts';
import { readSpans } from '../../scripts/demo/otlp-spans.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const model = join(cacheFolder(), 'models', 'light_resnet50.onnx');
let folder: string;
let server: OtlpServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trtscope-signals-'));
  server = await startOtlpServer();
  const args = ['build', model, '-o', join(folder, 'x.engine'), '--verbose', '--progress', 'none'];
  await run(process.execPath, [main, ...args, '--otlp', server.url], {
    env: { ...process.env, OTEL_METRIC_EXPORT_INTERVAL: '250' },
  });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface MetricPoint {
  readonly asInt?: number | string;
}

/** All of a counter, as the last export has it. */
function sumOf(metric: string): number {
  const { resourceMetrics } = JSON.parse(server.bodies('/v1/metrics').at(-1) ?? '{}') as {
    resourceMetrics: {
      scopeMetrics: { metrics: { name: string; sum?: { dataPoints: MetricPoint[] } }[] }[];
    }[];
  };
  const all = resourceMetrics.flatMap((resource) => resource.scopeMetrics.flatMap((scope) => scope.metrics));
  const points = all.find(({ name }) => name === metric)?.sum?.dataPoints ?? [];
  return points.reduce((total, point) => total + Number(point.asInt ?? 0), 0);
}

test('the steps of a real build are counted exactly, and nothing of it is active any more', () => {
  expect(sumOf('tensorrt.build.phase.steps')).toBe(1_883);
  expect(sumOf('tensorrt.build.outcomes')).toBe(1);
  expect(sumOf('tensorrt.build.active')).toBe(0);
  expect(sumOf('tensorrt.build.phase.active')).toBe(0);
});

test('TensorRT’s own lines are log records of spans of the build’s trace', () => {
  const spans = server.bodies('/v1/traces').flatMap((body) => readSpans(JSON.parse(body)));
  const ids = new Set(spans.map((span) => `${span.traceId} ${span.spanId}`));
  const records = [
    ...server
      .bodies('/v1/logs')
      .join('\n')
      .matchAll(/"traceId":"(\w+)","spanId":"(\w+)"/gu),
  ].map(([, trace, span]) => `${trace} ${span}`);
  expect(records.length).toBeGreaterThan(20);
  for (const record of records) expect(ids).toContain(record);
  expect(new Set(records).size).toBeGreaterThan(2);
});

test('the build was told of, and measured, while it ran', () => {
  const paths = server.requests.map(({ path }) => path);
  expect(paths.indexOf('/v1/metrics')).toBeLessThan(paths.indexOf('/v1/traces'));
  expect(server.bodies('/v1/metrics').length).toBeGreaterThan(2);
  expect(server.bodies('/v1/metrics')[1]).toContain('tensorrt.build.progress');
  expect(server.bodies('/v1/logs')[0]).toContain('tensorrt.build.started');
});
