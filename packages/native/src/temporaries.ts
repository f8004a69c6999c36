import { lstatSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Whose temporaries they are: no two builds ever have the same. */
export interface Writer {
  /** The process that builds. */
  readonly pid: number;
  /** CLOCK_MONOTONIC at the build's beginning. */
  readonly originNs: bigint;
}

/** The files that a build keeps beside its targets until it is done with them. */
export function temporariesOf(targets: readonly (string | undefined)[], writer: Writer): string[] {
  const tag = writer.originNs.toString(36);
  return targets.flatMap((target) => (target === undefined ? [] : [temporaryOf(target, writer.pid, tag)]));
}

/** A temporary of that process, named as in cpp/engine/target_claim.h. The tag is small letters and digits. */
export function temporaryOf(target: string, pid: number | string, tag: string): string {
  return join(dirname(target), `.${basename(target)}.${pid}.${tag}.trtscope-tmp`);
}

/** Removes what a process that is gone has left, and answers which of the files were there. */
export function removeLeft(files: readonly string[]): string[] {
  return files.filter((file) => {
    try {
      rmSync(file);
      return true;
    } catch {
      // Most often it is not there; the folder may be gone too, or read-only by now.
      return false;
    }
  });
}

/** Tells one file from another that takes its place; undefined without a file. */
export function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.ctimeMs}`;
}
