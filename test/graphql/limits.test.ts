import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import type { KeyType } from '../../contracts/access/api-keys/api-key.js';
import { ask, serveFake, type QueryOptions, type FakeEndpoint } from './fake-service.js';
import { id } from './fixture.js';
import { verifies } from '../support/verifies.js';

let endpoint: FakeEndpoint;
beforeAll(async () => {
  endpoint = await serveFake();
});
afterAll(() => endpoint.close());

/** Returns status, code and details after checking that both error formats agree. */
async function expectRefusal(
  query: string,
  options: QueryOptions = {},
): Promise<{ status: number; code: string; details: unknown }> {
  const { status, body, headers } = await ask(endpoint, query, options);
  expect(body).toEqual({
    error: body.error,
    message: expect.any(String),
    errors: expect.any(Array),
    ...(body.details && { details: body.details }),
  });
  for (const { message, extensions } of body.errors) {
    expect(message).toEqual(expect.any(String));
    expect(extensions).toEqual({ ...(body.details ?? {}), code: body.error });
  }
  expect(headers.get('cache-control')).toBe('no-store');
  return { status, code: body.error, details: body.details };
}

async function complexity(query: string, options: QueryOptions = {}): Promise<number> {
  const { body } = await ask(endpoint, query, options);
  expect(body.errors).toBeUndefined();
  return body.extensions.complexity as number;
}

/** An entry query whose fields are nested `levels` deep. */
const nested = (levels: number): string => {
  const friends = 'friend { '.repeat(levels - 3);
  return `{ entry(id: "${id(1)}") { ... on Author { friend { ${friends} name ${'} '.repeat(levels - 3)} } } } }`;
};

describe('Query depth', () => {
  verifies('graphql/costs');

  it('accepts depth 10 and rejects depth 11', async () => {
    expect((await ask(endpoint, nested(10))).status).toBe(200);
    expect(await expectRefusal(nested(11))).toEqual({
      status: 400,
      code: 'query_depth_exceeded',
      details: { max: 10, actual: 11 },
    });
  });

  it('counts levels in fragments and ignores __typename', async () => {
    const spread = (
      leaf: string,
    ) => `{ entry(id: "x") { ...A } } fragment A on Author { friend { friend { friend { friend { ...B } } } } }
      fragment B on Author { friend { friend { friend { ... on Author { ${leaf} } } } } }`;
    expect((await ask(endpoint, spread('friend { __typename } name'))).status).toBe(200);
    expect(await expectRefusal(spread('friend { friend { friend { __typename } } }'))).toMatchObject({
      code: 'query_depth_exceeded',
      details: { actual: 11 },
    });
  });

  it("rejects any excessive depth without overflowing the parser's stack", async () => {
    expect(await expectRefusal(nested(60))).toMatchObject({
      code: 'query_depth_exceeded',
      details: { max: 10, actual: 60 },
    });
    expect(await expectRefusal('{a'.repeat(20_000))).toMatchObject({
      status: 400,
      code: 'query_depth_exceeded',
    });
    expect(await expectRefusal(`{ authorCollection(where: ${'['.repeat(5000)}) { total } }`)).toMatchObject({
      code: 'graphql_parse_failed',
    });
  });

  it('ignores brackets in strings and comments', async () => {
    const query = `{ authorCollection(where: "${'{'.repeat(500)}\\"[[", orderBy: """${'('.repeat(500)}\\""" """) { total } } # ${'['.repeat(500)}`;
    expect((await ask(endpoint, query)).status).toBe(200);
  });
});

