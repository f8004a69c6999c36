import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { recordingPath } from './command.ts';
import { runHere } from './in-process.ts';

const variables = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
  'OTEL_METRICS_EXPORTER',
  'OTEL_LOGS_EXPORTER',
];
const all = ['/v1/logs', '/v1/metrics', '/v1/traces'];
const requests: { readonly path: string | undefined; readonly body: string }[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    requests.push({ path: request.url, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterEach(() => {
  requests.length = 0;
  for (const name of variables) Reflect.deleteProperty(process.env, name);
});
afterAll(() => void collector.close());

const paths = () => [...new Set(requests.map(({ path }) => `${path}`))].toSorted();
const bodies = (wanted: string) =>
  requests
    .filter(({ path }) => path === wanted)
    .map(({ body }) => body)
    .join('\n');

const replay = (...more: readonly string[]) =>
  runHere('replay', recordingPath('synthetic-convnet'), '--speed', 'max', '--progress', 'none', ...more);

describe('the trace of a build', () => {
  it('goes to the endpoint of --otlp', async () => {
    expect(await replay('--otlp', url)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(paths()).toEqual(all);
    expect(bodies('/v1/traces')).toContain('Determining refit engines');
    expect(bodies('/v1/metrics')).toContain('tensorrt.build.duration');
    expect(bodies('/v1/logs')).toContain('tensorrt.build.finished');
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, all],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '/mine' }, ['/mine']],
  ])('goes where the standard variables say: %j', async (targets, expected) => {
    for (const [name, path] of Object.entries(targets)) process.env[name] = `${url}${path}`;
    process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] = 'http/json';
    expect((await replay()).code).toBe(0);
    delete process.env['OTEL_EXPORTER_OTLP_PROTOCOL'];
    expect(paths()).toEqual(expected);
  });

  it('goes nowhere when nothing asks for it, or OTEL_*_EXPORTER say none', async () => {
    await replay();
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
    for (const name of ['TRACES', 'METRICS', 'LOGS']) process.env[`OTEL_${name}_EXPORTER`] = 'none';
    await replay();
    expect(requests).toEqual([]);
  });

  it('changes neither outcome nor exit code when nobody takes it', async () => {
    const { code, stderr } = await replay('--otlp', 'http://127.0.0.1:1');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^trtscope: Traces, metrics and logs were not fully exported to .*\n$/u);
  });

  it.each([
    ['sampled', /"name":"tensorrt\.step"/u, undefined],
    ['logs', undefined, /"eventName":"tensorrt\.step"/u],
    ['none', undefined, undefined],
  ])(
    'has its steps as --step-events %s says, and counts them whatever it says',
    async (policy, inTrace, inLogs) => {
      await replay('--otlp', url, '--step-events', policy);
      expect(/"name":"tensorrt\.step"/u.test(bodies('/v1/traces'))).toBe(inTrace !== undefined);
      expect(/"eventName":"tensorrt\.step"/u.test(bodies('/v1/logs'))).toBe(inLogs !== undefined);
      expect(bodies('/v1/metrics')).toContain('tensorrt.build.phase.steps');
    },
  );

  it('holds the end up for --export-timeout at most', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const target = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const before = performance.now();
    const { code, stderr } = await replay('--otlp', target, '--export-timeout', '300ms');
    expect(performance.now() - before).toBeLessThan(1_500);
    silent.closeAllConnections();
    silent.close();
    expect(code).toBe(0);
    expect(stderr).toMatch(/not fully exported to \S+: .+\n$/u);
  });
});

describe('trtscope doctor --otlp', () => {
  it('says what the endpoint answers to one span, one metric and one log', async () => {
    const { code, stdout } = await runHere('doctor', '--otlp', url);
    expect(paths()).toEqual(all);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        `ok      traces    ${url}/v1/traces took one`,
        `ok      metrics   ${url}/v1/metrics took one`,
        `ok      logs      ${url}/v1/logs took one`,
        'Telemetry can be sent there.\n',
      ].join('\n'),
    );
  });

  it('exits with 1 where nobody answers', async () => {
    const { code, stdout } = await runHere(
      'doctor',
      '--otlp',
      'http://127.0.0.1:1',
      '--export-timeout',
      '500ms',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('missing traces    http://127.0.0.1:1/v1/traces: connect ECONNREFUSED');
  });
});
