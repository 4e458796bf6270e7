import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {
  checkAgainstSchema,
  checkJsonSchema,
  renewWork,
  type JsonSchema,
} from '../../../src/content/json-schema/index.js';

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
 * `prefixItems` it accepts an empty list for `contains: false`, which no item can satisfy.
 */
const differs = (text: string): boolean =>
  (text.includes('"contains"') && text.includes('"unevaluatedItems"')) ||
  (text.includes('"contains":false') && text.includes('"prefixItems"'));

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
          counts[isValid ? 'valid' : 'invalid'] += 1;
          expect({ one, isValid }).toEqual({ one, isValid: validate(one) });
        }
        ajv.removeSchema(given);
      }),
      { numRuns: 500 },
    );
    expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(400);
  });
});
