import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cacheFolder } from '../../src/cache-folder.ts';

// Versions of a Rust crate that carry NVIDIA's headers, and what we take of each. Its versions exclude each other in one
// manifest, so each is fetched by a manifest of its own.
const carriers = [
  { crate: '0.5.0', headers: ['TRT-Enterprise-10.16', 'TRT-RTX-1.3', 'TRT-RTX-1.4'] },
  { crate: '0.6.0', headers: ['TRT-Enterprise-11.0', 'TRT-RTX-1.5'] },
  { crate: '0.8.0', headers: ['TRT-Enterprise-11.1', 'TRT-RTX-1.6'] },
  { crate: '0.9.1', headers: ['TRT-Enterprise-11.4', 'TRT-RTX-1.7'] },
];

const cpp = join(import.meta.dirname, '../../cpp');
const scratch = mkdtempSync(join(tmpdir(), 'trtscope-abi-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

for (const { crate, headers } of carriers) {
  test.each(headers)('our slots, sizes and enumerators are those of %s', (version) => {
    const folder = headersOf(crate);
    expect(readdirSync(folder)).toContain(version);
    expect(check(folder, version, cpp)).toMatch(/^TensorRT\S* \S+: \d+ compared, 0 different\n$/);
  });
}

test('a slot and a flag that are wrong are found', () => {
  const broken = join(scratch, 'broken');
  execFileSync('cp', ['-r', cpp, broken]);
  for (const [file, right, wrong] of [
    ['slot_list.h', 'setProgressMonitor, 56, 45, 45, 45', 'setProgressMonitor, 56, 45, 46, 45'],
    ['enum_list.h', 'VERSION_COMPATIBLE, 13, 13, 12, 12', 'VERSION_COMPATIBLE, 13, 13, 13, 12'],
  ] as const) {
    execFileSync('sed', ['-i', `s/${right}/${wrong}/`, join(broken, 'abi', file)]);
  }
  const said = check(headersOf('0.9.1'), 'TRT-RTX-1.7', broken);
  expect(said).toContain("VBuilderConfig::setProgressMonitor: we have 46, NVIDIA's headers 45");
  expect(said).toContain("BuilderFlag::kVERSION_COMPATIBLE: we have 13, NVIDIA's headers 12");
  expect(said).toContain('2 different');
});

/** Fetches a version of the crate, and answers the folder of the headers in it. */
function headersOf(crate: string): string {
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

function cargo(words: readonly string[], cwd: string): string {
  return execFileSync('cargo', words, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  });
}

/** Compiles the comparison against one version's headers and runs it; answers what it printed. */
function check(headers: string, version: string, ours: string): string {
  const program = join(scratch, version);
  const sources = [
    join(import.meta.dirname, 'header_check.cc'),
    join(ours, 'abi/layout.cc'),
    join(ours, 'abi/enums.cc'),
  ];
  const folders = ['-I', ours, '-isystem', join(headers, version), '-isystem', headers];
  execFileSync('c++', ['-std=c++20', '-Wno-deprecated-declarations', ...folders, '-o', program, ...sources]);
  try {
    return execFileSync(program, { encoding: 'utf8' });
  } catch (fault) {
    return (fault as { stdout: string }).stdout;
  }
}
