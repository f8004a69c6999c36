/** What a rung does: ask TensorRT, tell its process to leave, kill it. */
export type Rung = 'ask' | 'terminate' | 'kill';

/** Climbs from asking to killing, a rung at each end of a grace. */
export class CancelLadder {
  readonly #graceMs: number;
  readonly #climb: (rung: Rung) => void;
  #next: Rung | undefined = 'ask';
  #timer: NodeJS.Timeout | undefined;

  constructor(graceMs: number, climb: (rung: Rung) => void) {
    this.#graceMs = graceMs;
    this.#climb = climb;
  }

  /** Begins with asking, or without a grace with killing. Only the first call does anything. */
  begin(): void {
    if (this.#next !== 'ask') return;
    if (this.#graceMs === 0) this.#next = 'kill';
    this.escalate();
  }

  /** Goes up one rung at once. */
  escalate(): void {
    const rung = this.#next;
    if (rung === undefined) return;
    clearTimeout(this.#timer);
    this.#next = rung === 'ask' ? 'terminate' : rung === 'terminate' ? 'kill' : undefined;
    if (this.#next !== undefined) {
      this.#timer = setTimeout(() => {
        this.escalate();
      }, this.#graceMs);
    }
    this.#climb(rung);
  }

  /** Nothing is left to cancel. */
  stop(): void {
    this.#next = undefined;
    clearTimeout(this.#timer);
  }
}
