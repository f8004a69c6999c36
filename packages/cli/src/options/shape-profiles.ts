import type { ShapeProfile, Shapes } from '@trtscope/native';
import { UsageError } from '../usage-error.ts';
import { wholeNumber } from './values.ts';

export type ShapeKind = keyof ShapeProfile;

/** Shapes as they come on the command line: `--profile N` says to which profile the following ones belong, as in trtexec. */
export class ShapeProfiles {
  readonly #profiles: Partial<Record<ShapeKind, string>>[] = [];
  #current: number | undefined;

  select(text: string, flag: string): void {
    const index = wholeNumber(text, flag);
    if (index > this.#profiles.length) {
      throw new UsageError(
        `${flag}: profile ${index} comes before profile ${this.#profiles.length}; count them from 0 in order.`,
      );
    }
    this.#current = index;
    this.#profiles[index] ??= {};
  }

  add(kind: ShapeKind, text: string): void {
    const profile = (this.#profiles[this.#current ?? 0] ??= {});
    if (profile[kind] !== undefined) {
      throw new UsageError(
        `--${kind}: given twice for one profile; put all inputs into one list, or begin another --profile.`,
      );
    }
    profile[kind] = text;
  }

  /** As build options have them. `parse` reads one list of shapes and throws a RangeError. */
  read(parse: (text: string) => Shapes): ShapeProfile & { readonly profiles?: readonly ShapeProfile[] } {
    const profiles = this.#profiles.map((texts) => readProfile(texts, parse));
    return this.#current === undefined ? (profiles[0] ?? {}) : { profiles };
  }
}

function readProfile(
  texts: Partial<Record<ShapeKind, string>>,
  parse: (text: string) => Shapes,
): ShapeProfile {
  const read = Object.entries(texts).map(([kind, text]) => {
    try {
      return [kind, parse(text)];
    } catch (cause) {
      throw new UsageError(`--${kind}: ${(cause as Error).message}`, { cause });
    }
  });
  return Object.fromEntries(read) as ShapeProfile;
}
