import { runCommandLine } from '../src/command-line.ts';

/** What a command line did to the outside. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, which saves starting one. Not for two at once. */
export async function runHere(...args: readonly string[]): Promise<Said> {
  const out = capture(process.stdout);
  const err = capture(process.stderr);
  try {
    const code = await runCommandLine(args);
    return { code, stdout: out.text(), stderr: err.text() };
  } finally {
    out.restore();
    err.restore();
  }
}

function capture(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const original = Object.getOwnPropertyDescriptor(stream, 'write');
  let text = '';
  const write = (chunk: string, ...rest: readonly unknown[]): boolean => {
    text += chunk;
    for (const done of rest) {
      if (typeof done === 'function') process.nextTick(done);
    }
    return true;
  };
  Object.defineProperty(stream, 'write', { value: write, configurable: true, writable: true });
  return {
    text: () => text,
    restore: () => {
      Reflect.deleteProperty(stream, 'write');
      if (original !== undefined) Object.defineProperty(stream, 'write', original);
    },
  };
}
