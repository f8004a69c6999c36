import type { Signal } from './signal.ts';

/**
 * Where a signal goes, from what a person typed: `http://host:4318` becomes `http://host:4318/v1/traces`, as
 * OTEL_EXPORTER_OTLP_ENDPOINT would. Throws a TypeError for anything but an http or https URL.
 */
export function signalUrl(url: string, signal: Signal): string {
  const parsed = base(url);
  parsed.pathname = `${parsed.pathname.replace(/\/+$/u, '')}/v1/${signal}`;
  return parsed.href;
}

/** Without credentials and query, which may hold keys. */
export function withoutSecrets(url: string): string {
  const { origin, pathname } = base(url);
  return origin + pathname.replace(/\/+$/u, '');
}

function base(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new TypeError(
      `The option url must be an http or https URL such as http://localhost:4318, but is ${JSON.stringify(url)}.`,
    );
  }
  parsed.pathname = parsed.pathname.replace(/\/v1\/(?:traces|metrics|logs)\/*$/u, '');
  return parsed;
}
