import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  checkAgainstSchema,
  checkJsonSchema,
  renewWork,
  type JsonSchema,
} from '../../../src/content/json-schema/index.js';
import { fc } from '../../support/properties.js';

const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true, multipleOfPrecision: 10 });

const names = ['a', 'b', 'c', 'ab'];
const name = fc.constantFrom(...names);
const small = fc.integer({ min: 0, max: 3 });

/** Small values from a small vocabulary, so that schemas match some and refuse others. */
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 1.5, 2, -1, '', 'a', 'ab', 'abc', '😀'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'null');

/** One keyword with a valid value. */
const keyword = (schema: fc.Arbitrary<unknown>): fc.Arbitrary<object> => {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true });
  const as = (key: string, given: fc.Arbitrary<unknown>) => given.map((one) => ({ [key]: one }));
  const distinct = fc.uniqueArray(name, { maxLength: 2 });
  return fc.oneof(
    as('type', fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))),
    as('enum', fc.array(value, { minLength: 1, maxLength: 4 })),
    as('const', value),
    as('multipleOf', fc.constantFrom(0.5, 1, 2)),
    as('maximum', small),
    as('exclusiveMaximum', small),
    as('minimum', small),
    as('exclusiveMinimum', small),
    as('maxLength', small),
    as('minLength', small),
    as('pattern', fc.constantFrom('^a', 'b$', '^$', '.')),
    as('maxItems', small),
    as('minItems', small),
    as('uniqueItems', fc.boolean()),
    as('maxProperties', small),
    as('minProperties', small),
    as('required', distinct),
    as('dependentRequired', fc.dictionary(name, distinct, { maxKeys: 2, noNullPrototype: true })),
    ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => as(key, list)),
    ...['not', 'additionalProperties', 'propertyNames', 'items', 'unevaluatedProperties'].map((key) =>
      as(key, schema),
    ),
    ...['properties', 'dependentSchemas'].map((key) => as(key, map)),
    as(
      'patternProperties',
      fc.dictionary(fc.constantFrom('^a', 'b', 'o'), schema, { maxKeys: 2, noNullPrototype: true }),
    ),
    as('unevaluatedItems', schema),
    fc
      .record({ contains: schema, minContains: small, maxContains: small }, { requiredKeys: ['contains'] })
      .map((given) => given as object),
    fc
      .record({ if: schema, then: schema, else: schema }, { requiredKeys: ['if'] })
      .map((given) => given as object),
    fc.constant({ $ref: '#/$defs/shared' }),
  );
};

const schema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.boolean(),
    fc
      .array(keyword(tie('schema')), { minLength: 1, maxLength: 3 })
      .map((parts) => Object.assign({}, ...parts) as object),
  ),
})).schema;

const document = fc
  .record({
    shared: fc.constantFrom<object>({ type: 'string' }, { minimum: 1 }, { properties: { a: true } }),
    root: schema,
  })
  .filter(({ root }) => typeof root === 'object')
  .map(({ shared, root }) => ({ ...(root as object), $defs: { shared } }));

/**
 * ajv takes all items for evaluated beside `contains`, where JSON Schema takes those that match; and beside
 * `prefixItems` it accepts an empty list, in which no item can match.
 */
const differs = (text: string): boolean =>
  text.includes('"contains"') && (text.includes('"unevaluatedItems"') || text.includes('"prefixItems"'));

/** What ajv says of a value, null where the code it generated fails: it names `props0` in a branch that does not define it. */
const verdictOf = (validate: (value: unknown) => unknown, value: unknown): unknown => {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof Error && error.name === 'ReferenceError') return null;
    throw error;
  }
};

describe('checkAgainstSchema', () => {
  it('agrees with a compiler of JSON Schema on generated schemas and values', () => {
    const counts = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(document, fc.array(value, { minLength: 8, maxLength: 8 }), (given: JsonSchema, values) => {
        fc.pre(!differs(JSON.stringify(given)));
        if (checkJsonSchema(given).length > 0) throw new Error(JSON.stringify(checkJsonSchema(given)));
        const validate = ajv.compile(given);
        for (const one of values) {
          renewWork();
          const isValid = checkAgainstSchema(one, given).length === 0;
          const expected = verdictOf(validate, one);
          if (expected === null) continue;
          counts[isValid ? 'valid' : 'invalid'] += 1;
          expect({ one, isValid }).toEqual({ one, isValid: expected });
        }
        ajv.removeSchema(given);
      }),
      { numRuns: 500 },
    );
    expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(400);
  });
});
