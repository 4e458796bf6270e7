import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProjectSchema } from '../../src/surfaces/graphql/project/build-project-schema.js';
import { prepareDocument } from '../../src/surfaces/graphql/prepared-document.js';
import { GraphqlRequestError } from '../../src/surfaces/graphql/errors/request-error.js';
import { verifies } from '../support/verifies.js';
import { ask, secretOf, send, serveFake, type Answer, type FakeEndpoint } from './fake-service.js';
import { catalogOf, document, link } from './fixture.js';

const list = (count: number, item: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => item(index)).join(separator);

/** Queries that have crashed other servers, each within the body limit of 100 KB. */
const hostile: Readonly<Record<string, string>> = {
  'nested selections': '{a'.repeat(30_000),
  'nested lists': `{ authorCollection(where: ${'['.repeat(40_000)}`,
  'nested objects': `{ authorCollection(where: ${'{a:'.repeat(20_000)}`,
  'nested types': `query ($a: ${'['.repeat(40_000)}`,
  'many aliases': `{ ${list(6000, (index) => `a${index}:__typename`)} }`,
  'aliases within the tokens': `{ ${list(600, (index) => `a${index}:__typename`)} }`,
  'many directives': `{ __typename ${'@a'.repeat(30_000)} }`,
  'directives within the tokens': `{ __typename ${'@a'.repeat(990)} }`,
  'repeated fields': `{ ${'x '.repeat(1990)} }`,
  'repeated selections': `{ ${'x{y}'.repeat(495)} }`,
  'repeated pages': `{ authorCollection { ${'items{name}'.repeat(480)} total(x:1) } }`,
  'repeated fields of different arguments': `{ ${list(280, (index) => `x(a:${index})`)} }`,
  'repeated narrowing': `{ entry(id:1) { ${'...on Author{friend{name}}'.repeat(240)} x } }`,
  'repeated plain fragments': `{ ${'...{x}'.repeat(495)} }`,
  'fragments that double': `{ ...A0 } ${list(100, (index) => `fragment A${index} on Query { ...A${index + 1} ...A${index + 1} }`)} fragment A100 on Query { __typename }`,
  'fields that double': `{ entry(id: 1) { ...A0 } } ${list(60, (index) => `fragment A${index} on Author { friend { ...A${index + 1} } f: friend { ...A${index + 1} } }`)} fragment A60 on Author { name }`,
  'inline fragments that double': `{ ...A0 } ${list(90, (index) => `fragment A${index} on Query { ...{ ...A${index + 1} } ...on Query { ...A${index + 1} } }`)} fragment A90 on Query { __typename }`,
  'introspection that doubles': `{ __schema { ...A0 } } ${list(90, (index) => `fragment A${index} on __Schema { ...A${index + 1} ...on __Schema { ...A${index + 1} } }`)} fragment A90 on __Schema { __typename }`,
  'circles of fragments': `{ ${list(190, (index) => `...A${index}`)} } ${list(190, (index) => `fragment A${index} on Query { ...A${(index + 1) % 190} }`)}`,
  'a long chain of fragments': `{ ...A0 } ${list(210, (index) => `fragment A${index} on Query { ...A${index + 1} x }`)} fragment A210 on Query { x }`,
  'fragments spread everywhere': `{ ${list(40, (index) => `entry(id:${index}) { ${list(20, (number) => `...A${number}`)} }`)} } ${list(20, (index) => `fragment A${index} on Author { friend { name } }`)}`,
  'many unknown fields': `{ ${list(1900, (index) => `authorCollectio${index}`)} }`,
  'many operations': `${list(280, (index) => `query a${index} { x }`)}`,
  'many variables': `query (${list(480, (index) => `$a${index}: Int`)}) { x }`,
  'a long name': `{ ${'a'.repeat(99_000)} }`,
  'comments only': '#\n'.repeat(30_000),
  'strings that never close': '"""'.repeat(16_001),
  'block strings': `{ x(a: """${'\\"""'.repeat(10_000)}""") }`,
  'many tokens': '{'.concat('a '.repeat(49_000)),
  'ten thousand aliases': `{ ${list(10_000, (index) => `a${index}:x`)} }`,
  'directives on everything': `query @a ${'@skip(if:true) '.repeat(45)} { ${'__typename @a '.repeat(300)} }`,
  'types inside types': `{ __type(name: "Author") ${'{ fields { type '.repeat(6)} { name } ${'} } '.repeat(6)} }`,
  'the schema inside the schema':
    '{ __schema { types { fields { type { fields { type { possibleTypes { name } } } } } } } }',
  'the schema many times': `{ ${list(50, (index) => `a${index}: __schema { ...S }`)} } fragment S on __Schema { types { name kind fields { name type { name } args { name } } } }`,
};

