import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TensorrtEdition } from '@trtscope/core';

/** A TensorRT library with the ONNX parser that belongs to it. */
export interface TensorrtFiles {
  readonly library: string;
  readonly parser: string;
  readonly edition: TensorrtEdition;
}

/** What a folder or file turned out to be: a pair to load, or why it is none. */
export type Finding = TensorrtFiles | { readonly problem: string };

const editions: readonly {
  edition: TensorrtEdition;
  library: string;
  parser: string;
  oldestMajor: number;
}[] = [
  { edition: 'tensorrt', library: 'libnvinfer.so', parser: 'libnvonnxparser.so', oldestMajor: 10 },
  {
    edition: 'tensorrt_rtx',
    library: 'libtensorrt_rtx.so',
    parser: 'libtensorrt_onnxparser_rtx.so',
    oldestMajor: 1,
  },
];

// The simulator of docs/simulator.md: its libraries are their own parsers, and are found by their path alone.
const simulator = /^libtrtscope_simulator_(tensorrt(?:-rtx)?)-[\d.]+\.so$/;

/** Every library of TensorRT in a folder, the newest first; empty when the folder has none or is not there. */
export function inspectFolder(folder: string): Finding[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return editions.flatMap(({ library }) => {
    const versions = names.filter(
      (name) => /^\.\d+$/.test(name.slice(library.length)) && name.startsWith(library),
    );
    return versions.sort((a, b) => majorOf(b) - majorOf(a)).map((name) => inspectLibrary(join(folder, name)));
  });
}

/** A library by its own path. */
export function inspectLibrary(path: string): Finding {
  const name = basename(path);
  const fault = faultOf(path);
  if (fault !== undefined) {
    return { problem: `${path} ${fault}` };
  }
  const simulated = simulator.exec(name)?.[1];
  if (simulated !== undefined) {
    return { library: path, parser: path, edition: simulated === 'tensorrt' ? 'tensorrt' : 'tensorrt_rtx' };
  }
  const known = editions.find(({ library }) => name.startsWith(library));
  if (known === undefined) {
    return { problem: `${path} is not called ${editions.map(({ library }) => library).join(' or ')}` };
  }
  const version = name.slice(known.library.length);
  if (version !== '' && majorOf(name) < known.oldestMajor) {
    return {
      problem: `${path} is older than TensorRT ${known.oldestMajor}, which has no usable progress monitor`,
    };
  }
  // A parser's major number is its library's; a file may carry more of the version, or none of it.
  const wanted = [version, version === '' ? '' : `.${majorOf(name)}`, ''].map((end) => known.parser + end);
  const parser = wanted.map((end) => join(dirname(path), end)).find(isFile);
  if (parser === undefined) {
    return { problem: `${path} has no ${known.parser}${version} beside it` };
  }
  const parserFault = faultOf(parser);
  return parserFault === undefined
    ? { library: path, parser, edition: known.edition }
    : { problem: `${parser} ${parserFault}` };
}

function majorOf(name: string): number {
  return Number(/\.so\.(\d+)/.exec(name)?.[1] ?? 0);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const machines: Readonly<Record<number, string>> = {
  3: 'ia32',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
};

// The loader's own words for a library of another machine are "cannot open shared object file".
function faultOf(path: string): string | undefined {
  const head = Buffer.alloc(20);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
  }
  if (head.readUInt32BE(0) !== 0x7f454c46) {
    return 'is no shared library';
  }
  const machine = head.readUInt16LE(18);
  const arch = machines[machine] ?? `machine ${machine}`;
  return arch === process.arch ? undefined : `is for ${arch}, and this is ${process.arch}`;
}
