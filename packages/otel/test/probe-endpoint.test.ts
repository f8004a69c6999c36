import { metrics, trace } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { probeEndpoint } from '../src/sdk/index.ts';
import { startOtlpServer } from './otlp-server.ts';
import type { OtlpServer } from './otlp-server.ts';

let server: OtlpServer | undefined;

afterEach(() => server?.close());

const told = (answers: Awaited<ReturnType<typeof probeEndpoint>>) =>
  answers.map(({ signal, state, answer }) => [signal, state, answer].filter(Boolean).join(' '));

test('one span, one metric and one log are sent, and nothing is registered', async () => {
  server = await startOtlpServer();
  expect(told(await probeEndpoint(server.url))).toEqual(['traces taken', 'metrics taken', 'logs taken']);
  expect(server.paths()).toEqual(['/v1/logs', '/v1/metrics', '/v1/traces']);
  expect(server.requests).toHaveLength(3);
  expect(trace.getTracer('x').startSpan('x').isRecording()).toBe(false);
  expect(metrics.getMeterProvider().constructor.name).toContain('Noop');
});

test('the answer to each signal is told apart: taken, not known there, refused', async () => {
  const statuses: Readonly<Record<string, number>> = {
    '/v1/traces': 200,
    '/v1/metrics': 404,
    '/v1/logs': 401,
  };
  server = await startOtlpServer((path) => statuses[path] ?? 500);
  const answers = await probeEndpoint(`${server.url}/?key=secret`);
  expect(told(answers)).toEqual([
    'traces taken',
    'metrics absent HTTP 404 Not Found',
    'logs failed HTTP 401 Unauthorized',
  ]);
  expect(answers.map(({ url }) => url)).toEqual(
    ['traces', 'metrics', 'logs'].map((signal) => `${server?.url}/v1/${signal}`),
  );
});

test('an endpoint that nobody listens at, or that never answers, is told in time', async () => {
  expect(told(await probeEndpoint('http://127.0.0.1:1', { timeoutMs: 300 }))).toEqual(
    ['traces', 'metrics', 'logs'].map((signal) => `${signal} failed connect ECONNREFUSED 127.0.0.1:1`),
  );
  const held = Promise.withResolvers<number>();
  server = await startOtlpServer(() => held.promise);
  const answers = told(await probeEndpoint(server.url, { timeoutMs: 200 }));
  held.resolve(200);
  for (const answer of answers) expect(answer).toMatch(/ failed (?:no answer within 0.2 s|.*timed? ?out)/iu);
});
