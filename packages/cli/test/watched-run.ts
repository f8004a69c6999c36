import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildResult } from '@trtscope/core';
import { run, startProgram } from './command.ts';
import type { Ended, RunOptions } from './command.ts';

/** What `run --result` wrote. */
export interface RunReport {
  readonly exitCode: number | null;
  readonly watched: boolean;
  readonly builds: readonly BuildResult[];
}

/** How a command ended under watch, and what was seen of it. */
export interface WatchedRun {
  readonly ended: Ended;
  readonly report: RunReport;
}

/** Runs a command under `trtscope run --progress none`. */
export async function runWatched(
  folder: string,
  command: readonly string[],
  { words = [], ...options }: RunOptions & { readonly words?: readonly string[] } = {},
): Promise<WatchedRun> {
  const path = join(folder, 'run.json');
  const ended = await run(
    ['run', '--progress', 'none', '--result', path, ...words, '--', ...command],
    options,
  );
  return { ended, report: JSON.parse(readFileSync(path, 'utf8')) as RunReport };
}

/** Runs it by itself. */
export function runAlone(command: readonly string[], options?: RunOptions): Promise<Ended> {
  return startProgram(command, options).ended;
}

/** Without the times that TensorRT and Polygraphy say they took: no two are the same. */
export function withoutTimes(ended: Ended): Ended {
  return { ...ended, stdout: masked(ended.stdout), stderr: masked(ended.stderr) };
}

function masked(text: string): string {
  return text.replaceAll(/\d+(?:\.\d+)?(?:e-\d+)?(?= ?(?:seconds|ms)\b)/gu, '…');
}