describe('Query complexity', () => {
  it('costs 1 for a value, 5 for a reference or entry and 10 for a collection', async () => {
    expect(await complexity('{ __typename }')).toBe(0);
    expect(await complexity(`{ entry(id: "x") { _id __typename } }`)).toBe(6);
    expect(await complexity('{ entryBySlug(slug: "a", site: "main", locale: "en") { _id } }')).toBe(6);
    expect(
      await complexity(
        `{ entry(id: "x") { ... on BlogPost { title body { html text } author { name } categories { name } sections { ... on Hero { heading } } } } }`,
      ),
    ).toBe(5 + 1 + 3 + 6 + 6 + 6);
    expect(await complexity('{ authorCollection(limit: 10) { total skip limit items { name } } }')).toBe(14);
  });

  it('multiplies the cost below items by ceil(limit / 10), with a default limit of 25', async () => {
    const at = (limit: string) =>
      complexity(`{ authorCollection${limit} { items { name friend { name } } } }`);
    expect(await at('(limit: 1)')).toBe(10 + 7);
    expect(await at('(limit: 11)')).toBe(10 + 14);
    expect(await at('')).toBe(10 + 21);
    expect(await at('(limit: null)')).toBe(10 + 21);
    const byVariable =
      'query ($n: Int = 100) { authorCollection(limit: $n) { ...P } } fragment P on AuthorCollection { total items { name } }';
    expect(await complexity(byVariable)).toBe(10 + 1 + 10);
    expect(await complexity(byVariable, { variables: { n: 30 } })).toBe(10 + 1 + 3);
  });

  it('accepts complexity 1000 and rejects 1001', async () => {
    const of = (more: string) =>
      `{ authorCollection(limit: 10) { ${more} items { ${'name '.repeat(990)} } } }`;
    expect(await complexity(of(''))).toBe(1000);
    expect(await expectRefusal(of('total'))).toEqual({
      status: 400,
      code: 'query_complexity_exceeded',
      details: { max: 1000, actual: 1001 },
    });
    const byFragment = `{ authorCollection(limit: 100) { items { ...N } } } fragment N on Author { ${'_id name '.repeat(49)} _slug ${'%'}}`;
    expect(await complexity(byFragment.replace('%', ''))).toBe(1000);
    expect(await expectRefusal(byFragment.replace('%', '_type '))).toMatchObject({
      code: 'query_complexity_exceeded',
      details: { actual: 1010 },
    });
  });
});

describe('Query arguments', () => {
  it.each(['limit: 0', 'limit: 101', 'limit: -1', 'skip: -1'])(
    'rejects %s as a literal and as a variable',
    async (given) => {
      const [name, value] = given.split(': ') as [string, string];
      expect(await expectRefusal(`{ authorCollection(${given}) { total } }`)).toMatchObject({
        status: 400,
        code: 'graphql_validation_failed',
      });
      const byVariable = await expectRefusal(
        `query ($v: Int) { ...R } fragment R on Query { authorCollection(${name}: $v) { total } }`,
        {
          variables: { v: Number(value) },
        },
      );
      expect(byVariable).toEqual({
        status: 400,
        code: 'graphql_validation_failed',
        details: { argument: name, actual: Number(value) },
      });
    },
  );

  it.each([
    ['a value of the wrong type', 'query ($v: Int) { authorCollection(limit: $v) { total } }', { v: 'ten' }],
    ['a missing required value', 'query ($v: ID!) { entry(id: $v) { _id } }', {}],
    [
      'null for a required argument',
      `query ($v: String = "a") { entryBySlug(slug: $v, site: "main", locale: "en") { _id } }`,
      { v: null },
    ],
  ])('rejects %s in variables before anything is read', async (...[, query, variables]) => {
    expect(await expectRefusal(query, { variables })).toMatchObject({
      status: 400,
      code: 'graphql_validation_failed',
    });
  });
});

describe('Query size', () => {
  const aliases = (count: number) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ')} }`;
  const directives = (count: number) => `{ ${'__typename @include(if: true) '.repeat(count)} }`;

  it.each([
    ['aliases', aliases],
    ['directives', directives],
  ])('accepts 50 %s and rejects 51', async (limit, query) => {
    expect((await ask(endpoint, query(50))).status).toBe(200);
    expect(await expectRefusal(query(51))).toEqual({
      status: 400,
      code: 'graphql_validation_failed',
      details: { limit, max: 50, actual: 51 },
    });
  });

  it('rejects documents of more than 2000 tokens', async () => {
    expect(await expectRefusal(`{ ${'__typename '.repeat(2000)} }`)).toMatchObject({
      status: 400,
      code: 'graphql_parse_failed',
    });
  });
});

