import type { Fields, FieldType } from '../src/event-fields.ts';

export interface FieldRow {
  readonly field: string;
  readonly type: string;
  readonly required: boolean;
}

/** The table rows that docs/events.md must have for these fields, in order, nested fields after the one that holds them. */
export function fieldRows(fields: Fields, prefix = ''): FieldRow[] {
  return Object.entries(fields).flatMap(([name, { type, required }]) => {
    const field = prefix + name;
    return [{ field, type: typeText(type), required }].concat(nestedRows(type, field));
  });
}

function nestedRows(type: FieldType, field: string): FieldRow[] {
  if (typeof type === 'string' || 'oneOf' in type || 'pair' in type) return [];
  if ('fields' in type) return fieldRows(type.fields, `${field}.`);
  return nestedRows(type.list, `${field}[]`);
}

function typeText(type: FieldType): string {
  if (typeof type === 'string') return type;
  if ('oneOf' in type) return type.oneOf.map((word) => `\`${word}\``).join(', ');
  if ('pair' in type) return `pair of ${typeText(type.pair)}`;
  return 'list' in type ? `list of ${typeText(type.list)}` : 'object';
}
