import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProjectSchema } from '../../src/surfaces/graphql/project/build-project-schema.js';
import { PlanCache } from '../../src/surfaces/graphql/plan/plan-cache.js';
import { prepareDocument } from '../../src/surfaces/graphql/prepare-document.js';
import { GraphqlRequestError } from '../../src/surfaces/graphql/errors/request-error.js';
import { hostileBodies, hostileQueries, list } from '../support/hostile/graphql-requests.js';
import { verifies } from '../support/verifies.js';
import { ask, secretOf, send, serveFake, type Answer, type FakeEndpoint } from './fake-service.js';
import { catalogOf, document, link } from './fixture.js';

describe.each(['delivery', 'preview'] as const)('Hostile requests with a %s key', (key) => {
  verifies('graphql/hostile-queries');

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

  it.each(Object.keys(hostileQueries))('rejects a hostile query before anything runs: %s', async (name) => {
    expectRefusal(await ask(endpoint, hostileQueries[name] ?? '', { key }), 400);
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
  verifies('graphql/hostile-queries');

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
      plans: new PlanCache(),
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
