/** Answers what tells whether a whole text matches: `*` is any text, `?` any one character, all else is itself. */
export function globMatcher(glob: string): (text: string) => boolean {
  const pattern = Array.from(glob);
  return (text) => matches(pattern, Array.from(text));
}

function matches(pattern: readonly string[], text: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  /** Behind the last star, and where in the text it stops for now. */
  let behindStar: number | undefined;
  let starEnd = 0;
  while (next < text.length) {
    if (pattern[at] === '*') {
      at += 1;
      behindStar = at;
      starEnd = next;
    } else if (pattern[at] === '?' || pattern[at] === text[next]) {
      at += 1;
      next += 1;
    } else if (behindStar !== undefined) {
      at = behindStar;
      starEnd += 1;
      next = starEnd;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((rest) => rest === '*');
}
