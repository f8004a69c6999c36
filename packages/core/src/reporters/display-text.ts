const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const plainAscii = /^[\x20-\x7e]*$/;
// Controls (C0, C1, DEL), line and paragraph separators, and marks that turn the direction of text around.
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;
const emoji = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|.\ufe0f)/v;

// First and last code points of East Asian width W and F that are no emoji.
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

/** `text` as one line that cannot steer a terminal: white space becomes a blank, every other control is written out. */
export function printable(text: string): string {
  if (plainAscii.test(text)) return text;
  return text.replaceAll(/[\t\n\v\f\r\u2028\u2029]+/g, ' ').replaceAll(unprintable, escapeOf);
}

/** How many columns of a terminal `text` takes; `text` is printable. */
export function displayWidth(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The beginning of `text` that fits in `columns`, ended by `ellipsis` where something was left out. */
export function fit(text: string, columns: number, ellipsis: string): string {
  if (displayWidth(text) <= columns) return text;
  const room = columns - displayWidth(ellipsis);
  if (room < 0) return '';
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += graphemeWidth(segment);
    if (width > room) break;
    kept += segment;
  }
  return kept + ellipsis;
}

/** `text` with blanks after it up to `columns`. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

function escapeOf(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  if (emoji.test(grapheme)) return 2;
  const point = grapheme.codePointAt(0) ?? 0;
  return wideRanges.some(([first, last]) => point >= first && point <= last) ? 2 : 1;
}
