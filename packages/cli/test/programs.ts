import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** TensorRT's library and its ONNX parser. */
export interface Libraries {
  readonly library: string;
  readonly parser: string;
}

const sources = fileURLToPath(new URL('programs', import.meta.url));
const cpp = fileURLToPath(new URL('../../native/cpp', import.meta.url));
const compiled = fileURLToPath(new URL('../../native/build/release', import.meta.url));

/** The library of our simulator with that layout, which has the parser in it. */
export function simulatorOf(layout: string): Libraries {
  const library = join(compiled, `Release/libtrtscope_simulator_${layout}.so`);
  return { library, parser: library };
}

/** Compiles programs/build_engine.cc into a folder: one that loads TensorRT, or one that is linked with it. */
export function compileProgram(folder: string, linkedWith?: Libraries): string {
  const program = join(folder, linkedWith === undefined ? 'build_engine' : 'linked');
  const calls = ['build_engine.cc', join(cpp, 'abi/layout.cc'), join(cpp, 'abi/parser.cc')];
  compile(['-o', program, ...calls, ...(linkedWith === undefined ? ['-ldl'] : linksOf(linkedWith))]);
  return program;
}

/** Compiles a simulator that says it is version 10.99.0, with the layout of 10.13. */
export function compileUnknownVersion(folder: string): Libraries {
  const library = join(folder, 'libunknown.so');
  const rooms = ['simulator', 'abi'].map((room) => join(compiled, `libroom_${room}.a`));
  compile(['-shared', '-fPIC', '-pthread', '-o', library, 'unknown_version.cc', ...rooms]);
  return { library, parser: library };
}

/** Compiles a library with one function of TensorRT's and no version, and a program that calls it. */
export function compileFake(folder: string): { readonly program: string; readonly library: string } {
  const [program, library] = [join(folder, 'calls_fake'), join(folder, 'libfake.so')];
  compile(['-shared', '-fPIC', '-o', library, 'fake_library.cc']);
  compile(['-o', program, 'calls_fake.cc', '-ldl']);
  return { program, library };
}

function linksOf({ library, parser }: Libraries): string[] {
  // What they need themselves is found where they are.
  return [
    '-DTRTSCOPE_LINKED',
    library,
    parser,
    `-Wl,-rpath,${dirname(library)}`,
    '-Wl,--allow-shlib-undefined',
  ];
}

function compile(words: readonly string[]): void {
  execFileSync('c++', ['-std=c++20', '-I', cpp, ...words], { cwd: sources, stdio: 'pipe' });
}
