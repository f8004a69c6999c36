import { Command, CommanderError } from 'commander';
import { addBuildCommand } from './commands/build.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEnvCommand } from './commands/env.ts';
import { addReplayCommand } from './commands/replay.ts';
import { addRunCommand } from './commands/run.ts';
import { addSetupCommand } from './commands/setup.ts';
import { addWatchCommand } from './commands/watch.ts';
import { exitCodes, runExitCodes } from './exit-codes.ts';
import { complain, messageOf } from './messages.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

// What people type who come from trtexec.
const hints: Readonly<Record<string, string>> = {
  '--onnx': 'the model is the argument: trtscope build model.onnx',
  '--saveEngine': 'the engine is named with -o',
  '--workspace': 'use --memPoolSize=workspace:SIZE',
};

/** Runs a command line and resolves to the exit code. Never rejects. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.built;
  const runs = args[0] === 'run';
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.built : faultCode(runs, exitCodes.usage);
    }
    complain(messageOf(error));
    return faultCode(runs, error instanceof UsageError ? exitCodes.usage : exitCodes.failed);
  }
}

// A command that is run has exit codes of its own.
function faultCode(runs: boolean, code: number): number {
  return runs ? runExitCodes.fault : code;
}

function createProgram(done: (exitCode: number) => void): Command {
  const program = new Command('trtscope')
    .description('Builds TensorRT engines with live progress, traces, budgets and cancel.')
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text) => complain(sentence(text)) })
    .addHelpText('after', '\nEach command has its own help: trtscope build --help');
  for (const add of [
    addBuildCommand,
    addRunCommand,
    addWatchCommand,
    addEnvCommand,
    addReplayCommand,
    addDoctorCommand,
    addSetupCommand,
  ]) {
    add(program, done);
  }
  return program;
}

// error: unknown option '--bugdet'\n(Did you mean --budget?)
function sentence(text: string): string {
  const [first = '', second = ''] = text.replace(/^error: /u, '').split('\n');
  const flag = /unknown option '(--\w+)/u.exec(first)?.[1];
  const hint = hints[flag ?? ''] ?? second.replace(/^\(Did you mean (.*)\?\)$/u, 'did you mean $1?');
  return hint === '' ? first : `${first}; ${hint}`;
}
