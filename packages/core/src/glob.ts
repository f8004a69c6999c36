/** What a whole text must match: `*` is any text, `?` any one character, all else is itself. */
export function globMatcher(glob: string): (text: string) => boolean {
  const parts = Array.from(glob, (character) => {
    if (character === '*') return '.*';
    return character === '?' ? '.' : character.replace(/[\\^$.*+?()[\]{}|/-]/u, String.raw`\$&`);
  });
  const pattern = new RegExp(`^${parts.join('')}$`, 'su');
  return (text) => pattern.test(text);
}
