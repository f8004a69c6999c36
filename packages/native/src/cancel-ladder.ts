/** What has been done to end a build: its process was asked to, told to leave, or killed. */
export type Rung = 'ask' | 'terminate' | 'kill';

// The builder's own timer, which kills it when its threads cannot, comes half of this after the second grace.
const slackMs = 200;

/**
 * Our part in ending a build. A builder of ours goes up the ladder by itself, by native code and by a timer of the kernel's,
 * since nothing may run here; so all there is to do is to pass on what is asked for, and to kill a builder that has heard
 * nothing of it by the end of its second grace. A program that is not ours has to be led up: `leads`.
 */
export class CancelLadder {
  readonly #graceMs: number;
  readonly #climb: (rung: Rung) => void;
  readonly #leads: boolean;
  #rung: Rung | undefined;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(graceMs: number, climb: (rung: Rung) => void, { leads = false } = {}) {
    this.#graceMs = graceMs;
    this.#climb = climb;
    this.#leads = leads;
  }

  /** Begins with asking, or without a grace with killing. Does nothing once it has begun. */
  begin(): void {
    if (this.#rung === undefined) this.#go(this.#graceMs === 0 ? 'kill' : 'ask');
  }

  /** The builder has begun by itself. */
  follow(): void {
    if (this.#rung === undefined) this.#wait('ask');
  }

  /** Goes up one rung at once. */
  escalate(): void {
    switch (this.#rung) {
      case undefined:
        this.begin();
        break;
      case 'ask':
        this.#go('terminate');
        break;
      case 'terminate':
        this.#go('kill');
        break;
      case 'kill':
        break;
    }
  }

  /** Nothing is left to cancel. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #go(rung: Rung): void {
    if (this.#stopped) return;
    this.#wait(rung);
    this.#climb(rung);
  }

  #wait(rung: Rung): void {
    this.#rung = rung;
    clearTimeout(this.#timer);
    if (rung === 'kill' || this.#stopped) return;
    if (this.#leads) {
      this.#timer = setTimeout(() => this.escalate(), this.#graceMs);
      return;
    }
    const graces = rung === 'ask' ? 2 : 1;
    this.#timer = setTimeout(() => this.#go('kill'), graces * this.#graceMs + slackMs);
  }
}
