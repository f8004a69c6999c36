import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BuildResult } from '@trtscope/core';
import { temporaryFor } from './target-files.ts';

/** Writes a result as JSON to a temporary beside `path`, and renames that. */
export async function writeResult(path: string, result: BuildResult): Promise<void> {
  const target = resolve(path);
  const temporary = temporaryFor(target);
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(`${JSON.stringify(result, undefined, 2)}\n`);
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
