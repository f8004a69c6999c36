import { constants } from 'node:os';
import { loadAddon } from '../addon.ts';

export const defaultGraceMs = 10_000;

/** Tells a process and all below it to leave, or kills them; of this process, all below it. */
export function signalTree(pid: number, rung: 'terminate' | 'kill'): void {
  loadAddon().signalTree(pid, rung === 'kill' ? constants.signals.SIGKILL : constants.signals.SIGTERM);
}
