const perSecond = 10;

/** Lets through at most ten lines in any second, and counts what it holds back. */
export class LineLimit {
  readonly #times: number[] = [];
  #left = 0;

  /** Whether a line may be written now. */
  admit(nowNs: number): boolean {
    while (this.#times.length > 0 && nowNs - (this.#times[0] ?? 0) >= 1e9) {
      this.#times.shift();
    }
    if (this.#times.length < perSecond) {
      this.#times.push(nowNs);
      return true;
    }
    this.#left += 1;
    return false;
  }

  /** How many lines were held back since the last call. */
  takeLeftOut(): number {
    const left = this.#left;
    this.#left = 0;
    return left;
  }
}
