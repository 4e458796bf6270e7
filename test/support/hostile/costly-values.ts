import type { JsonSchema } from '../../../src/content/json-schema/index.js';

export const many = (length: number) => Array.from({ length }, (_none, index) => index);

/** Valid schemas with values that would take long to check. */
export const costlyValues: readonly (readonly [name: string, schema: JsonSchema, value: () => unknown])[] = [
  [
    'a recursion that doubles with every level',
    { properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } },
    () => many(90).reduce<unknown>((value) => ({ a: value }), {}),
  ],
  [
    'a long list of choices for each of many items',
    { contains: { anyOf: many(900).map((index) => ({ const: { index } })) } },
    () => many(20_000).map(() => ({ index: -1 })),
  ],
  [
    'many lengths of one long text',
    { anyOf: many(900).map((maxLength) => ({ maxLength })) },
    () => 'x'.repeat(1_000_000),
  ],
  ['unique items that are structures', { uniqueItems: true }, () => many(40_000).map((a) => ({ a }))],
  [
    'unique items of a few large structures',
    { uniqueItems: true },
    () => many(300).map((index) => Object.fromEntries(many(300).map((key) => [`k${key}`, index]))),
  ],
  ['an enumeration of structures', { items: { enum: [many(1000)] } }, () => many(200).map(() => many(1000))],
  [
    'additional properties of a wide object',
    { additionalProperties: { type: 'number' } },
    () => Object.fromEntries(many(100_000).map((index) => [`k${index}`, index])),
  ],
  ['a costly pattern on a long text', { pattern: '^(x{1,200})+$' }, () => 'x'.repeat(900_000)],
  [
    'a format for each of many long texts',
    { items: { format: 'uri' } },
    () => many(500).map(() => `http://${'a'.repeat(2000)}`),
  ],
];
