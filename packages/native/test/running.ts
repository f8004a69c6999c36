import { readFileSync } from 'node:fs';

/** Whether a process is there and does not merely wait for its parent. */
export function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
  } catch {
    return false;
  }
}
