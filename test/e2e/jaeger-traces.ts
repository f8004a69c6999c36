import { readSpans } from '../../scripts/demo/otlp-spans.ts';
import type { ReceivedSpan } from '../../scripts/demo/otlp-spans.ts';

/** The only trace of a service in a Jaeger, as its API gives it: v3, which keeps nanoseconds. */
export async function onlyTrace(queryUrl: string, service: string): Promise<readonly ReceivedSpan[]> {
  const found = await json<{ readonly data: readonly { readonly traceID: string }[] }>(
    `${queryUrl}/api/traces?service=${service}&limit=20&lookback=1h`,
  );
  const ids = found.data.map((trace) => trace.traceID);
  if (ids.length !== 1) throw new Error(`Jaeger has ${ids.length} traces of ${service}, not one`);
  const { result } = await json<{ readonly result: unknown }>(`${queryUrl}/api/v3/traces/${ids[0]}`);
  return readSpans(result);
}

async function json<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
