import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** What an endpoint got on one of its paths. */
export interface OtlpRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** JSON as text. */
  readonly body: string;
}

/** An OTLP/HTTP endpoint of the test's own. */
export interface OtlpServer {
  readonly url: string;
  readonly requests: readonly OtlpRequest[];
  /** The paths that were asked for, once each, in order of their names. */
  readonly paths: () => string[];
  readonly bodies: (path: string) => string[];
  readonly close: () => Promise<void>;
}

/** What to answer on a path: a status, or a promise that is waited for before. */
export type Answers = (path: string) => number | Promise<number>;

export async function startOtlpServer(answers: Answers = () => 200): Promise<OtlpServer> {
  const requests: OtlpRequest[] = [];
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    const [path = ''] = url.split('?');
    const answer = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const whole = Buffer.concat(chunks);
      const body = (headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole).toString('utf8');
      requests.push({ path, headers, body });
      response.writeHead(await answers(path), { 'content-type': 'application/json' }).end('{}');
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    paths: () => [...new Set(requests.map(({ path }) => path))].toSorted(),
    bodies: (path) => requests.filter((request) => request.path === path).map(({ body }) => body),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
