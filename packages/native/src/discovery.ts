import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TrtscopeError } from '@trtscope/core';
import { searchFolders } from './search-folders.ts';
import type { SearchFolder } from './search-folders.ts';
import { inspectFolder, inspectLibrary } from './tensorrt-files.ts';
import type { Finding, TensorrtFiles } from './tensorrt-files.ts';

/** A TensorRT that was found. */
export interface FoundTensorrt extends TensorrtFiles {
  /** Why it was looked for there, such as `LD_LIBRARY_PATH`. */
  readonly why: string;
}

/** All that a search for TensorRT came upon, the first found being the one that builds use. */
export interface TensorrtSearch {
  readonly found: readonly FoundTensorrt[];
  /** Libraries that cannot be used, each with the reason. */
  readonly problems: readonly string[];
  readonly searched: readonly SearchFolder[];
}

/** Where to look for TensorRT. */
export interface SearchOptions {
  /** TensorRT's library or a folder that has it; nothing else is then searched. Default: `TRTSCOPE_TENSORRT`, else all the usual places. */
  readonly tensorrt?: string;
  /** Default: this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Looks for TensorRT everywhere. */
export function searchTensorrt(options: SearchOptions = {}): TensorrtSearch {
  return search(options, false);
}

/** The TensorRT that a build uses. Throws a TrtscopeError with TENSORRT_MISSING or TENSORRT_UNLOADABLE that says where it looked. */
export function findTensorrt(options: SearchOptions = {}): FoundTensorrt {
  const { found, problems, searched } = search(options, true);
  const first = found[0];
  if (first !== undefined) {
    return first;
  }
  const given = explicitPlace(options);
  if (problems.length > 0) {
    const remedy = 'Install TensorRT-RTX with "trtscope setup", or name another library with --tensorrt.';
    throw new TrtscopeError(
      'TENSORRT_UNLOADABLE',
      `TensorRT cannot be loaded: ${problems.join('; ')}. ${remedy}`,
    );
  }
  if (given !== undefined) {
    throw new TrtscopeError(
      'TENSORRT_MISSING',
      `${given.why} "${given.path}" has no TensorRT library in it; give the file libnvinfer.so.N or libtensorrt_rtx.so.N, or its folder.`,
    );
  }
  const places = [...new Set(searched.map(({ why }) => why))].join(', ');
  throw new TrtscopeError(
    'TENSORRT_MISSING',
    `No TensorRT library was found in ${places}; install TensorRT-RTX with "trtscope setup", or name a library with --tensorrt.`,
  );
}

function search(options: SearchOptions, firstOnly: boolean): TensorrtSearch {
  const found: FoundTensorrt[] = [];
  const problems: string[] = [];
  const searched: SearchFolder[] = [];
  const take = (why: string, findings: readonly Finding[]) => {
    for (const finding of findings) {
      if ('problem' in finding) {
        problems.push(finding.problem);
      } else if (!found.some(({ library }) => library === finding.library)) {
        found.push({ ...finding, why });
      }
    }
  };
  const given = explicitPlace(options);
  if (given !== undefined) {
    const path = resolve(given.path);
    searched.push({ why: given.why, folder: path });
    take(
      given.why,
      statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
        ? inFolder(path)
        : [inspectLibrary(path)],
    );
    return { found, problems, searched };
  }
  for (const place of searchFolders(options.env ?? process.env)) {
    searched.push(place);
    take(place.why, inspectFolder(place.folder));
    if (firstOnly && found.length > 0) {
      break;
    }
  }
  return { found, problems, searched };
}

// The root of an unpacked archive, of an SDK or of a site-packages folder will do as well.
function inFolder(folder: string): Finding[] {
  const inside = ['', 'lib', 'tensorrt_libs', 'tensorrt_rtx_libs', 'targets/x86_64-linux-gnu/lib'];
  return inside.flatMap((name) => inspectFolder(resolve(folder, name)));
}

function explicitPlace({
  tensorrt,
  env = process.env,
}: SearchOptions): { why: string; path: string } | undefined {
  if (tensorrt !== undefined) {
    return { why: '--tensorrt', path: tensorrt };
  }
  const path = env['TRTSCOPE_TENSORRT'];
  return path === undefined || path === '' ? undefined : { why: 'TRTSCOPE_TENSORRT', path };
}
