import type { ReporterStream } from './terminal.ts';

/** Calls `before` ahead of every write to `stream`, and `after` with what was written. Answers what takes the guard away. */
export function guardOutput(
  stream: ReporterStream,
  before: () => void,
  after: (written: string | Uint8Array) => void,
): () => void {
  const original = stream.write; // oxlint-disable-line typescript/unbound-method -- called with the stream as `this`
  let active = true;
  const guarded = (...args: Parameters<ReporterStream['write']>): boolean => {
    if (!active) {
      return original.apply(stream, args);
    }
    before();
    const flowing = original.apply(stream, args);
    after(args[0]);
    return flowing;
  };
  stream.write = guarded;
  return () => {
    active = false;
    // Somebody may have put a wrapper of their own around ours: then it stays, and passes everything through.
    if (stream.write === guarded) {
      stream.write = original;
    }
  };
}
