import type { Command } from 'commander';
import type { FoundTensorrt, MachineFacts, NativePart } from '@trtscope/native';
import type { EndpointAnswer } from '@trtscope/otel/sdk';
import { exitCodes } from '../exit-codes.ts';
import { parseBudget } from '../options/durations.ts';
import { otlpOption } from '../options/telemetry-options.ts';
import { parsed, someText } from '../options/values.ts';
import { tensorrtVersion } from '../tensorrt-version.ts';
import { version } from '../version.ts';

const help = `
Exits with 0 when builds can run here, and with 1 when something that they need is missing.
With --otlp, exits with 0 when the endpoint takes traces and refuses neither metrics nor logs, and with 1 otherwise.`;

interface DoctorValues {
  readonly tensorrt?: string;
  readonly otlp?: string;
  readonly exportTimeout?: number;
}

export function addDoctorCommand(program: Command, done: (exitCode: number) => void): void {
  program
    .command('doctor')
    .summary('show what builds need, and what of it is here')
    .description('Shows what builds need on this machine, and what of it was found.')
    .addOption(parsed('--tensorrt <path>', 'look at this library or folder only', someText))
    .addOption(otlpOption('send one span, one metric and one log there instead, and show the answers'))
    .addOption(
      parsed('--export-timeout <duration>', 'how long to wait for the answers; default 3s', parseBudget),
    )
    .addHelpText('after', help)
    .action(async ({ tensorrt, otlp, exportTimeout }: DoctorValues) => {
      if (otlp !== undefined) {
        const { probeEndpoint } = await import('@trtscope/otel/sdk');
        const answers = await probeEndpoint(
          otlp,
          exportTimeout === undefined ? {} : { timeoutMs: exportTimeout },
        );
        tell(diagnoseEndpoint(answers));
        return;
      }
      const { inspectMachine } = await import('@trtscope/native');
      const facts = inspectMachine(tensorrt === undefined ? {} : { tensorrt });
      tell(diagnose(facts));
    });
  const tell = ({ lines, ready }: Diagnosis): void => {
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    done(ready ? exitCodes.built : exitCodes.failed);
  };
}

interface Diagnosis {
  readonly lines: readonly string[];
  /** Nothing is missing. */
  readonly ready: boolean;
}

/** What there is to say about an endpoint's answers. Metrics and logs that it does not take are no fault of a Jaeger. */
export function diagnoseEndpoint(answers: readonly EndpointAnswer[]): Diagnosis {
  const lines = answers.map((answer) => row(stateOf(answer), answer.signal, answerText(answer)));
  const ready = answers.every((answer) => stateOf(answer) !== 'missing');
  const sum = ready
    ? 'Telemetry can be sent there.'
    : 'Not all can be sent there: see what is missing above.';
  return { ready, lines: [...lines, sum] };
}

function stateOf({ signal, state }: EndpointAnswer): 'ok' | 'note' | 'missing' {
  if (state === 'taken') return 'ok';
  return state === 'absent' && signal !== 'traces' ? 'note' : 'missing';
}

function answerText({ signal, url, state, answer }: EndpointAnswer): string {
  if (state === 'taken') return `${url} took one${answer === undefined ? '' : `, but: ${answer}`}`;
  return state === 'absent' ? `${url} takes no ${signal}: ${answer}` : `${url}: ${answer}`;
}

/** What there is to say about a machine, and whether builds can run on it. */
export function diagnose(facts: MachineFacts): Diagnosis {
  const { found, problems, searched } = facts.tensorrt;
  const ready = facts.builder.compiled && found.length > 0;
  const libc = facts.glibc === undefined ? '' : `, glibc ${facts.glibc}`;
  return {
    ready,
    lines: [
      row('ok', 'trtscope', version),
      row('ok', 'Node', `${facts.node} on ${facts.platform} ${facts.arch}${libc}`),
      partRow('builder', facts.builder, 'missing'),
      partRow('addon', facts.addon, 'note'),
      ...(found.length > 0
        ? found.map((files, at) => tensorrtRow(files, at === 0))
        : [row('missing', 'TensorRT', 'not found; run "trtscope setup", or name it with --tensorrt')]),
      ...problems.map((problem) => row('note', 'TensorRT', problem)),
      facts.gpus.length > 0
        ? row('ok', 'GPU', facts.gpus.join(', '))
        : row(
            'note',
            'GPU',
            'none found: TensorRT-RTX builds for --computeCapability (default 8.6), TensorRT cannot build',
          ),
      row('note', 'cache', facts.cache),
      ...searched.map(({ why, folder }) => row('', 'searched', `${folder} (${why})`)),
      ready ? 'Builds can run here.' : 'Builds cannot run here: see what is missing above.',
    ],
  };
}

function partRow(name: string, { path, compiled }: NativePart, otherwise: string): string {
  const text = compiled
    ? path
    : `${path} is not compiled; run "pnpm --filter @trtscope/native run build:native"`;
  return row(compiled ? 'ok' : otherwise, name, text);
}

function tensorrtRow(files: FoundTensorrt, first: boolean): string {
  const name = files.edition === 'tensorrt_rtx' ? 'TensorRT-RTX' : 'TensorRT';
  const known = tensorrtVersion(files.library);
  return row(
    first ? 'ok' : 'also',
    'TensorRT',
    `${name} ${known ?? '(version unknown)'} from ${files.why}: ${files.library}`,
  );
}

function row(state: string, subject: string, text: string): string {
  return `${state.padEnd(8)}${subject.padEnd(10)}${text}`;
}
