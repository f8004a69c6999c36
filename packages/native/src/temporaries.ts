import { lstatSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The file that a builder process writes beside a target before it renames it into place. */
function temporaryOf(target: string, pid: number): string {
  return join(dirname(target), `.${basename(target)}.${pid}.trtscope-tmp`);
}

/** Removes what a builder process that is gone has left beside its targets. */
export function removeTemporaries(targets: readonly (string | undefined)[], pid: number): void {
  for (const target of targets) {
    if (target === undefined) continue;
    try {
      rmSync(temporaryOf(target, pid), { force: true });
    } catch {
      // The folder may be gone, or read-only by now.
    }
  }
}

/** Tells one file from another that takes its place; undefined without a file. */
export function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.ctimeMs}`;
}
