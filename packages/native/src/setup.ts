import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TrtscopeError } from '@trtscope/core';
import { cacheFolder } from './cache-folder.ts';
import { newestVersion, pinnedVersions, tensorrtWheels } from './pinned-tensorrt.ts';
import { pipInstall } from './pip.ts';
import { inspectFolder } from './tensorrt-files.ts';
import type { TensorrtFiles } from './tensorrt-files.ts';

/** What to install, and where. */
export interface SetupOptions {
  /** One of {@link pinnedVersions}. Default: the newest. */
  readonly version?: string;
  /** Default: the folder that builds look in. */
  readonly cache?: string;
  /** Ends pip; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told in words what is being done. */
  readonly onProgress?: (message: string) => void;
}

/** The TensorRT-RTX that is in the cache now. */
export interface SetupResult extends TensorrtFiles {
  readonly version: string;
  /** False when it was there already. */
  readonly installed: boolean;
}

/**
 * Installs NVIDIA's TensorRT-RTX from PyPI into the cache, checked against a pinned hash; nothing of the system's or the user's
 * Python is touched. Rejects with a RangeError for a version that is not pinned, and
 * with a TrtscopeError with TENSORRT_MISSING that says what to do.
 */
export async function setupTensorrt(options: SetupOptions = {}): Promise<SetupResult> {
  const { version = newestVersion, cache = cacheFolder(), signal, onProgress = () => undefined } = options;
  const hash = tensorrtWheels[version];
  if (hash === undefined) {
    throw new RangeError(`version: expected one of ${pinnedVersions.join(', ')}, got ${version}.`);
  }
  const folder = join(cache, `tensorrt-rtx-${version}`);
  if (existsSync(folder)) {
    return { ...pairIn(folder), version, installed: false };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const here = `${process.platform} ${process.arch}`;
    throw new TrtscopeError(
      'TENSORRT_MISSING',
      `TensorRT-RTX can be set up on linux x64 only, and this is ${here}.`,
    );
  }
  await mkdir(cache, { recursive: true });
  await sweep(cache);
  const temporary = await mkdtemp(`${folder}.tmp-`);
  try {
    onProgress(`Installing TensorRT-RTX ${version} with pip into ${folder}`);
    const requirement = `tensorrt-rtx-cu13-libs==${version} --hash=sha256:${hash}`;
    await pipInstall({ requirement, folder: temporary, signal, onProgress });
    await renameUnlessThere(join(temporary, 'files'), folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return { ...pairIn(folder), version, installed: true };
}

function pairIn(folder: string): TensorrtFiles {
  const finding = inspectFolder(join(folder, 'tensorrt_rtx_libs'))[0] ?? {
    problem: `${folder} has no library in it`,
  };
  if ('problem' in finding) {
    throw new TrtscopeError(
      'TENSORRT_MISSING',
      `${finding.problem}; remove ${folder} and run "trtscope setup" again.`,
    );
  }
  return finding;
}

// Whoever comes second finds the folder there and takes it: both have checked the same hash.
async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') {
      throw error;
    }
  }
}

const leftoverAgeMs = 60 * 60_000;

async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    if (/^tensorrt-rtx-.*\.tmp-/.test(name)) {
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > leftoverAgeMs) {
        await rm(path, { recursive: true, force: true });
      }
    }
  }
}
