import type { Shapes } from './build-options.ts';

/**
 * Reads shapes as trtexec takes them: `image:1x3x224x224,mask:1x1x224x224`. A name ends at its last colon, so it may
 * hold colons and slashes; in quotes, single or double, it may hold commas too. Throws a RangeError that says what is wrong.
 *
 * @example
 * parseShapes('serving_default:0:1x43844x1'); // { 'serving_default:0': [1, 43844, 1] }
 */
export function parseShapes(text: string): Shapes {
  const shapes = new Map<string, readonly number[]>();
  for (const item of splitAtCommas(text)) {
    const [name, dims] = splitName(item, text);
    if (!/^\d+(x\d+)*$/.test(dims)) {
      throw bad(text, `the shape of input "${name}" is "${dims}"`);
    }
    if (shapes.has(name)) {
      throw bad(text, `input "${name}" is named twice`);
    }
    shapes.set(name, dims.split('x').map(Number));
  }
  return Object.fromEntries(shapes);
}

function splitName(item: string, text: string): [name: string, dims: string] {
  const quote = item[0];
  if (quote === "'" || quote === '"') {
    const end = item.indexOf(quote, 1);
    if (end < 2 || item[end + 1] !== ':') {
      throw bad(text, `"${item}" has no input name in quotes before a colon`);
    }
    return [item.slice(1, end), item.slice(end + 2)];
  }
  const colon = item.lastIndexOf(':');
  if (colon < 1) {
    throw bad(text, `"${item}" has no input name before a colon`);
  }
  return [item.slice(0, colon), item.slice(colon + 1)];
}

function splitAtCommas(text: string): string[] {
  const items: string[] = [];
  let start = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (quote !== '') {
      quote = char === quote ? '' : quote;
    } else if (at === start && (char === "'" || char === '"')) {
      quote = char;
    } else if (char === ',') {
      items.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...items, text.slice(start)];
}

function bad(text: string, why: string): RangeError {
  return new RangeError(`shapes "${text}": ${why}; write them as name:1x3x224x224,other:1x10.`);
}
