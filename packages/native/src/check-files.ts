import { accessSync, closeSync, constants, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { TrtscopeError } from '@trtscope/core';
import type { EngineBuildOptions } from './build-options.ts';
import { temporaryOf } from './temporaries.ts';

/** The files of a build as absolute paths, links followed. */
export interface BuildFiles {
  readonly model: string;
  readonly output: string;
  readonly timingCacheFile?: string;
}

/**
 * Finds the build's files and checks that they can be read and written.
 * Throws a TrtscopeError with MODEL_MISSING or OUTPUT_UNWRITABLE.
 */
export function checkFiles(options: EngineBuildOptions): BuildFiles {
  const model = checkModel(options.model);
  const output = checkTarget(options.output, 'output');
  const targets = new Map([[output, 'output']]);
  const { timingCacheFile } = options;
  const timingCache =
    timingCacheFile === undefined ? undefined : checkTarget(timingCacheFile, 'timingCacheFile');
  if (timingCache !== undefined) {
    if (isSameFile(timingCache, output)) {
      throw unwritable('timingCacheFile', timingCache, 'is the output too; choose another file');
    }
    targets.set(timingCache, 'timingCacheFile');
  }
  for (const [target, option] of targets) {
    if (isSameFile(target, model)) {
      throw unwritable(option, target, 'is the model itself; choose another file');
    }
    probe(target, option);
  }
  return { model, output, ...(timingCache !== undefined && { timingCacheFile: timingCache }) };
}

function checkModel(path: string): string {
  const model = resolve(path);
  const stats = statOf(model);
  const fault = stats instanceof Error ? wordsOf(stats) : stats.isFile() ? undefined : kindOf(stats);
  if (fault !== undefined) {
    throw new TrtscopeError('MODEL_MISSING', `The model "${path}" ${fault}; give the path of an ONNX file.`);
  }
  try {
    accessSync(model, constants.R_OK);
  } catch (cause) {
    throw new TrtscopeError('MODEL_MISSING', `The model "${path}" cannot be read; check its permissions.`, {
      cause,
    });
  }
  // Not resolved further: external weights lie beside the link or the file, as TensorRT's parser sees it.
  return model;
}

// A rename replaces what has the name: through a link that would be the link, and a device would be gone.
function checkTarget(path: string, option: string): string {
  if (/[/\\]$/.test(path)) {
    throw unwritable(option, path, 'names a folder; name a file');
  }
  const folder = dirname(resolve(path));
  const stats = statOf(folder);
  if (stats instanceof Error || !stats.isDirectory()) {
    throw unwritable(option, path, `lies in "${folder}", which is no folder; create it first`);
  }
  const target = statOf(resolve(path));
  if (target instanceof Error) {
    return join(realpathSync(folder), basename(path));
  }
  if (!target.isFile()) {
    throw unwritable(option, path, `${kindOf(target)}; name a file`);
  }
  return realpathSync(path);
}

// Root may write where a read-only mount does not let it: only trying tells. The name is as long as that of the
// temporary which the build will have here, and like one of a dead process: should we die now, the next build sweeps it.
function probe(target: string, option: string): void {
  const path = temporaryOf(target, String(process.pid).padStart(7, '0'), 'probe'.padEnd(12, '0'));
  try {
    closeSync(openSync(path, 'w'));
    rmSync(path, { force: true });
  } catch (cause) {
    throw unwritable(option, target, wordsOf(cause as NodeJS.ErrnoException), cause);
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [statOf(one), statOf(other)];
  if (a instanceof Error || b instanceof Error) {
    return one === other;
  }
  return a.dev === b.dev && a.ino === b.ino;
}

function statOf(path: string): Stats | NodeJS.ErrnoException {
  try {
    return statSync(path);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

function kindOf(stats: Stats): string {
  return stats.isDirectory() ? 'is a folder' : 'is not a regular file';
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'is out of reach: permission denied',
  EPERM: 'is out of reach: permission denied',
  EROFS: 'lies on a read-only file system; choose another folder',
  ENOSPC: 'lies on a full disk; free some space or choose another folder',
  EDQUOT: 'lies on a full disk; free some space or choose another folder',
  ENAMETOOLONG: 'has too long a name; its temporary needs 35 characters more',
};

function wordsOf(error: NodeJS.ErrnoException): string {
  return words[error.code ?? ''] ?? `cannot be used (${error.code ?? error.message})`;
}

function unwritable(option: string, path: string, why: string, cause?: unknown): TrtscopeError {
  return new TrtscopeError('OUTPUT_UNWRITABLE', `${option}: "${path}" ${why}.`, { cause });
}
