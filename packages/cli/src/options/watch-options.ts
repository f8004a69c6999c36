import { Option } from 'commander';
import type { Command } from 'commander';
import { progressKinds } from '@trtscope/core/reporters';
import type { ProgressKind } from '@trtscope/core/reporters';
import { UsageError } from '../usage-error.ts';
import { oneOf, parsed, someText } from './values.ts';

/** How a build is shown and kept; every command that runs one takes these. */
export interface WatchOptions {
  readonly progress?: ProgressKind;
  readonly record?: string;
  readonly result?: string;
  readonly otlp?: string;
  readonly verbose?: boolean;
}

export function addWatchOptions(command: Command): void {
  command.optionsGroup('Progress and records:');
  for (const option of [
    parsed(
      '--progress <kind>',
      'auto, tty, plain or none on stderr, json on stdout; default auto: tty on a terminal, else plain',
      oneOf(progressKinds),
    ),
    parsed('--record <file>', "write the build's events as JSON lines, for trtscope replay", someText),
    parsed('--result <file>', 'write how the build ended, its phases and figures, as JSON', someText),
    otlpOption(),
    new Option('--verbose', "show every line of TensorRT's log"),
  ]) {
    command.addOption(option);
  }
}

export function otlpOption(): Option {
  return parsed(
    '--otlp <url>',
    'send the trace to this OTLP/HTTP endpoint, such as http://localhost:4318; or set OTEL_EXPORTER_OTLP_ENDPOINT',
    httpUrl,
  );
}

function httpUrl(text: string, flag: string): string {
  if (!['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')) {
    throw new UsageError(`${flag}: "${text}" is not an http or https URL, such as http://localhost:4318.`);
  }
  return text;
}
