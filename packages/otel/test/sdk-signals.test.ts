import { startBuild } from '@trtscope/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { traceBuild } from '../src/index.ts';
import type { TraceOptions } from '../src/index.ts';
import { startTelemetry } from '../src/sdk/index.ts';
import type { TelemetryOptions } from '../src/sdk/index.ts';
import { startOtlpServer } from './otlp-server.ts';
import type { Answers, OtlpServer } from './otlp-server.ts';
import { ended, finished, scriptedBuild, started, steps } from './scripted-build.ts';

const ci = new Set(['GITHUB_ACTIONS', 'GITHUB_WORKFLOW', 'GITLAB_CI']);
const given = Object.entries(process.env).filter(([name]) => isSetting(name));
let server: OtlpServer;

beforeEach(() => clearSettings());

afterEach(async () => {
  clearSettings();
  Object.assign(process.env, Object.fromEntries(given));
  await server.close();
});

/** Exports one build with a phase of 20 steps and a log line; answers what was reported. */
async function exportOne(options: TelemetryOptions & { readonly trace?: TraceOptions } = {}) {
  const reports: string[] = [];
  const telemetry = await startTelemetry({ report: (line) => reports.push(line), ...options });
  const build = scriptedBuild([
    started(1, { name: 'Timing', from: 0, announced: 20 }),
    ...steps(1, 20, 10),
    { type: 'log', timeNs: 500, severity: 'warning', message: 'said', origin: 'tensorrt', phase: 1 },
    finished(1, 1_000, 20),
    ended(1_001),
  ]);
  const { done } = traceBuild(build, { ...telemetry.traceOptions, ...options.trace });
  await done;
  await telemetry.shutdown();
  return reports;
}

async function serve(answers?: Answers): Promise<string> {
  server = await startOtlpServer(answers);
  return server.url;
}

test('traces, metrics and logs arrive, of one resource, the logs with the ids of their spans', async () => {
  const reports = await exportOne({ url: await serve() });
  expect(server.paths()).toEqual(['/v1/logs', '/v1/metrics', '/v1/traces']);
  expect(reports).toEqual([]);
  const text = (path: string) => server.bodies(path).join('\n');
  const spanId = /"spanId":"(\w+)"[^{]*"name":"Timing"/u.exec(text('/v1/traces'))?.[1];
  expect(text('/v1/logs')).toContain(`"spanId":"${spanId}"`);
  expect(text('/v1/logs')).toContain('tensorrt.build.started');
  expect(text('/v1/metrics')).toContain('tensorrt.build.phase.steps');
  const instances = server.requests.map(({ body }) => /service\.instance\.id[^}]+/u.exec(body)?.[0]);
  expect(new Set(instances).size).toBe(1);
});

test('OTEL_*_EXPORTER=none leaves a signal out, whatever the url', async () => {
  process.env['OTEL_METRICS_EXPORTER'] = 'none';
  process.env['OTEL_LOGS_EXPORTER'] = 'none';
  await exportOne({ url: await serve() });
  expect(server.paths()).toEqual(['/v1/traces']);
  process.env['OTEL_TRACES_EXPORTER'] = 'none';
  process.env['OTEL_LOGS_EXPORTER'] = 'otlp';
  await exportOne({ url: server.url });
  expect(server.paths()).toEqual(['/v1/logs', '/v1/traces']);
});

test('an endpoint of one signal alone asks for no other', async () => {
  process.env['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'] = `${await serve()}/mine`;
  await exportOne();
  expect(server.paths()).toEqual(['/mine']);
});

test('headers, protocol and compression of OTEL_* count for every signal', async () => {
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = await serve();
  process.env['OTEL_EXPORTER_OTLP_HEADERS'] = 'x-team=vision';
  process.env['OTEL_EXPORTER_OTLP_COMPRESSION'] = 'gzip';
  await exportOne();
  expect(server.paths()).toHaveLength(3);
  for (const { headers } of server.requests) {
    expect(headers).toMatchObject({
      'x-team': 'vision',
      'content-encoding': 'gzip',
      'content-type': 'application/x-protobuf',
    });
  }
});

test('OTEL_SDK_DISABLED sends no signal', async () => {
  process.env['OTEL_SDK_DISABLED'] = 'true';
  expect(await exportOne({ url: await serve() })).toEqual([]);
  expect(server.requests).toEqual([]);
});

test('the Prometheus exporter, where it is asked for, opens its port to this machine alone', async () => {
  const taken = await startOtlpServer();
  const { port } = new URL(taken.url);
  await taken.close();
  process.env['OTEL_METRICS_EXPORTER'] = 'prometheus';
  process.env['OTEL_EXPORTER_PROMETHEUS_PORT'] = port;
  const telemetry = await startTelemetry({ url: await serve() });
  await traceBuild(scriptedBuild([ended(1_000)]), telemetry.traceOptions).done;
  const page = (host: string) => fetch(`http://${host}:${port}/metrics`);
  await expect((await page('127.0.0.1')).text()).resolves.toContain('tensorrt_build_outcomes_total');
  await expect(page('127.0.0.2')).rejects.toThrow('fetch failed');
  await telemetry.shutdown();
  expect(server.bodies('/v1/metrics')).toEqual([]);
});

test('an endpoint that takes traces alone, such as a Jaeger, is asked once for the rest, and that is no fault', async () => {
  const reports = await exportOne({ url: await serve((path) => (path === '/v1/traces' ? 200 : 404)) });
  expect(reports).toEqual([]);
  expect(server.bodies('/v1/metrics')).toHaveLength(1);
  expect(server.bodies('/v1/logs')).toHaveLength(1);
});

