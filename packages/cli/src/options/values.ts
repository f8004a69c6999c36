import { Option } from 'commander';
import { UsageError } from '../usage-error.ts';

/** An option whose value `parse` reads; the flag itself is passed on for messages. */
export function parsed(
  flags: string,
  description: string,
  parse: (text: string, flag: string) => unknown,
): Option {
  const option = new Option(flags, description);
  const flag = option.long ?? flags;
  return option.argParser((text: string) => parse(text, flag));
}

/** An option that may be repeated: its values, in order. */
export function repeated(
  flags: string,
  description: string,
  parse: (text: string, flag: string) => readonly unknown[],
): Option {
  const option = new Option(flags, description);
  const flag = option.long ?? flags;
  return option.argParser((text: string, before: readonly unknown[] | undefined) => [
    ...(before ?? []),
    ...parse(text, flag),
  ]);
}

/** A whole number, not negative. */
export function wholeNumber(text: string, flag: string): number {
  if (!/^\d{1,15}$/u.test(text)) {
    throw new UsageError(`${flag}: "${text}" is not a whole number, such as 3.`);
  }
  return Number(text);
}

/** One of `names`. */
export function oneOf<T extends string>(names: readonly T[]): (text: string, flag: string) => T {
  return (text, flag) => {
    const found = names.find((name) => name === text);
    if (found === undefined) {
      throw new UsageError(`${flag}: "${text}" is not one of ${names.join(', ')}.`);
    }
    return found;
  };
}

/** Text that is not empty. */
export function someText(text: string, flag: string): string {
  if (text === '') {
    throw new UsageError(`${flag}: the value is empty; leave the option out or give it one.`);
  }
  return text;
}
