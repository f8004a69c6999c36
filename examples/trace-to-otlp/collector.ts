import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The little of OTLP's JSON that the example looks at. */
interface OtlpSpan {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly events?: readonly { readonly name: string }[];
  readonly droppedEventsCount?: number;
}

interface ExportRequest {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

/** Stands in for a collector: keeps the spans that are posted to it. */
export async function startCollector() {
  const spans: OtlpSpan[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      // Metrics and logs come too, and have none.
      const { resourceSpans = [] } = JSON.parse(body) as ExportRequest;
      spans.push(...resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans)));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, spans, close };
}
