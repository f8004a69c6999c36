const maxNotices = 100;
const maxLength = 2000;

/** Passes sentences on, each once: many processes may say the same, and one may say it again and again. */
export class Notices {
  readonly #told = new Set<string>();
  readonly #pass: (sentence: string) => void;

  constructor(pass: (sentence: string) => void) {
    this.#pass = pass;
  }

  tell(sentence: string): void {
    const told = sentence.slice(0, maxLength);
    if (this.#told.has(told) || this.#told.size > maxNotices) return;
    this.#told.add(told);
    this.#pass(this.#told.size > maxNotices ? 'there is more of this, which is left out' : told);
  }
}
