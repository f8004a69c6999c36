import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { readSpans } from './otlp-spans.ts';
import type { ReceivedSpan } from './otlp-spans.ts';

/** A small OTLP/HTTP collector: it takes JSON on POST /v1/traces and keeps the spans in memory. */
export interface OtlpReceiver {
  /** For `--otlp`, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** In order of arrival. */
  readonly spans: readonly ReceivedSpan[];
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.method !== 'POST' || request.url !== '/v1/traces') {
      request.resume();
      answer(404, { message: `only POST /v1/traces is taken here, not ${request.method} ${request.url}` });
      return;
    }
    readRequest(request).then(
      (body) => {
        spans.push(...body);
        return answer(200, {});
      },
      (error: unknown) => answer(400, { message: String(error) }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(request: IncomingMessage): Promise<ReceivedSpan[]> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('application/json'))
    throw new TypeError(`OTLP as JSON is taken here, not ${type || 'without a type'}`);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
  return readSpans(JSON.parse(text));
}
