import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, homedir } from 'node:os';

/** Shows a command and runs it in this terminal; resolves to its exit code. */
export async function runTrtscope(args: readonly string[]): Promise<number> {
  console.log(`$ ./trtscope ${args.join(' ').replaceAll(homedir(), '~')}\n`);
  const child = spawn(process.execPath, ['packages/cli/src/main.ts', ...args], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the command too; a second copy would count as a second Ctrl-C.
  const fromTerminal = process.stdin.isTTY || process.stderr.isTTY;
  process.on('SIGINT', () => {
    if (!fromTerminal) child.kill('SIGINT');
  });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal];
}
