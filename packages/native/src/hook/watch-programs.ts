import { resolve } from 'node:path';
import { startBuild } from '@trtscope/core';
import { limitWords } from '../build-words.ts';
import type { CommandOptions } from './command-run.ts';
import { HookListener } from './hook-listener.ts';
import { defaultGraceMs, signalTree } from './signal-tree.ts';

export type WatchOptions = Omit<CommandOptions, 'runBudgetMs' | 'env' | 'cwd'>;

/** Programs that connect by themselves are watched until this is closed. */
export interface ProgramWatch {
  /** The socket that they connect to, absolute. */
  readonly path: string;
  /** Lets them go: their builds go on, unlimited and unheard. */
  close(): Promise<void>;
}

/**
 * Listens for programs that were started with the variables of {@link hookEnvironment}, such as in containers. Rejects with a
 * TypeError or RangeError for a path that cannot be listened at.
 */
export async function watchPrograms(path: string, options: WatchOptions = {}): Promise<ProgramWatch> {
  const { budget, deadline, graceMs = defaultGraceMs, allowUsers, verbose } = options;
  const limits = { ...(budget && { budget }), ...(deadline && { deadline }) };
  const listener = await HookListener.open({
    path: resolve(path),
    limits: [...limitWords(limits), ...(verbose === true ? ['logSeverity', '4'] : [])],
    graceMs,
    ...(allowUsers && { allowUsers }),
    climb: (rung, { process: pid, started }) => signalTree(pid, rung, started),
    onBuild: (hooked) => options.onBuild?.(startBuild(hooked, limits), hooked.traceparent),
    onNotice: (sentence) => options.onNotice?.(sentence),
  });
  return { path: listener.path, close: () => listener.close(0) };
}
