import { createRequire } from 'node:module';
import * as api from '@opentelemetry/api';
import type { Attributes, Context, HrTime } from '@opentelemetry/api';

/** What is used of a Logs API's record. */
export interface LogRecord {
  readonly eventName?: string;
  readonly timestamp: HrTime;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body?: string;
  readonly attributes: Attributes;
  readonly context: Context;
}

/** What is used of a Logs API's logger. */
export interface Logger {
  emit(record: LogRecord): void;
}

/** A logger provider of `@opentelemetry/api` from 1.10 on, or of `@opentelemetry/api-logs` before. */
export interface LogsProvider {
  getLogger(name: string): Logger;
}

let found: LogsProvider | undefined;

/** The provider that is registered globally: 1.10 has the Logs API in it; before, it is a package of its own, which may be missing. */
export function globalLogs(): LogsProvider {
  found ??= (api as { readonly logs?: LogsProvider }).logs ?? separateApi() ?? none;
  return found;
}

/** Takes records and forgets them. */
const none: LogsProvider = { getLogger: () => ({ emit: () => undefined }) };

export const noLogger = none.getLogger('');

function separateApi(): LogsProvider | undefined {
  try {
    const { logs } = createRequire(import.meta.url)('@opentelemetry/api-logs') as {
      readonly logs: LogsProvider;
    };
    return logs;
  } catch {
    return undefined;
  }
}
