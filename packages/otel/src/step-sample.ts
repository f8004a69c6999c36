/** One completed step, as an event. */
export interface StepMoment {
  /** As TensorRT counts, from 0. */
  readonly index: number;
  readonly timeNs: number;
  /** Since the step before; of merged steps the longest. */
  readonly forNs: number;
  /** Earlier steps that it stands for as well. */
  readonly merged?: number;
}

/** What became of a phase's steps. */
export interface StepSelection {
  /** In time order. */
  readonly steps: readonly StepMoment[];
  readonly slowest: ReadonlySet<StepMoment>;
  /** Every how manieth step was taken; 1 when all were. */
  readonly stride: number;
}

interface Kept {
  readonly ordinal: number;
  readonly step: StepMoment;
}

const slowestKept = 16;

/**
 * A phase's steps in bounded memory: all of them up to `limit`; past that the first, the last, the 16 slowest and every
 * stride-th, the stride doubling each time the room is full.
 */
export class StepSample {
  readonly #limit: number;
  #systematic: Kept[] = [];
  // Ascending by duration.
  readonly #slowest: Kept[] = [];
  #last: Kept | undefined;
  #stride = 1;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(step: StepMoment): void {
    const kept = { ordinal: this.#count, step };
    this.#count += 1;
    this.#last = kept;
    this.#offerSlow(kept);
    if (kept.ordinal % this.#stride !== 0) return;
    this.#systematic.push(kept);
    if (this.#count > this.#limit) this.#thin(this.#limit - slowRoom(this.#limit) - 1);
  }

  /** At most `allowance` of them, and never more than the limit. */
  select(allowance: number): StepSelection {
    const room = Math.min(allowance, this.#limit);
    const whole = this.#count <= room;
    if (!whole) this.#thin(room - slowRoom(room) - 1);
    const slowest = this.#slowest.slice(whole ? 0 : this.#slowest.length - slowRoom(room));
    const chosen = new Set([...this.#systematic, ...slowest]);
    if (this.#last !== undefined && chosen.size < room) chosen.add(this.#last);
    const inOrder = [...chosen].sort((a, b) => a.step.timeNs - b.step.timeNs || a.ordinal - b.ordinal);
    return {
      steps: inOrder.map((kept) => kept.step),
      slowest: new Set(slowest.map((kept) => kept.step)),
      stride: this.#stride,
    };
  }

  #offerSlow(kept: Kept): void {
    const slowest = this.#slowest;
    const forNs = kept.step.forNs;
    if (slowest.length === slowestKept && forNs <= (slowest[0]?.step.forNs ?? 0)) return;
    let at = slowest.length;
    while (at > 0 && (slowest[at - 1]?.step.forNs ?? 0) > forNs) at -= 1;
    slowest.splice(at, 0, kept);
    if (slowest.length > slowestKept) slowest.shift();
  }

  #thin(room: number): void {
    if (room < 1) this.#systematic = [];
    while (this.#systematic.length > Math.max(room, 0)) {
      this.#stride *= 2;
      this.#systematic = this.#systematic.filter((kept) => kept.ordinal % this.#stride === 0);
    }
  }
}

// The first and the last have their places before the slowest do.
function slowRoom(limit: number): number {
  return Math.min(slowestKept, Math.max(0, limit - 2) >> 1);
}
