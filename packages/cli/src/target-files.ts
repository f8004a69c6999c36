import { closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { temporaryFor } from '@trtscope/core/recording';
import { UsageError } from './usage-error.ts';

/** A file that the command is told of, with the option or argument that says so. */
export interface NamedFile {
  readonly option: string;
  readonly path: string | undefined;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied; choose another folder',
  EPERM: 'permission is denied; choose another folder',
  EROFS: 'its file system is read-only; choose another folder',
  ENOSPC: 'the disk is full; free some space or choose another folder',
  EDQUOT: 'the disk quota is used up; free some space or choose another folder',
  ENAMETOOLONG: 'its name is too long; choose a shorter one',
};

/**
 * Checks that each of `targets` can be written, and is neither one of `others` nor another target. Throws a UsageError. They
 * are written only when the build has ended, so a fault found then would come too late.
 */
export function checkTargets(targets: readonly NamedFile[], others: readonly NamedFile[]): void {
  const taken = new Map<string, string>();
  for (const { option, path } of others) {
    if (path !== undefined) {
      taken.set(identityOf(path), option);
    }
  }
  for (const { option, path } of targets) {
    if (path === undefined) {
      continue;
    }
    const fault = faultOf(path);
    if (fault !== undefined) {
      throw new UsageError(`${option}: "${path}" cannot be written: ${fault}.`);
    }
    const same = taken.get(identityOf(path));
    if (same !== undefined) {
      throw new UsageError(`${option}: "${path}" is ${same} too; name another file.`);
    }
    taken.set(identityOf(path), option);
  }
}

function faultOf(path: string): string | undefined {
  const target = statSync(path, { throwIfNoEntry: false });
  if (target !== undefined && !target.isFile()) {
    return `it is ${target.isDirectory() ? 'a folder' : 'not a regular file'}; name a file`;
  }
  const folder = dirname(resolve(path));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return `its folder "${folder}" does not exist; create it first`;
  }
  // Root may write where a read-only mount does not let it: only trying tells.
  const probe = temporaryFor(resolve(path));
  try {
    closeSync(openSync(probe, 'wx'));
    rmSync(probe);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return reasons[code ?? ''] ?? code ?? message;
  }
}

function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) {
    return `${stats.dev}:${stats.ino}`;
  }
  const folder = dirname(resolve(path));
  const known = statSync(folder, { throwIfNoEntry: false }) === undefined ? folder : realpathSync(folder);
  return join(known, basename(path));
}
