import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { recordingPath } from './command.ts';
import { runHere } from './in-process.ts';

const variables = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
];
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

const replay = (...more: readonly string[]) =>
  runHere('replay', recordingPath('synthetic-convnet'), '--speed', 'max', '--progress', 'none', ...more);

describe('the trace of a build', () => {
  it('goes to the endpoint of --otlp', async () => {
    expect(await replay('--otlp', url)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(requests.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(requests[0]?.body).toContain('Determining refit engines');
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, '/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '/mine' }, '/mine'],
  ])('goes where the standard variables say: %j', async (paths, expected) => {
    for (const [name, path] of Object.entries(paths)) process.env[name] = `${url}${path}`;
    process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] = 'http/json';
    expect((await replay()).code).toBe(0);
    delete process.env['OTEL_EXPORTER_OTLP_PROTOCOL'];
    expect(requests.map(({ path }) => path)).toEqual([expected]);
  });

  it('goes nowhere when nothing asks for it, or OTEL_TRACES_EXPORTER says none', async () => {
    await replay();
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
    process.env['OTEL_TRACES_EXPORTER'] = 'none';
    await replay();
    expect(requests).toEqual([]);
  });

  it('changes neither outcome nor exit code when nobody takes it', async () => {
    const { code, stderr } = await replay('--otlp', 'http://127.0.0.1:1');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^trtscope: Traces were not fully exported to .*\n$/u);
  });
});
