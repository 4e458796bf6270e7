import { describe, expect, it } from '@jest/globals';
import { graphqlSync, parse, validate, validateSchema } from 'graphql';
import {
  withCustomType,
  type CustomFieldTypeDefinition,
  type FieldDefinition,
} from '../../src/content/catalog.js';
import { buildProjectSchema, projectSdl } from '../../src/surfaces/graphql/project/build-project-schema.js';
import { verifies } from '../support/verifies.js';
import { catalogOf, contentType, document, field } from './fixture.js';
import { ask, serveFake } from './fake-service.js';

const customType = (
  apiName: string,
  jsonSchema: Record<string, unknown>,
  graphqlTypeName: string | null = null,
): CustomFieldTypeDefinition => ({
  apiName,
  name: apiName,
  description: null,
  jsonSchema,
  graphqlTypeName,
  defaultValue: null,
});

const money = {
  type: 'object',
  description: 'An amount of money.',
  properties: {
    amount: { type: 'number', description: 'How much.' },
    count: { type: 'integer' },
    isNet: { type: 'boolean' },
    currency: { enum: ['EUR', 'USD'] },
    tags: { type: 'array', items: { type: 'string' } },
    rates: { type: 'array', items: { type: ['number', 'null'] } },
    origin: { type: 'object', properties: { city: { type: 'string' } } },
    either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    map: { type: 'object', additionalProperties: { type: 'number' } },
  },
};

const customTypes = [
  customType('money', money, 'Money'),
  customType('loose', money),
  customType('mood', { enum: ['CALM', 'ROUGH'] }, 'Mood'),
  customType('either', { oneOf: [{ type: 'string' }, { type: 'number' }] }, 'Either'),
];

const custom = (apiName: string, customFieldType: string, rest: Partial<FieldDefinition> = {}) =>
  withCustomType(
    field(apiName, 'custom', { settings: { customFieldType }, ...rest }),
    new Map(customTypes.map((type) => [type.apiName, type])),
  );

const types = [
  contentType('offer', [
    custom('price', 'money'),
    custom('prices', 'money', { isList: true }),
    custom('loose', 'loose'),
    custom('mood', 'mood'),
    custom('either', 'either'),
    custom('gone', 'gone'),
    field('paint', 'color'),
    field('place', 'location'),
  ]),
];

const catalog = catalogOf(types, { customFieldTypes: customTypes });
const bare = (sdl: string): string => sdl.replace(/^\s*"""[\s\S]*?"""\n/gm, '');

describe('Custom field types in GraphQL', () => {
  verifies('graphql/types-of-custom-fields');

  it('maps a custom field type to JSON, or to a type built from its JSON Schema when it has a GraphQL name', () => {
    expect(validateSchema(buildProjectSchema(catalog).schema)).toEqual([]);
    const sdl = bare(projectSdl(catalog));
    for (const line of [
      'price: Money',
      'prices: [Money!] @semanticNonNull',
      'loose: JSON',
      'mood: Mood',
      'either: JSON',
      'gone: JSON',
      'paint: String',
      'place: Location',
    ])
      expect(sdl).toContain(`  ${line}\n`);
    expect(sdl).toContain(`type Money {
  amount: Float
  count: Float
  currency: MoneyCurrency
  either: JSON
  isNet: Boolean
  map: JSON
  origin: MoneyOrigin
  rates: [Float]
  tags: [String!]
}
`);
    expect(sdl).toContain('enum MoneyCurrency {\n  EUR\n  USD\n}\n');
    expect(sdl).toContain('type MoneyOrigin {\n  city: String\n}\n');
    expect(sdl).toContain('enum Mood {\n  CALM\n  ROUGH\n}\n');
    expect(sdl).toContain('type Location {\n  lat: Float!\n  lng: Float!\n}\n');
    expect(projectSdl(catalog)).toContain('An amount of money.');
  });

  it('keeps the types of unused custom field types in the schema', () => {
    const { schema } = buildProjectSchema(catalogOf([], { customFieldTypes: customTypes }));
    expect(Object.keys(schema.getTypeMap())).toEqual(
      expect.arrayContaining(['Money', 'MoneyCurrency', 'MoneyOrigin', 'Mood']),
    );
    expect(schema.getType('Either')).toBeUndefined();
  });

  it('builds a valid schema when a content type and a custom field type have the same name', () => {
    const clashing = catalogOf([contentType('money', [custom('price', 'money')])], {
      customFieldTypes: customTypes,
    });
    const { schema } = buildProjectSchema(clashing);
    expect(validateSchema(schema)).toEqual([]);
    expect(validate(schema, parse('{ moneyCollection { items { price } } }'))).toEqual([]);
    expect(graphqlSync({ schema, source: '{ __typename }' }).errors).toBeUndefined();
  });

  it('returns values that match the type and null for values that do not', async () => {
    const endpoint = await serveFake(catalog);
    const price = {
      amount: 1.5,
      count: 3,
      isNet: true,
      currency: 'EUR',
      tags: ['a', 'b'],
      rates: [1, null, 2],
      origin: { city: 'Bern' },
      either: 3,
      map: { a: 1 },
    };
    const fields = { price, prices: [price, 'old'], loose: price, mood: 'CALM', place: { lat: 1, lng: 2 } };
    const misfit = {
      price: { ...price, amount: 'much', currency: 'GBP', tags: ['a', 1], origin: 3, rates: 'x' },
      mood: 'ANGRY',
      place: { lat: 'x' },
    };
    endpoint.published.documents = [
      document(2, 'offer', { fields }),
      document(1, 'offer', { fields: misfit }),
    ];
    try {
      const members = 'amount count isNet currency tags rates origin { city } either map';
      const query = `{ offerCollection { items { price { ${members} } prices { amount } loose mood place { lat lng } } } }`;
      const { body } = await ask(endpoint, query);
      expect(body.errors).toBeUndefined();
      const [first, second] = body.data.offerCollection.items;
      expect(first).toEqual({ ...fields, prices: [{ amount: 1.5 }] });
      expect(second).toEqual({
        price: { ...price, amount: null, currency: null, tags: ['a'], origin: null, rates: null },
        prices: [],
        loose: null,
        mood: null,
        place: null,
      });
    } finally {
      await endpoint.close();
    }
  });
});
