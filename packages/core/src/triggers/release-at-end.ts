/** Calls `release` once: at the build's end, or when what this answers is called before. */
export function releaseAtEnd(build: { readonly result: Promise<unknown> }, release: () => void): () => void {
  let released = false;
  const once = (): void => {
    if (released) return;
    released = true;
    release();
  };
  // The result never rejects, but what a program wants released may throw, which is no reason to end it.
  void build.result.then(once).catch((error: unknown) => {
    process.emitWarning(`A trigger could not be released at the end of its build: ${String(error)}`);
  });
  return once;
}
