import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '@trtscope/native';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReceivedSpan } from '../../scripts/demo/otlp-spans.ts';
import { startJaeger } from '../../scripts/jaeger.ts';
import type { Jaeger } from '../../scripts/jaeger.ts';
import { onlyTrace } from './jaeger-traces.ts';
import { rtxPhases, rtxSteps, tensorrtPhases } from './traced-phases.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const model = join(cacheFolder(), 'models', 'light_resnet50.onnx');
const ownPhases = ['start', 'load TensorRT', 'parse', 'configure', 'finish', 'write', 'hash'];

let jaeger: Jaeger;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trtscope-e2e-'));
  jaeger = await startJaeger();
});

afterAll(async () => {
  await jaeger?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('trtscope build --otlp, in a real Jaeger', () => {
  let spans: readonly ReceivedSpan[];
  let root: ReceivedSpan;
  let said: string;

  beforeAll(async () => {
    const args = [main, 'build', model, '-o', join(folder, 'cli.engine'), '--otlp', jaeger.otlpUrl];
    ({ stderr: said } = await run(process.execPath, args, { env: withoutTelemetry() }));
    spans = await onlyTrace(jaeger.queryUrl, 'trtscope');
    root = theRoot(spans);
  });

  test('is told of no fault, though a Jaeger takes neither metrics nor logs, as trtscope doctor says', async () => {
    expect(said).not.toContain('exported');
    const args = [main, 'doctor', '--otlp', jaeger.otlpUrl];
    const { stdout } = await run(process.execPath, args, { env: withoutTelemetry() });
    expect(stdout.split('\n').map((line) => line.slice(0, 16).trim())).toEqual([
      'ok      traces',
      'note    metrics',
      'note    logs',
      'Telemetry can be',
      '',
    ]);
  });

  test('is one trace with one root', () => {
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(1);
    expect(root.name).toBe('build light_resnet50');
    expect(root.status).toBe('unset');
  });

  test('has TensorRT’s 12 phases under their parents, and ours beside them', () => {
    expect(tensorrtPhases(spans)).toEqual(rtxPhases('build light_resnet50'));
    const own = spans.filter((span) => span.attributes['tensorrt.phase.origin'] === 'trtscope');
    expect(own.map((span) => span.name).toSorted()).toEqual(ownPhases.toSorted());
    for (const span of own) expect(span.parentSpanId).toBe(root.spanId);
  });

  test('has every step as an event, none dropped, counts exact', () => {
    expect(stepEvents(spans)).toHaveLength(rtxSteps);
    expectExactCounts(spans, root);
  });

  test('has no span outside its parent’s time', () => expectNested(spans));

  test('leaves no time unexplained: the root’s children cover 98 % of it', () => {
    expect(coveredBy(spans, root)).toBeGreaterThanOrEqual(0.98);
  });
});

describe('a program with an SDK of its own and default limits', () => {
  let spans: readonly ReceivedSpan[];
  let root: ReceivedSpan;

  beforeAll(async () => {
    const program = fileURLToPath(new URL('own-sdk-program.ts', import.meta.url));
    await run(process.execPath, [program, model, join(folder, 'own.engine'), jaeger.otlpUrl], {
      env: withoutTelemetry(),
    });
    spans = await onlyTrace(jaeger.queryUrl, 'own-sdk');
    root = theRoot(spans);
  });

  test('has the build under its own span', () => {
    expect(root.name).toBe('deploy');
    const [build, ...others] = spans.filter((span) => span.parentSpanId === root.spanId);
    expect(build?.name).toBe('build light_resnet50');
    expect(others).toEqual([]);
    expect(tensorrtPhases(spans)).toEqual(rtxPhases('build light_resnet50'));
  });

  test('has at most 128 events on a span, none dropped, and exact counts', () => {
    for (const span of spans) expect(span.events.length).toBeLessThanOrEqual(128);
    expect(stepEvents(spans).length).toBeGreaterThan(100);
    expectExactCounts(spans, spans.find((span) => span.name === 'build light_resnet50') as ReceivedSpan);
  });

  test('has no phase outside its parent’s time', () => {
    expectNested(spans.filter((span) => span.attributes['tensorrt.phase.name'] !== undefined));
  });
});

function withoutTelemetry(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(OTEL_|TRACEPARENT$|TRACESTATE$)/u.test(name)),
  );
}

function theRoot(spans: readonly ReceivedSpan[]): ReceivedSpan {
  const roots = spans.filter((span) => span.parentSpanId === undefined);
  expect(roots).toHaveLength(1);
  return roots[0] as ReceivedSpan;
}

function stepEvents(spans: readonly ReceivedSpan[]) {
  return spans.flatMap((span) => span.events).filter((event) => event.name === 'tensorrt.step');
}

function expectExactCounts(spans: readonly ReceivedSpan[], build: ReceivedSpan): void {
  for (const span of spans) expect(span.droppedEvents).toBe(0);
  expect(build.attributes).toMatchObject({
    'tensorrt.build.steps.completed': rtxSteps,
    'tensorrt.build.phase.count': rtxPhases('').length,
    'tensorrt.build.result': 'built',
  });
  const completed = spans.map((span) => Number(span.attributes['tensorrt.phase.steps.completed'] ?? 0));
  expect(completed.reduce((sum, count) => sum + count, 0)).toBe(rtxSteps);
}

function expectNested(spans: readonly ReceivedSpan[]): void {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  for (const span of spans) {
    expect(span.endNs).toBeGreaterThan(span.startNs);
    const parent = byId.get(span.parentSpanId ?? '');
    if (parent === undefined) continue;
    expect(span.startNs).toBeGreaterThanOrEqual(parent.startNs);
    expect(span.endNs).toBeLessThanOrEqual(parent.endNs);
  }
}

/** The part of a span's time in which at least one of its children was open. */
function coveredBy(spans: readonly ReceivedSpan[], root: ReceivedSpan): number {
  const children = spans
    .filter((span) => span.parentSpanId === root.spanId)
    .toSorted((a, b) => Number(a.startNs - b.startNs));
  let coveredNs = 0n;
  let reachedNs = root.startNs;
  for (const { startNs, endNs } of children) {
    if (endNs <= reachedNs) continue;
    coveredNs += endNs - (startNs > reachedNs ? startNs : reachedNs);
    reachedNs = endNs;
  }
  return Number(coveredNs) / Number(root.endNs - root.startNs);
}
