import type { HrTime } from '@opentelemetry/api';

/**
 * A span's time, in nanoseconds since the build began, kept inside its parent's: whatever order finishes come in, no frame
 * begins before its parent or ends after it, and each is at least 1 ns long (backends flag end == start).
 */
export class TimeFrame {
  readonly startNs: number;
  readonly #parent: TimeFrame | undefined;
  #endNs: number | undefined;
  #leastEndNs: number;

  /** `parent` becomes the nearest ancestor that is still open: see {@link TimeFrame.parent}. */
  constructor(startNs: number, parent?: TimeFrame) {
    this.#parent = TimeFrame.#openAmong(parent);
    this.startNs = Math.max(startNs, this.#parent?.startNs ?? startNs);
    this.#leastEndNs = this.startNs + 1;
    this.#reach(this.#leastEndNs);
  }

  /** Where it really hangs: what was asked for, unless that or something above it had ended by then. */
  get parent(): TimeFrame | undefined {
    return this.#parent;
  }

  get endNs(): number | undefined {
    return this.#endNs;
  }

  /** Ends it, once, at or near `timeNs`; answers when. */
  end(timeNs: number): number {
    if (this.#endNs !== undefined) return this.#endNs;
    const endNs = Math.min(Math.max(timeNs, this.#leastEndNs), this.#boundNs());
    this.#endNs = endNs;
    this.#reach(endNs);
    return endNs;
  }

  /** `timeNs`, or the nearest moment inside the frame. */
  clamp(timeNs: number): number {
    return Math.min(Math.max(timeNs, this.startNs), this.#endNs ?? timeNs);
  }

  // Below whatever of its ancestors has ended nothing can begin any more.
  static #openAmong(asked: TimeFrame | undefined): TimeFrame | undefined {
    let open = asked;
    for (let frame = asked; frame !== undefined; frame = frame.#parent) {
      if (frame.#endNs !== undefined) open = frame.#parent;
    }
    return open;
  }

  // The earliest end among its ancestors that have ended.
  #boundNs(): number {
    let boundNs = Number.POSITIVE_INFINITY;
    for (let frame = this.#parent; frame !== undefined; frame = frame.#parent) {
      boundNs = Math.min(boundNs, frame.#endNs ?? boundNs);
    }
    return boundNs;
  }

  // Ancestors may not end before `endNs`.
  #reach(endNs: number): void {
    for (let frame = this.#parent; frame !== undefined; frame = frame.#parent) {
      frame.#leastEndNs = Math.max(frame.#leastEndNs, endNs);
    }
  }
}

/** The wall clock at `timeNs`, to the nanosecond: milliseconds in a float resolve only 244 ns. */
export function timeAt(startedAt: readonly [seconds: number, nanoseconds: number], timeNs: number): HrTime {
  const nanoseconds = startedAt[1] + Math.trunc(timeNs);
  return [startedAt[0] + Math.floor(nanoseconds / 1e9), nanoseconds % 1e9];
}
