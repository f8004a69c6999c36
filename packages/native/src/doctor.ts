import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { searchTensorrt } from './discovery.ts';
import type { SearchOptions, TensorrtSearch } from './discovery.ts';
import { addonPath, builderPath } from './native-parts.ts';

/** What this machine has of what builds need. */
export interface MachineFacts {
  readonly platform: string;
  readonly arch: string;
  readonly node: string;
  /** Absent where libc is another. */
  readonly glibc?: string;
  /** Names of the NVIDIA GPUs; empty without any. */
  readonly gpus: readonly string[];
  readonly cache: string;
  readonly builder: NativePart;
  readonly addon: NativePart;
  readonly tensorrt: TensorrtSearch;
}

/** A part of this package that has to be compiled. */
export interface NativePart {
  readonly path: string;
  readonly compiled: boolean;
}

/** Looks at this machine; loads nothing of TensorRT. */
export function inspectMachine(options: SearchOptions = {}): MachineFacts {
  const glibc = glibcVersion();
  return {
    platform: process.platform,
    arch: process.arch,
    node: process.versions.node,
    ...(glibc !== undefined && { glibc }),
    gpus: gpuNames(),
    cache: cacheFolder(),
    builder: nativePart(builderPath()),
    addon: nativePart(addonPath()),
    tensorrt: searchTensorrt(options),
  };
}

function nativePart(path: string): NativePart {
  return { path, compiled: existsSync(path) };
}

function glibcVersion(): string | undefined {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  // Otherwise it asks the name server about every open connection.
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}

function gpuNames(): string[] {
  const folder = '/proc/driver/nvidia/gpus';
  if (!existsSync(folder)) return existsSync('/dev/dxg') ? ['a GPU of Windows, through /dev/dxg'] : [];
  return readdirSync(folder).map((gpu) => {
    const information = readFileSync(join(folder, gpu, 'information'), 'utf8');
    return /^Model:\s*(.+)$/m.exec(information)?.[1] ?? gpu;
  });
}
