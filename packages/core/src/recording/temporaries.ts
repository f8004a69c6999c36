import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

// Process ids mean nothing on another machine or in another container that shares a folder with us.
const place = createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 8);

/** A name beside `path`, for what becomes it by a rename. It says which process it belongs to. */
export function temporaryFor(path: string): string {
  const tag = `${place}${randomBytes(4).toString('hex')}`;
  return join(dirname(path), `.${basename(path)}.${process.pid}.${tag}.trtscope-tmp`);
}

/** Removes the temporaries of `path` whose process is gone. Never throws. */
export function sweepTemporaries(path: string): void {
  const start = `.${basename(path)}.`;
  try {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(start)) continue;
      const [, pid, owner] =
        /^(\d+)\.([0-9a-f]{8})[0-9a-f]{8}\.trtscope-tmp$/u.exec(name.slice(start.length)) ?? [];
      if (owner === place && !isAlive(Number(pid))) rmSync(join(dirname(path), name), { force: true });
    }
  } catch {
    // Whoever writes there next says what is wrong with the folder.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
