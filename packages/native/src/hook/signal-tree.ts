import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { loadAddon } from '../addon.ts';

export const defaultGraceMs = 10_000;

const lookEveryMs = 20;

/** Tells all processes below this one to leave, and kills those that are there after the grace. */
export async function endDescendants(graceMs: number): Promise<void> {
  signalTree(process.pid, 'terminate');
  const until = performance.now() + graceMs;
  while (loadAddon().signalTree(process.pid, 0) > 0) {
    if (performance.now() >= until) {
      signalTree(process.pid, 'kill');
      return;
    }
    await setTimeout(lookEveryMs);
  }
}

/**
 * Tells a process and all below it to leave, or kills them; of this process, all below it. With `started`, none should the
 * number by now be another process's.
 */
export function signalTree(pid: number, rung: 'terminate' | 'kill', started?: string): void {
  const signal = rung === 'kill' ? constants.signals.SIGKILL : constants.signals.SIGTERM;
  loadAddon().signalTree(pid, signal, started);
}
