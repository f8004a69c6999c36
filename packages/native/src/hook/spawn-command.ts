import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { loadAddon } from '../addon.ts';
import { inheritedFileLimit, inheritedFiles } from './inheritance.ts';

// Starting a process takes some.
const fewFiles = 64;

/** Starts a command with all the files that this process was started with, and reaps what it leaves behind. */
export function spawnAlone([program = '', ...words]: readonly string[], options: SpawnOptions): ChildProcess {
  const addon = loadAddon();
  const files = inheritedFiles();
  const stdio = Array.from({ length: Math.max(0, ...files) + 1 }, (_, fd) =>
    files.includes(fd) ? fd : ('ignore' as const),
  );
  stdio.splice(0, 3, 0, 1, 2);
  const limit = inheritedFileLimit() ?? 0;
  const raised = limit > fewFiles ? addon.limitFiles(limit) : undefined;
  try {
    const child = spawn(program, words, { ...options, stdio });
    const reap = () => addon.reapAdopted(child.pid ?? 0);
    process.on('SIGCHLD', reap);
    child.once('exit', () => process.off('SIGCHLD', reap));
    return child;
  } finally {
    if (raised !== undefined) addon.limitFiles(raised);
  }
}