test('metrics that were asked for by name and not taken are a fault', async () => {
  process.env['OTEL_METRICS_EXPORTER'] = 'otlp';
  const reports = await exportOne({ url: await serve((path) => (path === '/v1/metrics' ? 404 : 200)) });
  expect(reports).toEqual([`Metrics were not fully exported to ${server.url}: HTTP 404 Not Found`]);
});

test.each([
  [400, 'HTTP 400 Bad Request'],
  [429, 'it wants to be asked later (HTTP 429, 502, 503 or 504)'],
  [503, 'it wants to be asked later (HTTP 429, 502, 503 or 504)'],
])('an endpoint that answers %i is told of in one line, in time', async (status, reason) => {
  const before = performance.now();
  const reports = await exportOne({ url: await serve(() => status), shutdownTimeoutMs: 500 });
  expect(performance.now() - before).toBeLessThan(1_500);
  expect(reports).toEqual([`Traces, metrics and logs were not fully exported to ${server.url}: ${reason}`]);
});

test('an endpoint that speaks no TLS is told of in one line', async () => {
  const reports = await exportOne({
    url: (await serve()).replace('http:', 'https:'),
    shutdownTimeoutMs: 500,
  });
  expect(reports).toHaveLength(1);
  expect(reports[0]).toMatch(
    /^Traces, metrics and logs were not fully exported to \S+: .*(?:SSL|TLS|EPROTO)/iu,
  );
});

test('an endpoint that dies in the middle of a build is told of in one line', async () => {
  const telemetry = await startTelemetry({
    url: await serve(),
    shutdownTimeoutMs: 500,
    report: (line) => reports.push(line),
  });
  const reports: string[] = [];
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const source = { kind: 'waiting', subject: {}, start: () => ({ cancel: () => undefined, ended: over }) };
  const { done } = traceBuild(startBuild(source), telemetry.traceOptions);
  await expect.poll(() => server.bodies('/v1/metrics').length, { timeout: 5_000 }).toBeGreaterThan(0);
  await server.close();
  end();
  await done;
  await telemetry.shutdown();
  expect(reports).toEqual([
    expect.stringMatching(
      /^Traces, metrics and logs were not fully exported to \S+: .*(?:ECONNREFUSED|ECONNRESET|hang up)/u,
    ),
  ]);
});

test('a signal that fails at once does not cut off another that is slow', async () => {
  const reports = await exportOne({
    url: await serve(async (path) => {
      if (path !== '/v1/traces') return 400;
      await new Promise((resolve) => {
        setTimeout(resolve, 300);
      });
      return 200;
    }),
  });
  expect(server.bodies('/v1/traces').join('')).toContain('Timing');
  expect(reports).toEqual([
    `Metrics and logs were not fully exported to ${server.url}: HTTP 400 Bad Request`,
  ]);
});

test('metrics that got lost on the way are made up for by the next, which have the same sums', async () => {
  process.env['OTEL_METRIC_EXPORT_INTERVAL'] = '50';
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const url = await serve((path) => {
    if (path !== '/v1/metrics') return 200;
    asked += 1;
    if (asked === 2) resolve();
    return asked === 1 ? 400 : 200;
  });
  const reports: string[] = [];
  const telemetry = await startTelemetry({ url, report: (line) => reports.push(line) });
  const build = scriptedBuild([ended(1_000)]);
  await traceBuild(build, telemetry.traceOptions).done;
  await promise;
  await telemetry.shutdown();
  expect(reports).toEqual([]);
});

test('metrics go out while a build runs', async () => {
  process.env['OTEL_METRIC_EXPORT_INTERVAL'] = '50';
  const { promise, resolve } = Promise.withResolvers<void>();
  const url = await serve((path) => {
    if (path === '/v1/metrics') resolve();
    return 200;
  });
  const telemetry = await startTelemetry({ url });
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const build = startBuild({
    kind: 'waiting',
    subject: {},
    start: () => ({ cancel: () => undefined, ended: over }),
  });
  const { done } = traceBuild(build, telemetry.traceOptions);
  await promise;
  expect(server.bodies('/v1/metrics')[0]).toMatch(/tensorrt\.build\.active.*"asInt":1/u);
  end();
  await done;
  await telemetry.shutdown();
});

test('with the policy logs every step of a phase of 1,900 arrives', async () => {
  const telemetry = await startTelemetry({ url: await serve() });
  const build = scriptedBuild([
    started(1, { name: 'Timing', from: 0 }),
    ...steps(1, 1_900, 10),
    finished(1, 100_000, 1_900),
    ended(100_001),
  ]);
  await traceBuild(build, { ...telemetry.traceOptions, stepEvents: 'logs' }).done;
  await telemetry.shutdown();
  const records =
    server
      .bodies('/v1/logs')
      .join('')
      .match(/"eventName":"tensorrt.step"/gu) ?? [];
  expect(records).toHaveLength(1_900);
});

test('the resource says which CI job it is, unless that is not wanted', async () => {
  process.env['GITHUB_ACTIONS'] = 'true';
  process.env['GITHUB_WORKFLOW'] = 'nightly';
  await exportOne({ url: await serve() });
  for (const { body } of server.requests) expect(body).toContain('cicd.pipeline.name');
  await server.close();
  await exportOne({ url: await serve(), ciAttributes: false });
  for (const { body } of server.requests) expect(body).not.toContain('cicd.pipeline.name');
});

function isSetting(name: string): boolean {
  return name.startsWith('OTEL_') || ci.has(name);
}

function clearSettings(): void {
  for (const name of Object.keys(process.env)) if (isSetting(name)) delete process.env[name];
}
