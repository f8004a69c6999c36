import type { Fields, FieldType } from './event-fields.ts';

/** The first field that is not what it must be. */
export interface FieldFault {
  /** With its way from the event, such as `error.code` or `tree.phases[3].name`. */
  readonly field: string;
  readonly expected: string;
  readonly value: unknown;
}

/** Holds an object against its fields; unknown fields pass. */
export function faultIn(fields: Fields, value: object, prefix = ''): FieldFault | undefined {
  for (const name in fields) {
    const field = fields[name];
    if (field === undefined) continue;
    const held: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    if (held === undefined && !field.required) continue;
    const fault = faultOf(field.type, held, prefix + name);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A value as a message shows it: as JSON, where it has one, and cut short. */
export function show(value: unknown): string {
  if (value === undefined) return 'absent';
  // NaN and the infinities have no JSON, functions and symbols neither.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function faultOf(type: FieldType, value: unknown, field: string): FieldFault | undefined {
  const fault = (expected: string): FieldFault => ({ field, expected, value });
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : fault('a string');
    case 'boolean':
      return typeof value === 'boolean' ? undefined : fault('true or false');
    case 'number':
      return Number.isFinite(value) ? undefined : fault('a number');
    case 'integer':
      return Number.isSafeInteger(value) ? undefined : fault('a whole number');
    case 'count':
      return Number.isSafeInteger(value) && (value as number) >= 0
        ? undefined
        : fault('a whole number from 0 up');
  }
  if ('oneOf' in type) {
    return type.oneOf.includes(value as string) ? undefined : fault(`one of ${type.oneOf.join(', ')}`);
  }
  if ('fields' in type) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? faultIn(type.fields, value, `${field}.`) : fault('an object');
  }
  if (!Array.isArray(value)) return fault('a list');
  const item = 'pair' in type ? type.pair : type.list;
  if ('pair' in type && value.length !== 2) return fault('a list of two');
  for (const [index, held] of value.entries()) {
    const found = faultOf(item, held, `${field}[${index}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}
