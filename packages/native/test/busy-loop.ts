/** Keeps this thread from all else until something holds; throws when it never does. */
export function blockUntil(holds: () => boolean, atMostMs = 20_000): void {
  const end = performance.now() + atMostMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error('It has not come about.');
  }
}

/** Keeps this thread from all else for so long. */
export function blockFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
