/** Wrong usage, found before anything was started: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
