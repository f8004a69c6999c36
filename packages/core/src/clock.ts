/** Where a build's time comes from; tests drive their own. */
export interface Clock {
  /** Monotonic, in nanoseconds, from any origin. */
  nowNs(): number;
  /** Wall clock: seconds since 1970 and nanoseconds. */
  wallClock(): readonly [seconds: number, nanoseconds: number];
  /** Calls back once after `ms`, and answers what takes it back. Must not keep the process alive. */
  after(ms: number, run: () => void): () => void;
}
