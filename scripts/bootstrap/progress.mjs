let quiet = false;

/** From now on nothing is said but what went wrong. */
export function beQuiet() {
  quiet = true;
}

/** One line on stderr. */
export function note(line) {
  if (!quiet) process.stderr.write(`trtscope: ${line}\n`);
}

/** Says what is being done and, when it is done, how long it took. */
export async function timed(what, work) {
  if (quiet) return work();
  const startedMs = performance.now();
  process.stderr.write(`trtscope: ${what} … `);
  let outcome = 'failed';
  try {
    const result = await work();
    outcome = `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
    return result;
  } finally {
    process.stderr.write(`${outcome}\n`);
  }
}
