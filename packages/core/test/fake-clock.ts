import type { Clock } from '../src/clock.ts';

/** Time that moves only when a test moves it; the wall clock can be set apart from it. */
export class FakeClock implements Clock {
  #nowNs = 0;
  #wallMs = 1_700_000_000_000;
  #timers: { readonly atNs: number; readonly run: () => void }[] = [];

  nowNs(): number {
    return this.#nowNs;
  }

  wallClock(): readonly [number, number] {
    const wallMs = this.wallMs;
    const seconds = Math.floor(wallMs / 1000);
    return [seconds, Math.round((wallMs - seconds * 1000) * 1e6)];
  }

  after(ms: number, run: () => void): () => void {
    const timer = { atNs: this.#nowNs + Math.round(ms * 1e6), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get wallMs(): number {
    return this.#wallMs + this.#nowNs / 1e6;
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Sets the wall clock forward, or back, and leaves monotonic time alone. */
  setWall(byMs: number): void {
    this.#wallMs += byMs;
  }

  /** Moves time on, with every timer that falls due. */
  advance(ms: number): void {
    const untilNs = this.#nowNs + ms * 1e6;
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.atNs - b.atNs).find(({ atNs }) => atNs <= untilNs);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#nowNs = Math.max(this.#nowNs, next.atNs);
      next.run();
    }
    this.#nowNs = untilNs;
  }
}
