import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  checkAgainstSchema,
  checkJsonSchema,
  renewWork,
  spentWork,
  workBudget,
  type JsonSchema,
} from '../../../src/content/json-schema/index.js';
import { costlyValues, many } from '../../support/hostile/costly-values.js';

beforeEach(renewWork);

/** Problems as `path code`. The schema must be valid. */
function problems(value: unknown, schema: JsonSchema): string[] {
  expect(checkJsonSchema(schema)).toEqual([]);
  renewWork();
  return checkAgainstSchema(value, schema).map(({ path, code }) => [path.join('/'), code].join(' ').trim());
}

const fits = (value: unknown, schema: JsonSchema): boolean => problems(value, schema).length === 0;

describe('checkAgainstSchema', () => {
  it.each<[JsonSchema, unknown, unknown]>([
    [{ type: 'integer' }, 3, 3.5],
    [{ multipleOf: 0.1 }, 0.3, 0.35],
    [{ const: { a: [1] } }, { a: [1] }, { a: [2] }],
    [{ prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 1]],
    [{ contains: { type: 'number' }, maxContains: 1 }, ['a', 1], [1, 2]],
    [
      { uniqueItems: true },
      [1, '1', { a: 1 }, { a: 2 }],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    [{ required: ['toString'] }, { toString: 1 }, {}],
    [{ properties: { constructor: { type: 'number' } } }, {}, { constructor: 'x' }],
    [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 2 }, { a: 1 }],
    [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
    [{ if: { type: 'number' }, then: { minimum: 3 } }, 3, 2],
    [{ propertyNames: { pattern: '^[a-z]+$' } }, { ab: 1 }, { aB: 1 }],
    [{ patternProperties: { '^n': { type: 'number' } } }, { na: 1 }, { na: 'x' }],
    [{ pattern: '^\\p{L}+$' }, 'größe', 'a b'],
    [{ format: 'date' }, '2024-02-29', '2023-02-29'],
    [{ format: 'email' }, 'a@b.co', 'a@'],
    [{ format: 'uri' }, 'https://a.b/c?d', `https://a.b/${'x'.repeat(3000)}`],
    [{ $ref: '#/$defs/a', $defs: { a: { minimum: 1 } }, maximum: 2 }, 2, 3],
    [{ $ref: '#/properties/a~1b%20%25', properties: { 'a/b %': { type: ['object', 'null'] } } }, null, 3],
  ])('checks values against the schema %j', (schema, good, bad) => {
    expect(problems(good, schema)).toEqual([]);
    expect(problems(bad, schema)).toHaveLength(1);
  });

  it('ignores unknown keywords and formats, as JSON Schema requires', () => {
    expect(fits('x', { 'x-widget': 'slider', format: 'shoe-size', $comment: 'c', default: 3 })).toBe(true);
  });

  it('distinguishes several patterns of one schema', () => {
    const schema = { properties: { a: { pattern: '^x$' }, b: { pattern: '^y$' } } };
    expect(problems({ a: 'x', b: 'x' }, schema)).toEqual(['b json_schema']);
  });

  it('returns the path of the mismatch with list indexes as numbers', () => {
    const schema = { properties: { 'a/b': { items: { required: ['c~d'] } } } };
    const [problem] = checkAgainstSchema({ 'a/b': [{ 'c~d': 1 }, {}] }, schema);
    expect(problem?.path).toEqual(['a/b', 1, 'c~d']);
  });

  it('checks a recursive schema through a tree', () => {
    const tree = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
      additionalProperties: false,
    };
    expect(problems({ name: 'a', children: [{ name: 'b', children: [{}] }] }, tree)).toEqual([
      'children/0/children/0/name json_schema',
    ]);
  });

  it('does not let values change cached schemas', () => {
    const schema = { type: 'string' };
    expect(fits('x', schema)).toBe(true);
    expect(fits(1, { ...schema })).toBe(false);
    expect(fits('x', structuredClone(schema))).toBe(true);
  });
});

describe('An expensive check', () => {
  it.each(costlyValues)('stops when the work budget is spent: %s', (_what, schema, make) => {
    const value = make();
    expect(checkJsonSchema(schema)).toEqual([]);
    renewWork();
    expect(checkAgainstSchema(value, schema).map(({ code }) => code)).toEqual(['schema_too_complex']);
    expect(spentWork()).toBeGreaterThan(workBudget);
  });

  it('shares one budget among all values of a write', () => {
    const schema = { items: { type: 'number' } };
    expect(checkJsonSchema(schema)).toEqual([]);
    renewWork();
    const value = many(50_000);
    const codes = many(40).flatMap(() => checkAgainstSchema(value, schema).map(({ code }) => code));
    expect(codes).toContain('schema_too_complex');
    renewWork();
    expect(checkAgainstSchema(value, schema)).toEqual([]);
  });

  it('compares unique items in linear work', () => {
    const workFor = (length: number): number => {
      expect(problems(many(length), { uniqueItems: true })).toEqual([]);
      return spentWork();
    };
    const one = workFor(1) - workFor(0);
    expect(workFor(40_000) - workFor(0)).toBe(40_000 * one);
  });
});
