import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOtlpReceiver } from '../../../scripts/demo/otlp-receiver.ts';
import type { OtlpReceiver } from '../../../scripts/demo/otlp-receiver.ts';
import { traceBuild } from '../src/index.ts';
import { startTelemetry } from '../src/sdk/index.ts';
import type { TelemetryOptions } from '../src/sdk/index.ts';
import { startOtlpServer } from './otlp-server.ts';
import { ended, finished, scriptedBuild, started, steps } from './scripted-build.ts';

const given = Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_'));
let receiver: OtlpReceiver;

beforeEach(async () => {
  clearSettings();
  receiver = await startOtlpReceiver();
});

afterEach(async () => {
  clearSettings();
  Object.assign(process.env, Object.fromEntries(given));
  await receiver.close();
});

/** Exports one build of one phase of 1,827 steps; answers what was reported and how long the shutdown took. */
async function exportOne(options: TelemetryOptions) {
  const reports: string[] = [];
  const telemetry = await startTelemetry({ report: (line) => reports.push(line), ...options });
  const build = scriptedBuild([
    started(1, { name: 'Cloning network graph', from: 0 }),
    ...steps(1, 1_827, 10),
    finished(1, 100_000, 1_827),
    ended(100_001),
  ]);
  const { done } = traceBuild(build, telemetry.traceOptions);
  const { outcome } = await build.result;
  await done;
  const before = performance.now();
  await telemetry.shutdown();
  await telemetry.shutdown();
  return { outcome, reports, shutdownMs: performance.now() - before };
}

test('a build is exported whole, with every step of a phase of 1,827', async () => {
  const { reports } = await exportOne({ url: receiver.url });
  const [phase, root] = receiver.spans;
  expect(receiver.spans).toHaveLength(2);
  expect(phase?.events).toHaveLength(1_827);
  expect(phase?.droppedEvents).toBe(0);
  expect(root?.resource['service.name']).toBe('trtscope');
  expect(reports).toEqual([]);
});

test('nothing of the command line is on the resource', async () => {
  await exportOne({ url: receiver.url });
  const names = Object.keys(receiver.spans[0]?.resource ?? {});
  expect(names.filter((name) => name.startsWith('process.'))).toEqual([]);
});

test('the endpoint comes from OTEL_EXPORTER_OTLP_ENDPOINT when there is no url', async () => {
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = receiver.url;
  process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] = 'http/json';
  await exportOne({});
  expect(receiver.spans).toHaveLength(2);
});

test('OTEL_* settings of the user are kept: name, attributes, event limit, compression', async () => {
  process.env['OTEL_SERVICE_NAME'] = 'nightly';
  process.env['OTEL_RESOURCE_ATTRIBUTES'] = 'team=vision';
  process.env['OTEL_SPAN_EVENT_COUNT_LIMIT'] = '200';
  process.env['OTEL_EXPORTER_OTLP_COMPRESSION'] = 'gzip';
  const { reports } = await exportOne({ url: receiver.url, serviceName: 'mine' });
  const [phase] = receiver.spans;
  expect(phase?.resource).toMatchObject({ 'service.name': 'nightly', team: 'vision' });
  expect(phase?.events.length).toBeGreaterThan(120);
  expect(phase?.events.length).toBeLessThanOrEqual(200);
  expect(phase?.droppedEvents).toBe(0);
  expect(reports).toEqual([]);
});

test('the environment is left as it was', async () => {
  await exportOne({ url: receiver.url });
  expect(Object.keys(process.env).filter((name) => name.startsWith('OTEL_'))).toEqual([]);
});

test('OTEL_SDK_DISABLED exports nothing, silently', async () => {
  process.env['OTEL_SDK_DISABLED'] = 'true';
  const { reports } = await exportOne({ url: receiver.url });
  expect(receiver.spans).toEqual([]);
  expect(reports).toEqual([]);
});

test('telemetry can be started again after a shutdown', async () => {
  await exportOne({ url: receiver.url });
  await exportOne({ url: receiver.url });
  expect(receiver.spans).toHaveLength(4);
});

test('a refused connection is reported in one line and leaves the build alone', async () => {
  process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '300';
  await receiver.close();
  const { outcome, reports, shutdownMs } = await exportOne({ url: receiver.url });
  expect(outcome).toBe('built');
  expect(shutdownMs).toBeLessThan(1_000);
  expect(reports).toEqual([
    `Traces, metrics and logs were not fully exported to ${receiver.url}: connect ECONNREFUSED ${new URL(receiver.url).host}`,
  ]);
});

test('a refused connection is not tried again past the time limit', async () => {
  await receiver.close();
  const { reports, shutdownMs } = await exportOne({ url: receiver.url, shutdownTimeoutMs: 300 });
  expect(shutdownMs).toBeLessThan(1_300);
  expect(reports).toEqual([
    `Traces, metrics and logs were not fully exported to ${receiver.url}: connect ECONNREFUSED ${new URL(receiver.url).host}`,
  ]);
});

test('a collector that never answers delays the end by the time limit at most', async () => {
  const sockets: Socket[] = [];
  const blackHole = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(blackHole, 'listening');
  const url = `http://127.0.0.1:${(blackHole.address() as AddressInfo).port}`;
  const { outcome, reports, shutdownMs } = await exportOne({ url, shutdownTimeoutMs: 400 });
  for (const socket of sockets) socket.destroy();
  blackHole.close();
  expect(outcome).toBe('built');
  expect(shutdownMs).toBeLessThan(1_400);
  expect(reports).toEqual([
    `Traces, metrics and logs were not fully exported to ${url}: no answer within 0.4 s`,
  ]);
});

test('an endpoint that has no such path for traces is reported with its status', async () => {
  const { reports } = await exportOne({ url: `${receiver.url}/elsewhere` });
  expect(reports).toEqual([
    `Traces were not fully exported to ${receiver.url}/elsewhere: HTTP 404 Not Found`,
  ]);
});

test('keys in the url are used and not reported', async () => {
  const { reports } = await exportOne({ url: `${receiver.url}/elsewhere?key=secret` });
  expect(reports).toEqual([
    `Traces were not fully exported to ${receiver.url}/elsewhere: HTTP 404 Not Found`,
  ]);
});

test('with a time limit that is shorter than a request’s, requests end with it too', async () => {
  const held = Promise.withResolvers<number>();
  const slow = await startOtlpServer(() => held.promise);
  await exportOne({ url: slow.url, shutdownTimeoutMs: 200 });
  // The server’s own ends of the connections close when the requests give up.
  await expect.poll(openSockets, { timeout: 2_000 }).toBe(0);
  held.resolve(200);
  await slow.close();
});

test('a program that has an SDK is told to leave this one out', async () => {
  const telemetry = await startTelemetry({ url: receiver.url });
  await expect(startTelemetry({ url: receiver.url })).rejects.toMatchObject({
    code: 'TELEMETRY_UNAVAILABLE',
  });
  await telemetry.shutdown();
});

test.each(['localhost:4318', 'ftp://host', 'nonsense', ''])(
  'the url %j is refused with an example of a good one',
  async (url) => {
    await expect(startTelemetry({ url })).rejects.toThrow(
      `The option url must be an http or https URL such as http://localhost:4318, but is ${JSON.stringify(url)}.`,
    );
  },
);

function clearSettings(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}
