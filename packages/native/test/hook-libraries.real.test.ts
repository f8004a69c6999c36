import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookPath } from '../src/native-parts.ts';

const hook = hookPath();
const monitor = join(dirname(hook), 'libtrtscope_monitor.so');

const objdump = (...words: readonly string[]) => execFileSync('objdump', words, { encoding: 'utf8' });
const symbolsOf = (library: string) =>
  objdump('--dynamic-syms', library)
    .split('\n')
    .filter((line) => /^[0-9a-f]{8,} /u.test(line));

function exportsOf(library: string): string[] {
  return symbolsOf(library)
    .filter((line) => !line.includes('*UND*'))
    .map((line) => line.trim().split(/\s+/u).at(-1) ?? '')
    .sort();
}

/** What a library takes from others, as `name@version`. */
function neededBy(library: string): string[] {
  return symbolsOf(library)
    .filter((line) => line.includes('*UND*') && !/^[0-9a-f]+ +w /u.test(line))
    .map((line) => {
      const [, version = '', name = ''] = /\((\w+_[\d.]+)\)\s+(\S+)$/u.exec(line) ?? [];
      return `${name}@${version}`;
    });
}

function librariesOf(library: string): string[] {
  return [...objdump('--private-headers', library).matchAll(/NEEDED\s+(\S+)/gu)].map(([, name = '']) => name);
}

describe('the preloaded library', () => {
  test('stands in front of four functions, and exports nothing else', () => {
    expect(exportsOf(hook)).toEqual([
      'createInferBuilder_INTERNAL',
      'createInferRefitter_INTERNAL',
      'createInferRuntime_INTERNAL',
      'dlsym',
    ]);
  });

  test('needs the C library alone, and of it what every make of it has had from the beginning', () => {
    expect(librariesOf(hook)).toEqual(['libc.so.6']);
    const oldest = process.arch === 'arm64' ? '2.17' : '2.2.5';
    const common = 'dl_iterate_phdr dprintf getenv memset nanosleep snprintf strcmp strncmp strrchr'.split(
      ' ',
    );
    const allowed = new Set(common.map((name) => `${name}@GLIBC_${oldest}`));
    // Some compilers put it in by themselves.
    allowed.add('__stack_chk_fail@GLIBC_2.4');
    expect(neededBy(hook).filter((need) => !allowed.has(need))).toEqual([]);
  });

  test.skipIf(process.arch !== 'x64')('ends dlsym in a jump, so that the real one sees who asks', () => {
    const code = objdump('--disassemble=dlsym', '--no-show-raw-insn', hook);
    const instructions = code.split('\n').flatMap((line) => /^\s+[0-9a-f]+:\s+(.*\S)/u.exec(line)?.[1] ?? []);
    expect(instructions.filter((text) => /^(?:notrack )?jmp\s+\*/u.test(text)).length).toBeGreaterThan(0);
  });
});

describe('the library that watches', () => {
  test('exports one function for the preloaded library, and those of trtscope.h', () => {
    const header = readFileSync(join(import.meta.dirname, '../include/trtscope.h'), 'utf8');
    const declared = [...header.matchAll(/^TRTSCOPE_API .*?(trtscope_\w+)\(/gmu)].map(
      ([, name = '']) => name,
    );
    expect(declared).toHaveLength(5);
    expect(exportsOf(monitor)).toEqual(['trtscopeWatcher', ...declared].sort());
  });

  test('needs no library of C++', () => {
    expect(librariesOf(monitor).filter((name) => !/^(?:libc|libm|ld-linux-[\w-]+)\.so/u.test(name))).toEqual(
      [],
    );
  });
});
