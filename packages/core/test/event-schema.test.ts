import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeEvents, encodeEvents } from '../src/codec.ts';
import { baseFields, eventFields, type Fields, type FieldType } from '../src/event-fields.ts';
import { anyEvent } from './arbitrary-events.ts';
import { fieldRows } from './field-rows.ts';
import { recordingNames, recordingText } from './recordings.ts';

const schemaUrl = new URL('../schema/events.schema.json', import.meta.url);
const schema = JSON.parse(readFileSync(schemaUrl, 'utf8')) as object;
const docs = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8');

/** What the JSON Schema must say, made from the table that the decoder goes by. */
function schemaOf(types: Readonly<Record<string, Fields>>): object {
  const { properties, required } = objectSchema(baseFields);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:trtscope:events:1',
    title: 'A line of a trtscope event stream',
    description: 'See docs/events.md. Readers skip events of a type that is not listed here.',
    type: 'object',
    properties: {
      v: { description: 'On the first line.', const: 1 },
      type: { type: 'string' },
      ...properties,
    },
    required: ['type', ...required],
    oneOf: Object.keys(types).map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.fromEntries(
      Object.entries(types).map(([type, fields]) => [type, objectSchema(fields, { type: { const: type } })]),
    ),
  };
}

function objectSchema(
  fields: Fields,
  more: object = {},
): { type: 'object'; properties: object; required: string[] } {
  const all = Object.entries(fields);
  const own = Object.fromEntries(all.map(([name, { type }]) => [name, typeSchema(type)]));
  return {
    type: 'object',
    properties: Object.assign(more, own),
    required: all.filter(([, field]) => field.required).map(([name]) => name),
  };
}

function typeSchema(type: FieldType): object {
  if (type === 'count') return { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
  if (type === 'integer') return { type, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  if (typeof type === 'string') return { type };
  if ('oneOf' in type) return { enum: type.oneOf };
  if ('fields' in type) return objectSchema(type.fields);
  if ('list' in type) return { type: 'array', items: typeSchema(type.list) };
  return { type: 'array', items: typeSchema(type.pair), minItems: 2, maxItems: 2 };
}

test('the JSON Schema says what the decoder checks', () => {
  expect(schema).toEqual(schemaOf(eventFields));
});

describe('events by the JSON Schema', () => {
  const validate = new Ajv.default({ strict: true, strictRequired: false }).compile(schema);

  test.each(recordingNames)('every line of the recording %s is valid', (name) => {
    for (const line of recordingText(name).trimEnd().split('\n')) {
      validate(JSON.parse(line));
      expect(validate.errors).toBeNull();
    }
  });

  test('whatever the encoder writes is valid', () => {
    fc.assert(fc.property(anyEvent, (event) => validate(JSON.parse(encodeEvents([event])))));
  });

  test('an event with one field replaced is valid exactly when the decoder takes it', () => {
    const anything = fc.constantFrom(null, true, -1, 0.5, 1, 'x', 'built', [], [1, 2], {}, Number.MAX_VALUE);
    fc.assert(
      fc.property(anyEvent, fc.nat(), anything, (event, pick, value) => {
        const names = Object.keys(event).filter((name) => name !== 'type');
        const line = JSON.stringify({ v: 1, ...event, [String(names[pick % names.length])]: value });
        let taken = true;
        try {
          decodeEvents(line);
        } catch {
          taken = false;
        }
        expect(validate(JSON.parse(line))).toBe(taken);
      }),
    );
  });
});

describe('docs/events.md', () => {
  const sections = docs.split(/^### `([^`]+)`$/m);
  const tables = new Map(
    [['every event', sections[0] ?? ''], ...pairs(sections.slice(1))].map(([name, text]) => [
      name,
      rowsOf(text ?? ''),
    ]),
  );

  test('has a section for every event and for no other', () => {
    expect([...tables.keys()].slice(1)).toEqual(Object.keys(eventFields));
  });

  test.each([['every event', baseFields], ...Object.entries(eventFields)])(
    'lists the fields of %s',
    (type, fields) => {
      expect(tables.get(type)).toEqual(fieldRows(fields));
    },
  );

  test('shows lines that are events', () => {
    const [, example = ''] = /```json\n([\s\S]*?)```/.exec(docs) ?? [];
    expect(decodeEvents(example)).toHaveLength(3);
  });
});

function pairs(list: readonly string[]): string[][] {
  return Array.from({ length: list.length / 2 }, (_, index) => list.slice(index * 2, index * 2 + 2));
}

function rowsOf(text: string): object[] {
  return [...text.matchAll(/^\| `([^`]+)` *\| (.*?) *\| (yes|no) *\| .*\|$/gm)].map(
    ([, field, type, required]) => ({
      field,
      type,
      required: required === 'yes',
    }),
  );
}
