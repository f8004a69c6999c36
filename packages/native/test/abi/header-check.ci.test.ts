import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { carriers, headersOf, includesOf } from './nvidia-headers.ts';

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

/** Compiles the comparison against one version's headers and runs it; answers what it printed. */
function check(headers: string, version: string, ours: string): string {
  const program = join(scratch, version);
  const sources = [
    join(import.meta.dirname, 'header_check.cc'),
    join(ours, 'abi/layout.cc'),
    join(ours, 'abi/enums.cc'),
  ];
  const folders = ['-I', ours, ...includesOf(headers, version)];
  execFileSync('c++', ['-std=c++20', '-Wno-deprecated-declarations', ...folders, '-o', program, ...sources]);
  try {
    return execFileSync(program, { encoding: 'utf8' });
  } catch (fault) {
    return (fault as { stdout: string }).stdout;
  }
}
