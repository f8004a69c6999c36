import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOtlpReceiver } from '../../scripts/demo/otlp-receiver.ts';
import type { OtlpReceiver } from '../../scripts/demo/otlp-receiver.ts';

let receiver: OtlpReceiver;

beforeEach(async () => {
  receiver = await startOtlpReceiver();
});

afterEach(() => receiver.close());

const request = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'trtscope' } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: 'a'.repeat(32),
              spanId: 'b'.repeat(16),
              parentSpanId: '',
              name: 'build net',
              startTimeUnixNano: '1796124000123456789',
              endTimeUnixNano: '1796124001123456790',
              attributes: [
                { key: 'tensorrt.engine.size', value: { intValue: '4096' } },
                { key: 'tensorrt.cancel.latency', value: { doubleValue: 0.5 } },
                { key: 'flag', value: { boolValue: true } },
                { key: 'list', value: { arrayValue: { values: [{ intValue: 1 }, { stringValue: 'x' }] } } },
              ],
              events: [
                {
                  name: 'tensorrt.step',
                  timeUnixNano: '1796124000123456999',
                  attributes: [{ key: 'tensorrt.step.index', value: { intValue: 0 } }],
                },
              ],
              droppedEventsCount: 3,
              status: { code: 2, message: 'no tactic' },
            },
          ],
        },
      ],
    },
  ],
};

test('a span arrives with its times to the nanosecond, its attributes, events and status', async () => {
  const answer = await post(JSON.stringify(request));
  expect(answer.status).toBe(200);
  expect(receiver.spans).toEqual([
    {
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      name: 'build net',
      startNs: 1_796_124_000_123_456_789n,
      endNs: 1_796_124_001_123_456_790n,
      attributes: {
        'tensorrt.engine.size': 4_096,
        'tensorrt.cancel.latency': 0.5,
        flag: true,
        list: [1, 'x'],
      },
      events: [
        {
          name: 'tensorrt.step',
          timeNs: 1_796_124_000_123_456_999n,
          attributes: { 'tensorrt.step.index': 0 },
        },
      ],
      droppedEvents: 3,
      status: 'error',
      statusMessage: 'no tactic',
      resource: { 'service.name': 'trtscope' },
    },
  ]);
});

test('a compressed request is taken as well', async () => {
  const answer = await post(gzipSync(JSON.stringify(request)), { 'content-encoding': 'gzip' });
  expect(answer.status).toBe(200);
  expect(receiver.spans).toHaveLength(1);
});

test('an empty request is taken, and has no spans', async () => {
  expect((await post('{}')).status).toBe(200);
  expect(receiver.spans).toEqual([]);
});

test.each([
  ['{', 400],
  ['{"resourceSpans":1}', 400],
])('a body that makes no sense, %j, is refused', async (body, status) => {
  expect((await post(body)).status).toBe(status);
  expect(receiver.spans).toEqual([]);
});

test('protobuf is refused with a word on what is taken', async () => {
  const answer = await post('xx', { 'content-type': 'application/x-protobuf' });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('OTLP as JSON is taken here, not application/x-protobuf');
});

test('metrics and other paths are answered 404, as Jaeger does', async () => {
  const answer = await fetch(`${receiver.url}/v1/metrics`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(404);
});

function post(body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${receiver.url}/v1/traces`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}