describe('Introspection', () => {
  verifies('graphql/introspection');

  const full = getIntrospectionQuery();

  it.each<KeyType>(['preview', 'management'])('is allowed with a %s key', async (key) => {
    const { status, body } = await ask(endpoint, full, { key });
    expect([status, body.errors, body.extensions.complexity]).toEqual([200, undefined, 0]);
    expect(body.data.__schema.types.length).toBeGreaterThan(10);
  });

  it.each([
    full,
    '{ __type(name: "Author") { name } }',
    '{ ...F } fragment F on Query { __schema { queryType { name } } }',
    '{ __typename } fragment F on Query { s: __schema { queryType { name } } }',
    `{ entry(id: "${id(1)}") { __schema { queryType { name } } } }`,
  ])('is rejected with a delivery key in every form', async (query) => {
    expect(await expectRefusal(query)).toEqual({
      status: 400,
      code: 'introspection_disabled',
      details: undefined,
    });
  });

  it('is rejected with a delivery key after another key sent the same query', async () => {
    const query = '{ __schema { queryType { name description } } }';
    expect((await ask(endpoint, query, { key: 'preview' })).status).toBe(200);
    expect(await expectRefusal(query)).toMatchObject({ code: 'introspection_disabled' });
  });

  it('has a depth limit of 20', async () => {
    const types = (levels: number) =>
      `{ __type(name: "Author") { ${'ofType { '.repeat(levels - 2)} name ${'} '.repeat(levels - 2)} } }`;
    expect((await ask(endpoint, types(20), { key: 'preview' })).status).toBe(200);
    const answer = await expectRefusal(types(21), { key: 'preview' });
    expect(answer).toEqual({ status: 400, code: 'query_depth_exceeded', details: { max: 20, actual: 21 } });
  });

  it('gives a delivery key no suggestions for misspelled names', async () => {
    const query = '{ authorColection { total } entry(id: 1) { ... on Autor { nam } } }';
    expect(JSON.stringify((await ask(endpoint, query, { key: 'preview' })).body)).toContain('Did you mean');
    const { body } = await ask(endpoint, query);
    expect(body.error).toBe('graphql_validation_failed');
    expect(JSON.stringify(body)).not.toMatch(/Did you mean|authorCollection|"Author"/);
  });
});

describe('Query validation', () => {
  verifies('graphql/validation-first');

  it('returns at most ten errors with message and location', async () => {
    const { body } = await ask(
      endpoint,
      `{ ${Array.from({ length: 30 }, (_, index) => `x${index}`).join(' ')} }`,
    );
    expect(body.errors).toHaveLength(10);
    expect(body.errors[0]).toEqual({
      message: 'Cannot query field "x0" on type "Query".',
      locations: [{ line: 1, column: 3 }],
      extensions: { code: 'graphql_validation_failed' },
    });
  });

  it.each([
    ['a mutation', 'mutation { __typename }'],
    ['a subscription', 'subscription { __typename }'],
    ['a fragment cycle', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
    ['an unknown fragment', '{ ...A }'],
    ['conflicting fields', `{ entry(id: "a") { _id } entry(id: "b") { _id } }`],
    ['an object field without a selection', `{ entry(id: "a") }`],
    ['a document without an operation', 'fragment A on Query { __typename }'],
    ['an argument that does not exist', '{ authorCollection(first: 3) { total } }'],
    ['a single-entry query of a type', '{ author(id: "a") { name } }'],
  ])('rejects %s', async (_, query) => {
    expect(await expectRefusal(query)).toMatchObject({ status: 400, code: 'graphql_validation_failed' });
  });

  it('requires operationName when the document has several operations', async () => {
    const query = 'query A { __typename } query B { __typename }';
    expect(await expectRefusal(query)).toMatchObject({ code: 'graphql_validation_failed' });
    expect(await expectRefusal(query, { operationName: 'C' })).toMatchObject({
      code: 'graphql_validation_failed',
    });
    expect((await ask(endpoint, query, { operationName: 'B' })).body.data).toEqual({ __typename: 'Query' });
  });

  it.each(['', '{', 'query', '{ a(: }', '"'])('returns graphql_parse_failed for %j', async (query) => {
    expect(await expectRefusal(query)).toMatchObject({ status: 400, code: 'graphql_parse_failed' });
  });
});
