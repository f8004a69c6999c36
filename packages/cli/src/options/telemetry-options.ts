import { Option } from 'commander';
import type { StepEventPolicy } from '@trtscope/otel';
import { UsageError } from '../usage-error.ts';
import { parseBudget } from './durations.ts';
import { oneOf, parsed } from './values.ts';

/** What is exported, and where to. */
export interface TelemetryValues {
  readonly otlp?: string;
  readonly stepEvents?: StepEventPolicy;
  readonly exportTimeout?: number;
  /** False with `--no-ci-attributes`. */
  readonly ciAttributes?: boolean;
}

export function telemetryOptions(): Option[] {
  return [
    otlpOption(
      'send trace, metrics and logs to this OTLP/HTTP endpoint, such as http://localhost:4318; or set OTEL_EXPORTER_OTLP_ENDPOINT',
    ),
    parsed(
      '--step-events <policy>',
      'which steps are exported one by one: sampled (default) or all as span events, logs, none; all are counted',
      oneOf(['sampled', 'all', 'logs', 'none']),
    ),
    parsed(
      '--export-timeout <duration>',
      'how long the end may wait for the endpoint; default 3s',
      parseBudget,
    ),
    new Option('--no-ci-attributes', 'do not say which job of GitHub Actions or GitLab CI this is'),
  ];
}

export function otlpOption(description: string): Option {
  return parsed('--otlp <url>', description, httpUrl);
}

function httpUrl(text: string, flag: string): string {
  if (!['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')) {
    throw new UsageError(`${flag}: "${text}" is not an http or https URL, such as http://localhost:4318.`);
  }
  return text;
}
