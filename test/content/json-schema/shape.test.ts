import { describe, expect, it } from '@jest/globals';
import { shapeOf, typeNamesIn, type ValueShape } from '../../../src/content/json-schema/shape.js';

/**
 * A shape in short notation: `[number!]`, `Thing{a:text}`, `Thing(A
 * B)`.
 */
function words(shape: ValueShape): string {
  if (shape.kind === 'list') return `[${words(shape.items)}${shape.hasNulls ? '' : '!'}]`;
  if (shape.kind === 'enum') return `${shape.typeName}(${shape.values.join('|')})`;
  if (shape.kind !== 'object') return shape.kind;
  const fields = shape.fields.map(({ name, shape: field }) => `${name}:${words(field)}`);
  return `${shape.typeName}{${fields.join(' ')}}`;
}

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

describe('shapeOf', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ type: 'string' }, 'text'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['number', 'null'] }, 'number'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'null' }, 'json'],
    [{ type: ['string', 'number'] }, 'json'],
    [{}, 'json'],
    [{ enum: ['a', 'B_2', null] }, 'Thing(a|B_2)'],
    [{ const: 'only' }, 'Thing(only)'],
    [{ enum: ['with space', 'b'] }, 'json'],
    [{ enum: ['true', 'b'] }, 'json'],
    [{ enum: ['__a'] }, 'json'],
    [{ enum: [1, 2] }, 'number'],
    [{ enum: ['a', 1] }, 'json'],
    [{ type: 'array', items: { type: 'number' } }, '[number!]'],
    [{ type: 'array', items: { type: ['number', 'null'] } }, '[number]'],
    [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }, '[[text!]!]'],
    [{ type: 'array' }, '[json]'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'string' } }, '[json]'],
    [
      object({ a: { type: 'string' }, b_c: object({ d: { enum: ['x'] } }) }),
      'Thing{a:text b_c:ThingBC{d:ThingBCD(x)}}',
    ],
    [
      object({ parts: { type: 'array', items: object({ n: { type: 'integer' } }) } }),
      'Thing{parts:[ThingParts{n:number}!]}',
    ],
    [object({ a: true }, { additionalProperties: false }), 'Thing{a:json}'],
    [object({ a: true }, { additionalProperties: true }), 'json'],
    [object({ a: true }, { additionalProperties: { type: 'string' } }), 'json'],
    [object({ a: true }, { patternProperties: { b: true } }), 'json'],
    [object({}), 'json'],
    [{ type: 'object' }, 'json'],
    [object({ 'a-b': true }), 'json'],
    [object({ __a: true }), 'json'],
    [{ oneOf: [{ type: 'string' }] }, 'json'],
    [object({ a: true }, { anyOf: [{ required: ['a'] }] }), 'json'],
    [
      object({ a: { $ref: '#/$defs/m' } }, { $defs: { m: object({ n: { type: 'number' } }) } }),
      'Thing{a:ThingA{n:number}}',
    ],
    [object({ next: { $ref: '#' } }), 'Thing{next:json}'],
  ])('reads the shape of %j as %s', (schema, expected) => {
    expect(words(shapeOf(schema, 'Thing'))).toBe(expected);
  });

  it('keeps descriptions in shapes', () => {
    const shape = shapeOf(object({ a: { description: 'A', type: 'string' } }, { title: 'T' }), 'Thing');
    expect(shape).toMatchObject({ description: 'T', fields: [{ name: 'a', description: 'A' }] });
  });

  it('creates at most 100 types from one schema', () => {
    const wide = object(
      Object.fromEntries(Array.from({ length: 300 }, (_none, index) => [`p${index}`, object({ a: true })])),
    );
    expect(typeNamesIn(shapeOf(wide, 'Thing'))).toHaveLength(100);
  });
});
