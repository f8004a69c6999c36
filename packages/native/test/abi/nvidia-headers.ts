import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../../src/cache-folder.ts';

/**
 * Versions of a Rust crate that carry NVIDIA's headers, and what we take of each. Its versions exclude each other in one
 * manifest, so each is fetched by a manifest of its own.
 */
export const carriers = [
  { crate: '0.5.0', headers: ['TRT-Enterprise-10.16', 'TRT-RTX-1.3', 'TRT-RTX-1.4'] },
  { crate: '0.6.0', headers: ['TRT-Enterprise-11.0', 'TRT-RTX-1.5'] },
  { crate: '0.8.0', headers: ['TRT-Enterprise-11.1', 'TRT-RTX-1.6'] },
  { crate: '0.9.1', headers: ['TRT-Enterprise-11.4', 'TRT-RTX-1.7'] },
] as const;

/** Fetches a version of the crate, and answers the folder of the headers in it. */
export function headersOf(crate: (typeof carriers)[number]['crate']): string {
  const folder = join(cacheFolder(), `tensorrt-headers-${crate}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'lib.rs'), '');
  writeFileSync(
    join(folder, 'Cargo.toml'),
    `[package]\nname = "headers"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n` +
      `[dependencies]\ntrtx-sys = "=${crate}"\n[workspace]\n`,
  );
  cargo(['fetch', '--quiet'], folder);
  const { packages } = JSON.parse(cargo(['metadata', '--format-version', '1', '--offline'], folder)) as {
    packages: { name: string; manifest_path: string }[];
  };
  const carrier = packages.find(({ name }) => name === 'trtx-sys');
  return join(dirname(carrier?.manifest_path ?? ''), 'TensorRT-Headers');
}

/** Compiler options that find a version's headers. */
export function includesOf(headers: string, version: string): string[] {
  return ['-isystem', join(headers, version), '-isystem', headers];
}

function cargo(words: readonly string[], cwd: string): string {
  return execFileSync('cargo', words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  });
}
