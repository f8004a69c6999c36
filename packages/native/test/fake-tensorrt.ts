import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const machines = { x64: 62, arm64: 183 };

/** Files that look like shared libraries from outside: enough to be found, not to be loaded. */
export function fakeLibraries(folder: string, names: readonly string[], arch: string = process.arch): string {
  const head = Buffer.alloc(64);
  head.write('\x7fELF\x02\x01\x01', 'latin1');
  head.writeUInt16LE(machines[arch as keyof typeof machines], 18);
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), head);
  return folder;
}

export const rtxNames: readonly string[] = ['libtensorrt_rtx.so.1', 'libtensorrt_onnxparser_rtx.so.1'];
export const tensorrtNames: readonly string[] = ['libnvinfer.so.10', 'libnvonnxparser.so.10'];
