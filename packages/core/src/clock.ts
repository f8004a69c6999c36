/** Where a build's time comes from; tests drive their own. */
export interface Clock {
  /** Monotonic, in nanoseconds, from any origin. */
  nowNs(): number;
  /** Wall clock: seconds since 1970 and nanoseconds. */
  wallClock(): readonly [seconds: number, nanoseconds: number];
  /** Calls back once after `ms`, and answers what takes it back. Must not keep the process alive. */
  after(ms: number, run: () => void): () => void;
}

/** What setTimeout takes at most; a longer delay would fire at once. */
const maxTimeoutMs = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  nowNs: () => Math.round(performance.now() * 1e6),

  wallClock() {
    const before = performance.now();
    const date = Date.now();
    const after = performance.now();
    // The sum is finer than Date.now(), but stays behind when the wall clock is set after the process started.
    const precise = performance.timeOrigin + (before + after) / 2;
    return split(Math.abs(precise - date) <= 2 ? precise : date);
  },

  after(ms, run) {
    let leftMs = ms;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      const nowMs = Math.min(leftMs, maxTimeoutMs);
      leftMs -= nowMs;
      timer = setTimeout(leftMs > 0 ? wait : run, nowMs);
      letGo(timer);
    };
    wait();
    return () => clearTimeout(timer);
  },
};

function split(ms: number): readonly [seconds: number, nanoseconds: number] {
  const seconds = Math.floor(ms / 1000);
  const nanoseconds = Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6));
  return [seconds, nanoseconds];
}

/** Node's timers are objects that can be told not to keep the process alive; a browser's are numbers. */
function letGo(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') {
    timer.unref();
  }
}
