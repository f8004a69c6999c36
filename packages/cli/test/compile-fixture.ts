import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CompileOptions {
  /** Default `gcc`. */
  readonly compiler?: string;
  readonly words?: readonly string[];
  /** What is made. Default: the name. */
  readonly output?: string;
}

/** Compiles a C program of fixtures/ into a folder; answers its path. */
export function compileFixture(folder: string, name: string, options: CompileOptions = {}): string {
  const { compiler = 'gcc', words = [], output = name } = options;
  const source = fileURLToPath(new URL(`fixtures/${name}.c`, import.meta.url));
  const made = join(folder, output);
  execFileSync(compiler, ['-O1', '-pthread', '-o', made, source, ...words], { stdio: 'pipe' });
  return made;
}
