import type { EngineBuildOptions, ShapeProfile, Shapes } from './build-options.ts';

/** One input's range in one profile, complete. */
export interface ShapeRange {
  readonly input: string;
  readonly minShapes: readonly number[];
  readonly optShapes: readonly number[];
  readonly maxShapes: readonly number[];
}

const maxRank = 8;
const kinds = ['shapes', 'minShapes', 'optShapes', 'maxShapes'] as const;

/** The profiles that the options ask for, completed and checked. Throws a TypeError or RangeError that names the option. */
export function profilesOf(options: EngineBuildOptions): ShapeRange[][] {
  const given = kinds.filter((kind) => options[kind] !== undefined);
  if (options.profiles === undefined) {
    return given.length === 0 ? [] : [profileOf(options, '')];
  }
  if (!Array.isArray(options.profiles)) {
    throw new TypeError(`profiles: expected an array of profiles, got ${typeof options.profiles}.`);
  }
  if (given.length > 0) {
    throw new RangeError(
      `${given[0]}: expected in "profiles" only, since several profiles are given, got both.`,
    );
  }
  return options.profiles.map((profile: ShapeProfile, at) => profileOf(profile, `profiles[${at}].`));
}

function profileOf(profile: ShapeProfile, where: string): ShapeRange[] {
  for (const kind of kinds) {
    checkShapes(profile[kind], where + kind);
  }
  const { shapes = {}, minShapes = {}, optShapes = {}, maxShapes = {} } = profile;
  const inputs = [shapes, minShapes, optShapes, maxShapes].flatMap(Object.keys);
  if (inputs.length === 0) {
    throw new RangeError(`${where}shapes: expected the shape of at least one input, got none.`);
  }
  return [...new Set(inputs)].map((input) => {
    const all = own(shapes, input);
    const min = own(minShapes, input) ?? all;
    const opt = own(optShapes, input) ?? all;
    const max = own(maxShapes, input) ?? all;
    checkOrder(input, where, ['minShapes', min], ['maxShapes', max]);
    checkOrder(input, where, ['minShapes', min], ['optShapes', opt]);
    checkOrder(input, where, ['optShapes', opt], ['maxShapes', max]);
    return {
      input,
      minShapes: min ?? opt ?? max ?? [],
      optShapes: opt ?? max ?? min ?? [],
      maxShapes: max ?? opt ?? min ?? [],
    };
  });
}

// An input may be called `__proto__` or `constructor`.
function own(shapes: Shapes, input: string): readonly number[] | undefined {
  return Object.hasOwn(shapes, input) ? shapes[input] : undefined;
}

function checkShapes(shapes: unknown, option: string): void {
  if (shapes === undefined) {
    return;
  }
  if (typeof shapes !== 'object' || shapes === null || Array.isArray(shapes)) {
    throw new TypeError(
      `${option}: expected an object of dimensions by input name, got ${JSON.stringify(shapes)}.`,
    );
  }
  for (const [input, dims] of Object.entries(shapes) as [string, unknown][]) {
    if (input === '' || input.includes('\0')) {
      throw new RangeError(`${option}: expected the name of an input, got ${JSON.stringify(input)}.`);
    }
    if (!Array.isArray(dims) || dims.length < 1 || dims.length > maxRank) {
      throw new TypeError(
        `${option}: expected 1 to ${maxRank} dimensions for input "${input}", got ${JSON.stringify(dims)}.`,
      );
    }
    if (!dims.every((size) => Number.isSafeInteger(size) && size > 0)) {
      const text = dims.map(String).join('x');
      throw new RangeError(`${option}: expected dimensions of 1 or more for input "${input}", got ${text}.`);
    }
  }
}

type Named = readonly [option: string, dims: readonly number[] | undefined];

function checkOrder(input: string, where: string, [low, from]: Named, [high, to]: Named): void {
  if (from === undefined || to === undefined) return;
  const sameRank = from.length === to.length;
  if (sameRank && from.every((size, axis) => size <= (to[axis] as number))) return;
  const rule = sameRank ? 'at most' : 'as many dimensions as';
  throw new RangeError(
    `${where}${low}: expected ${rule} ${high} ${to.join('x')} for input "${input}", got ${from.join('x')}.`,
  );
}