/** Bodies that are hostile whatever the query, with the expected status. */
const hostileBodies: Readonly<Record<string, readonly [string, number]>> = {
  'a megabyte of query': [JSON.stringify({ query: `{ ${'a '.repeat(524_288)} }` }), 413],
  'a megabyte of variables': [
    JSON.stringify({ query: '{ __typename }', variables: { a: 'a'.repeat(1_048_576) } }),
    413,
  ],
  'a batch': [`[${list(3000, () => '{"query":"{ __typename }"}', ',')}]`, 400],
  'deep variables': [
    `{"query":"{ __typename }","variables":{"a":${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}}}`,
    400,
  ],
  'wide variables that do not fit': [
    JSON.stringify({
      query: 'query ($v: Int) { authorCollection(limit: $v) { total } }',
      variables: { v: Array.from({ length: 20_000 }, () => 1) },
    }),
    400,
  ],
  'a number that never ends': [`{"query":"{ __typename }","variables":{"a":${'9'.repeat(90_000)}}}`, 400],
  'keys without end': [`{"query":"{ a }",${list(9000, (index) => `"k${index}":0`, ',')}}`, 400],
};

describe.each(['delivery', 'preview'] as const)('Hostile requests with a %s key', (key) => {
  verifies('hard-graphql-hostile');

  let endpoint: FakeEndpoint;
  beforeAll(async () => {
    endpoint = await serveFake();
  });
  afterAll(() => endpoint.close());

  const expectRefusal = ({ status, body }: Answer, expected: number): void => {
    expect(status).toBe(expected);
    expect(body.errors.length).toBeLessThanOrEqual(10);
    expect(JSON.stringify(body).length).toBeLessThan(20_000);
    expect([...endpoint.published.calls, ...endpoint.drafts.calls]).toEqual([]);
  };

  it.each(Object.keys(hostile))('rejects a hostile query before anything runs: %s', async (name) => {
    expectRefusal(await ask(endpoint, hostile[name] ?? '', { key }), 400);
  });

  it.each(Object.entries(hostileBodies))(
    'rejects a hostile body before anything runs: %s',
    async (_, [body, status]) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${secretOf(key)}` };
      expectRefusal(await send(endpoint.url, { headers, body }), status);
    },
  );
});

describe('Oversized results', () => {
  verifies('hard-graphql-hostile');

  let endpoint: FakeEndpoint;
  beforeAll(async () => {
    endpoint = await serveFake();
  });
  afterAll(() => endpoint.close());

  it('rejects lists of lists with too many entries before it reads them', async () => {
    const friends = Array.from({ length: 500 }, (_, index) => link(1000 + index));
    endpoint.published.documents = Array.from({ length: 100 }, (_, index) =>
      document(index + 1, 'author', { fields: { friends } }),
    );
    const { status, body } = await ask(
      endpoint,
      '{ authorCollection(limit: 100) { items { friends { name } } } }',
    );
    expect([status, body.error, body.details]).toEqual([
      400,
      'query_complexity_exceeded',
      { maxEntries: 10_000 },
    ]);
  });

  it('runs at most four reads of a query at a time', async () => {
    const { list: read } = endpoint.published;
    let running = 0;
    let most = 0;
    endpoint.published.list = async (options) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return read.call(endpoint.published, options);
    };
    const collections = list(50, (index) => `a${index}: authorCollection(skip: ${index}) { total }`);
    const { status, body } = await ask(endpoint, `{ ${collections} }`);
    endpoint.published.list = read;
    expect([status, Object.keys(body.data).length, most]).toEqual([200, 50, 4]);
  });

  it('rejects results above 64 MB when aliases repeat a long string', async () => {
    const long = 'x'.repeat(400_000);
    endpoint.published.documents = [document(1, 'author', { fields: { name: long } })];
    const repeated = (count: number) =>
      ask(
        endpoint,
        `{ ${list(count, (index) => `a${index}: authorCollection { items { b: name c: name d: name e: name } }`)} }`,
      );
    const good = await repeated(6);
    expect([good.status, good.body.data.a5.items[0].e.length]).toEqual([200, long.length]);
    endpoint.published.documents = list(20, String)
      .split(' ')
      .map((number) => document(Number(number) + 1, 'author', { fields: { name: long } }));
    const { status, body } = await repeated(10);
    expect([status, body.error, body.details]).toEqual([
      400,
      'query_complexity_exceeded',
      { maxCharacters: 67_108_864 },
    ]);
  });
});

describe('prepareDocument', () => {
  it('rejects every malformed document with a request error', () => {
    const { schema } = buildProjectSchema(catalogOf());
    const rules = {
      schema,
      limits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
      mayIntrospect: false,
    };
    const alphabet = [
      '{',
      '}',
      '(',
      ')',
      '...',
      'on',
      'Author',
      'authorCollection',
      'items',
      'name',
      ':',
      '$a',
      '"',
      '"""',
      '@skip',
      '[',
      ']',
      '!',
      '#',
      '\n',
      '1',
      'fragment',
      'query',
      'F',
    ];
    let state = 42;
    const next = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    for (let round = 0; round < 3000; round += 1) {
      const query = list(next(30), () => alphabet[next(alphabet.length)] ?? '');
      try {
        prepareDocument(query, rules);
      } catch (error) {
        expect(error).toBeInstanceOf(GraphqlRequestError);
      }
    }
  });
});
