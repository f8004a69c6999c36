import { DiagConsoleLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import type { DiagLogger } from '@opentelemetry/api';

/** Keeps the first thing that went wrong in the SDK, which says it many times and at length. */
export class FirstFault {
  #message: string | undefined;

  get message(): string | undefined {
    return this.#message;
  }

  note(error: unknown): void {
    this.#message ??= sentence(error);
  }

  /** Takes the SDK's own log. With OTEL_LOG_LEVEL the user gets it on the console as well, as the SDK would do it. */
  listen(): void {
    const asked = (process.env['OTEL_LOG_LEVEL'] ?? '').trim().toUpperCase() as keyof typeof DiagLogLevel;
    const level = DiagLogLevel[asked] ?? DiagLogLevel.NONE;
    const shown = new DiagConsoleLogger();
    const log =
      (at: DiagLogLevel, method: keyof DiagLogger) =>
      (message: string, ...rest: unknown[]) => {
        if ((at === DiagLogLevel.ERROR && !slow.test(message)) || lostData.test(message))
          this.note([message, ...rest].join(' '));
        if (level >= at) shown[method](message, ...rest);
      };
    const logger: DiagLogger = {
      error: log(DiagLogLevel.ERROR, 'error'),
      warn: log(DiagLogLevel.WARN, 'warn'),
      info: log(DiagLogLevel.INFO, 'info'),
      debug: log(DiagLogLevel.DEBUG, 'debug'),
      verbose: log(DiagLogLevel.VERBOSE, 'verbose'),
    };
    const logLevel = level > DiagLogLevel.WARN ? level : DiagLogLevel.WARN;
    diag.setLogger(logger, { logLevel, suppressOverrideMessage: true });
  }
}

// The SDK does not say which status it was.
const retryable = 'Export failed with retryable status';
const tryLater = 'it wants to be asked later (HTTP 429, 502, 503 or 504)';

// Warnings of the SDK that mean spans or events are gone.
const lostData = /^(Received Partial Success|Dropped \d)/u;

// The SDK waits a second for an answer to metrics that it sends each second; one that comes later is as good.
const slow = /^PeriodicExportingMetricReader: metrics export timed out/u;

/** In one line; of an Error, or the JSON that the SDK's error handler makes of one. */
export function sentence(error: unknown): string {
  const fields = typeof error === 'string' ? parsed(error) : error;
  if (typeof fields !== 'object' || fields === null) return oneLine(String(error));
  const { message, code, name, errors } = fields as Readonly<Record<string, unknown>>;
  const inner = Array.isArray(errors) && errors.length > 0 ? sentence(errors[0]) : '';
  // An AggregateError of a refused connection has no message of its own.
  const text = [message, inner, name, code].find((part) => typeof part === 'string' && part !== '');
  const status = typeof code === 'number' ? `HTTP ${code} ` : '';
  return oneLine(text === retryable ? tryLater : `${status}${String(text ?? error)}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, 300);
}
