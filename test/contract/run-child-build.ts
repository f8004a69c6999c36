import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { EngineBuildOptions } from '@trtscope/native';
import type { ChildReport } from './child-build.ts';

const script = fileURLToPath(new URL('child-build.ts', import.meta.url));

/** Runs child-build.ts. `before` are shell commands for a mount namespace of its own, which needs root. */
export async function runChildBuild(options: EngineBuildOptions, before?: string): Promise<ChildReport> {
  const node = [process.execPath, script, JSON.stringify(options)];
  const command =
    before === undefined
      ? node
      : ['unshare', '--mount', 'sh', '-c', `set -e; ${before}; exec "$@"`, 'sh', ...node];
  const [file = '', ...args] = command;
  const { stdout } = await promisify(execFile)(file, args);
  return JSON.parse(stdout) as ChildReport;
}
