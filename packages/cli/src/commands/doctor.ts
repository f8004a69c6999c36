import type { Command } from 'commander';
import type { FoundTensorrt, MachineFacts, NativePart } from '@trtscope/native';
import { exitCodes } from '../exit-codes.ts';
import { parsed, someText } from '../options/values.ts';
import { tensorrtVersion } from '../tensorrt-version.ts';
import { version } from '../version.ts';

const help = `
Exits with 0 when builds can run here, and with 1 when something that they need is missing.`;

export function addDoctorCommand(program: Command, done: (exitCode: number) => void): void {
  program
    .command('doctor')
    .summary('show what builds need, and what of it is here')
    .description('Shows what builds need on this machine, and what of it was found.')
    .addOption(parsed('--tensorrt <path>', 'look at this library or folder only', someText))
    .addHelpText('after', help)
    .action(async ({ tensorrt }: { tensorrt?: string }) => {
      const { inspectMachine } = await import('@trtscope/native');
      const facts = inspectMachine(tensorrt === undefined ? {} : { tensorrt });
      const { lines, ready } = diagnose(facts);
      process.stdout.write(lines.map((line) => `${line}\n`).join(''));
      done(ready ? exitCodes.built : exitCodes.failed);
    });
}

/** What there is to say about a machine, and whether builds can run on it. */
export function diagnose(facts: MachineFacts): {
  readonly lines: readonly string[];
  readonly ready: boolean;
} {
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
