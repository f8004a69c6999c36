import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseShapes } from '../src/shapes.ts';

describe('parseShapes', () => {
  test('shapes of several inputs are separated by commas', () => {
    expect(parseShapes('image:1x3x224x224,mask:7')).toEqual({ image: [1, 3, 224, 224], mask: [7] });
  });

  test('a name ends at its last colon, so it may hold colons and slashes', () => {
    expect(parseShapes('serving_default_input_2:0:1x43844x1')).toEqual({
      'serving_default_input_2:0': [1, 43844, 1],
    });
    expect(parseShapes('/model/in:0/x:2x2')).toEqual({ '/model/in:0/x': [2, 2] });
  });

  test('a name in quotes may hold commas', () => {
    expect(parseShapes(`'a,b':1x2,"c:0":3`)).toEqual({ 'a,b': [1, 2], 'c:0': [3] });
  });

  test.each([
    ['', 'no input name'],
    ['image', 'no input name'],
    [':1x2', 'no input name'],
    ['image:', 'the shape of input "image" is ""'],
    ['image:1xax3', 'the shape of input "image" is "1xax3"'],
    ['image:1,3,224', '"3" has no input name'],
    ['image:-1x3', 'the shape of input "image" is "-1x3"'],
    ['image:1x3,image:1x3', 'input "image" is named twice'],
    ["'image:1x3", 'no input name in quotes'],
    ["'':1x3", 'no input name in quotes'],
    ['image:1x3,', 'no input name'],
  ])('%j is refused with the reason', (text, reason) => {
    expect(() => parseShapes(text)).toThrow(RangeError);
    expect(() => parseShapes(text)).toThrow(reason);
  });

  test('whatever was written as trtexec writes it is read back', () => {
    const name = fc
      .string({ minLength: 1, unit: 'binary' })
      .filter((text) => !(text.includes('"') && text.includes("'")));
    const dims = fc.array(fc.nat({ max: 2 ** 40 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, dims), { minLength: 1, selector: ([key]) => key }),
        (inputs) => {
          const text = inputs.map(([key, sizes]) => `${quoted(key)}:${sizes.join('x')}`).join(',');
          expect(new Map(Object.entries(parseShapes(text)))).toEqual(new Map(inputs));
        },
      ),
    );
  });

  test('no text makes it fail otherwise than with a RangeError', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ':', 'x', ',', "'", '"', '0', '1', '-', '/', ' ') });
    fc.assert(
      fc.property(text, (shapes) => {
        try {
          parseShapes(shapes);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

function quoted(name: string): string {
  if (name.includes("'")) return `"${name}"`;
  return /[,"]/.test(name) ? `'${name}'` : name;
}
