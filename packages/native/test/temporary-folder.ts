import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for a hook, which has to remove it. */
export function makeFolder(parent: string = tmpdir()): string {
  return realpathSync(mkdtempSync(join(parent, 'trtscope-test-')));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A folder that is gone after the test. */
export function temporaryFolder(parent?: string): string {
  const folder = makeFolder(parent);
  onTestFinished(() => {
    removeFolder(folder);
  });
  return folder;
}
