const kept = 100;
const folded = 'other';

/**
 * Names for metrics' attributes: a series is for ever, and a name is whatever TensorRT or the user gave, so that past the
 * first 100 all further ones are one, `other`.
 */
export class BoundedNames {
  readonly #names = new Set<string>();
  #folds = false;

  /** `onFold` is called once, with the first name that is not kept. */
  of(name: string, onFold?: (name: string) => void): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size < kept) {
      this.#names.add(name);
      return name;
    }
    if (!this.#folds) {
      this.#folds = true;
      onFold?.(name);
    }
    return folded;
  }
}
