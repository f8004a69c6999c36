import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sweepTemporaries, temporaryFor } from './temporaries.ts';

/**
 * Replaces a file, or makes it, at once: at every instant it is absent, has its old bytes or all of the new ones. What killed
 * processes left beside it goes. Rejects as node:fs does, and leaves nothing behind then.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const target = resolve(path);
  const temporary = temporaryFor(target);
  sweepTemporaries(target);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
