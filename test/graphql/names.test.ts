import { describe, expect, it } from '@jest/globals';
import { validateSchema } from 'graphql';
import { isReservedTypeName, typeNameOf } from '../../src/content/model/api-names.js';
import type { ContentTypeDefinition, CustomFieldTypeDefinition } from '../../src/content/catalog.js';
import { contentTypeClash, customTypeClash } from '../../src/content/graphql-names.js';
import { buildProjectSchema } from '../../src/surfaces/graphql/project/build-project-schema.js';
import { verifies } from '../support/verifies.js';
import { catalogOf, contentType, field } from './fixture.js';
import { fc } from '../support/properties.js';

/** Few parts, so that names collide often. */
const part = fc.constantFrom(
  ...['a', 'b', 'A', 'B', '_', 'Collection', 'entry', 'json', 'query', 'x'],
  ...['Filter', 'Reference', 'string', 'Comparison'],
);
const typeApiName = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''))
  .filter((name) => /^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(name) && !name.includes('__'));
const graphqlTypeName = fc
  .array(
    fc.constantFrom('A', 'B', 'Collection', 'Entry', 'x', 'JSON', 'Query', 'Filter', 'Comparison', 'String'),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => parts.join(''))
  .filter((name) => /^[A-Z][A-Za-z0-9]*$/.test(name));

const contentTypeStep = fc.record({
  kind: fc.constant('content' as const),
  apiName: typeApiName,
  fields: fc.uniqueArray(typeApiName, { maxLength: 3 }),
});
const customTypeStep = fc.record({
  kind: fc.constant('custom' as const),
  graphqlTypeName,
  properties: fc.uniqueArray(fc.constantFrom('a', 'b', 'A', 'Collection', 'a_b', 'x'), {
    minLength: 1,
    maxLength: 4,
  }),
});

const nested = { type: 'object', properties: { a: { enum: ['YES', 'NO'] }, b: { type: 'string' } } };

describe('Accepted type names', () => {
  verifies('graphql/schema-current', 'content/custom-field-graphql-names');

  it('produce a valid schema in any order of writes', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(contentTypeStep, customTypeStep), { maxLength: 12 }), (steps) => {
        const contentTypes: ContentTypeDefinition[] = [];
        const customFieldTypes: CustomFieldTypeDefinition[] = [];
        for (const [index, step] of steps.entries()) {
          const catalog = catalogOf(contentTypes, { customFieldTypes });
          if (step.kind === 'content') {
            const isTaken = contentTypes.some(
              ({ apiName }) => typeNameOf(apiName) === typeNameOf(step.apiName),
            );
            if (isTaken || isReservedTypeName(step.apiName) || contentTypeClash(catalog, step.apiName))
              continue;
            const allowed = [...contentTypes.map(({ apiName }) => apiName), step.apiName];
            const fields = step.fields.flatMap((name) => [
              field(name, 'blocks', { settings: { contentTypes: allowed } }),
              field(`${name}Filter`, 'select', { settings: { options: [{ value: name }] } }),
              field(`${name}Other`, 'reference', { settings: { contentTypes: [step.apiName] } }),
            ]);
            contentTypes.push(contentType(step.apiName, fields));
          } else {
            const properties = Object.fromEntries(step.properties.map((name) => [name, nested]));
            const type: CustomFieldTypeDefinition = {
              apiName: `custom${String(index)}`,
              name: 'Custom',
              description: null,
              jsonSchema: { type: 'object', properties },
              graphqlTypeName: step.graphqlTypeName,
              defaultValue: null,
            };
            if (customTypeClash(catalog, type) === undefined) customFieldTypes.push(type);
          }
        }
        const { schema, typeNames } = buildProjectSchema(catalogOf(contentTypes, { customFieldTypes }));
        expect(validateSchema(schema)).toEqual([]);
        expect(typeNames.size).toBe(contentTypes.length);
        for (const { graphqlTypeName: name } of customFieldTypes)
          expect(schema.getType(name ?? '')).toBeDefined();
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
