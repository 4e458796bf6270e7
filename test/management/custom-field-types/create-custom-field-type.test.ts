import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { costlyPatterns, doubling, patternsOf } from '../../support/hostile/costly-schemas.js';
import { verifies } from '../../support/verifies.js';
import { issuesOf, moneySchema, openCustomScene, type CustomScene } from './scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: CustomScene;

beforeAll(async () => {
  scene = await openCustomScene(app());
});

const nested = (levels: number): object =>
  levels === 1 ? { type: 'string' } : { type: 'object', properties: { inner: nested(levels - 1) } };

describe('201', () => {
  verifies('content/custom-field-types');

  it('returns the new type, its Location and the defaults', async () => {
    const answer = await scene.register({ apiName: 'money', name: 'Money' });
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe(`${scene.project.management}/custom-field-types/money`);
    expect(answer.body).toEqual({
      data: {
        id: expect.any(String),
        apiName: 'money',
        name: 'Money',
        description: null,
        jsonSchema: moneySchema,
        graphqlTypeName: null,
        defaultValue: null,
        editor: null,
        indexAs: 'none',
        version: 1,
        usageCount: 0,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
  });

  it('stores every given key', async () => {
    const given = {
      apiName: 'price',
      name: 'Price',
      description: 'What it costs',
      jsonSchema: moneySchema,
      graphqlTypeName: 'Price',
      defaultValue: { amount: 0, currency: 'EUR' },
      editor: { kind: 'iframe', url: 'https://example.com/price', options: { digits: 2 } },
      indexAs: 'number',
    };
    const answer = await scene.register(given);
    expect(answer.status).toBe(201);
    expect((answer.body as { data: object }).data).toMatchObject(given);
  });

  it('accepts a schema of 64 KiB and 10 levels with references and recursion', async () => {
    const frame = { description: '' };
    const description = 'x'.repeat(65_536 - JSON.stringify(frame).length);
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
    const definitions = [{ description }, nested(10), tree, { $ref: '#/$defs/a', $defs: { a: true } }];
    for (const [index, jsonSchema] of definitions.entries())
      expect((await scene.register({ apiName: `large${index}`, jsonSchema })).status).toBe(201);
  });

  it('warns if the schema has no GraphQL type', async () => {
    const answer = await scene.register({
      apiName: 'either',
      graphqlTypeName: 'Either',
      jsonSchema: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    });
    expect(answer.status).toBe(201);
    expect((answer.body as { meta: object }).meta).toEqual({
      warnings: [{ code: 'graphql_type_not_derivable', message: expect.any(String) }],
    });
  });
});

describe('409', () => {
  verifies('content/custom-field-graphql-names');

  it('returns 409 for a name in use', async () => {
    await scene.register({ apiName: 'twice' });
    const answer = await scene.register({ apiName: 'twice' });
    expect([answer.status, answer.body.error]).toEqual([409, 'api_name_conflict']);
  });

  it.each(['Query', 'RichText', 'Location', 'MediaAsset', 'String', 'JSON'])(
    'returns 409 for the GraphQL name %s, which is reserved',
    async (graphqlTypeName) => {
      const answer = await scene.register({ apiName: 'own', graphqlTypeName });
      expect([answer.status, answer.body.error]).toEqual([409, 'graphql_type_name_conflict']);
      expect(answer.body.details).toEqual({
        typeName: graphqlTypeName,
        holder: { kind: 'system', apiName: null },
      });
    },
  );

  it('returns 409 for GraphQL names of content types, collections and their nested types', async () => {
    await scene.call('POST', '/content-types', { apiName: 'blog_post', name: 'Post' });
    const nestedSchema = { type: 'object', properties: { post: moneySchema, post_collection: moneySchema } };
    for (const [graphqlTypeName, jsonSchema] of [
      ['BlogPost', moneySchema],
      ['BlogPostCollection', moneySchema],
      ['Blog', nestedSchema],
    ]) {
      const answer = await scene.register({ apiName: 'clashing', graphqlTypeName, jsonSchema });
      expect([answer.status, answer.body.error]).toEqual([409, 'graphql_type_name_conflict']);
      expect(answer.body.details.holder).toEqual({ kind: 'content_type', apiName: 'blog_post' });
    }
  });

  it('returns 409 for GraphQL names of other custom types and for a name it uses twice', async () => {
    const outer = { type: 'object', properties: { size: moneySchema } };
    expect(
      (await scene.register({ apiName: 'shoe', graphqlTypeName: 'Shoe', jsonSchema: outer })).status,
    ).toBe(201);
    for (const [graphqlTypeName, jsonSchema] of [
      ['Shoe', moneySchema],
      ['ShoeSize', moneySchema],
      ['Fresh', { type: 'object', properties: { a_b: moneySchema, aB: moneySchema } }],
    ]) {
      const answer = await scene.register({ apiName: 'other', graphqlTypeName, jsonSchema });
      expect([answer.status, answer.body.error]).toEqual([409, 'graphql_type_name_conflict']);
    }
  });

  it('returns 409 for a content type with the GraphQL name of a custom type', async () => {
    const schema = { type: 'object', properties: { post_collection: moneySchema } };
    await scene.register({ apiName: 'harbour', graphqlTypeName: 'Harbour', jsonSchema: schema });
    for (const apiName of ['harbour', 'harbour_', 'harbourPost', 'harbourPostCollection']) {
      const answer = await scene.call('POST', '/content-types', { apiName, name: 'Type' });
      const isReserved = apiName.endsWith('Collection');
      expect([apiName, answer.status, answer.body.error]).toEqual([
        apiName,
        isReserved ? 422 : 409,
        isReserved ? 'reserved_api_name' : 'graphql_type_name_conflict',
      ]);
    }
  });
});

describe('422', () => {
  verifies('content/custom-field-schemas');

  it.each<[string, object, string]>([
    ['is not JSON Schema', { type: 'text' }, 'jsonSchema.type invalid_schema'],
    [
      'has a bound of the wrong type',
      { properties: { a: { minimum: 'x' } } },
      'jsonSchema.properties.a.minimum invalid_schema',
    ],
    [
      'is of another draft',
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      'jsonSchema.$schema unsupported_dialect',
    ],
    ['is larger than 64 KiB', { description: 'x'.repeat(65_536) }, 'jsonSchema too_large'],
    [
      'refers to another document',
      { $ref: 'https://example.com/schema' },
      'jsonSchema.$ref invalid_reference',
    ],
    ['refers to a file', { $ref: 'file:///etc/passwd' }, 'jsonSchema.$ref invalid_reference'],
    ['refers to nothing', { $ref: '#/$defs/gone' }, 'jsonSchema.$ref invalid_reference'],
    [
      'refers to something that is no schema',
      { $ref: '#/const', const: { type: 'string' } },
      'jsonSchema.$ref invalid_reference',
    ],
    ['has an id', { $id: 'https://example.com/schema' }, 'jsonSchema.$id unsupported_keyword'],
    ['has a dynamic reference', { $dynamicRef: '#a' }, 'jsonSchema.$dynamicRef unsupported_keyword'],
    ['applies itself without end', { allOf: [{ $ref: '#' }] }, 'jsonSchema endless_reference'],
    ['looks around in a pattern', { pattern: '(?=a)b' }, 'jsonSchema.pattern invalid_pattern'],
    [
      'looks around in the pattern of a name',
      { patternProperties: { '(?!a)b': true } },
      'jsonSchema.patternProperties.(?!a)b invalid_pattern',
    ],
  ])('returns 422 for a schema that %s', async (_what, jsonSchema, issue) => {
    const answer = await scene.register({ apiName: 'refused', jsonSchema });
    expect([answer.status, answer.body.error, issuesOf(answer)]).toEqual([422, 'validation_failed', [issue]]);
  });

  it('returns 422 for a schema with 11 levels', async () => {
    const answer = await scene.register({ apiName: 'refused', jsonSchema: nested(11) });
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)[0]).toMatch(/inner too_deep$/);
  });

  it.each<[string, (reference: object) => object]>([
    ['the same value twice', (reference) => ({ allOf: [reference, reference] })],
    ['two properties', (reference) => ({ properties: { a: reference, b: reference } })],
    ['two items', (reference) => ({ prefixItems: [reference, reference] })],
  ])('returns 422 for references that double over %s without expanding them', async (_what, twice) => {
    // Expanding 2^60 references would not end.
    const answer = await scene.register({ apiName: 'bomb', jsonSchema: doubling(60, twice) });
    expect(issuesOf(answer)).toEqual(['jsonSchema reference_expansion_exceeded']);
  });

  it('rejects thousands of subschemas and of reference steps at the first above the limit', async () => {
    const wide = { anyOf: Array.from({ length: 3000 }, () => ({ type: 'string' })) };
    const long = doubling(900, (reference) => reference);
    expect(issuesOf(await scene.register({ apiName: 'bomb', jsonSchema: wide }))).toEqual([
      'jsonSchema.anyOf.999 too_many_schemas',
    ]);
    expect(issuesOf(await scene.register({ apiName: 'bomb', jsonSchema: long }))).toEqual([
      'jsonSchema reference_expansion_exceeded',
    ]);
  });

  it.each(costlyPatterns)(
    'returns 422 schema_too_complex for %s, without compiling them',
    async (_what, jsonSchema) => {
      const answer = await scene.register({ apiName: 'bomb', jsonSchema });
      expect([answer.status, answer.body.error, issuesOf(answer)]).toEqual([
        422,
        'schema_too_complex',
        ['jsonSchema schema_too_complex'],
      ]);
    },
  );

  it('accepts 50 different patterns, one pattern in many places and 900 subschemas', async () => {
    const same = patternsOf(400, () => '^[a-z]{1,40}$');
    const parts = { anyOf: Array.from({ length: 900 }, (_none, index) => ({ const: { index } })) };
    for (const [index, jsonSchema] of [patternsOf(50, (one) => `^a${one}$`), same, parts].entries())
      expect((await scene.register({ apiName: `wide${index}`, jsonSchema })).status).toBe(201);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ apiName: 'no-name' }, 'apiName invalid_format'],
    [{ jsonSchema: true }, 'jsonSchema invalid_type'],
    [{ graphqlTypeName: 'money' }, 'graphqlTypeName invalid_format'],
    [{ graphqlTypeName: 'Mon_ey' }, 'graphqlTypeName invalid_format'],
    [{ defaultValue: { amount: -1, currency: 'EUR' } }, 'defaultValue.amount json_schema'],
    [{ indexAs: 'blob' }, 'indexAs invalid_value'],
    [{ editor: { kind: 'iframe' } }, 'editor.url custom'],
    [{ editor: { kind: 'iframe', url: 'javascript:alert(1)' } }, 'editor.url invalid_format'],
    [{ editor: { kind: 'json', height: 3 } }, 'editor.height unrecognized_key'],
    [{ version: 3 }, 'version unrecognized_key'],
  ])('returns 422 for %j', async (body, issue) => {
    const answer = await scene.register({ apiName: 'refused', ...body });
    expect([answer.status, answer.body.error, issuesOf(answer)]).toEqual([422, 'validation_failed', [issue]]);
  });
});

it('allows the same name in another project', async () => {
  const other = await openCustomScene(app());
  await scene.register({ apiName: 'shared', graphqlTypeName: 'Shared' });
  expect((await other.register({ apiName: 'shared', graphqlTypeName: 'Shared' })).status).toBe(201);
  const path = `${scene.project.management}/custom-field-types`;
  const answer = await send(app(), { method: 'GET', path, key: other.project.keys.management });
  expect([answer.status, answer.body.error]).toEqual([403, 'wrong_project']);
});
