import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyType } from '../../contracts/access/api-keys/api-key.js';
import { verifies } from '../support/verifies.js';
import { ask, secretOf, send, serveFake, type FakeEndpoint } from './fake-service.js';
import { document, id } from './fixture.js';

let endpoint: FakeEndpoint;
beforeAll(async () => {
  endpoint = await serveFake();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.published.documents = [document(1, 'author', { fields: { name: 'Ada' } })];
  endpoint.drafts.documents = [document(1, 'author', { fields: { name: 'Ada, changed' } })];
});

interface GetOptions {
  readonly key?: KeyType;
  readonly method?: string;
  readonly accept?: string;
}

/** Sends parameters in the URL. */
const get = (parameters: string | Record<string, string>, options: GetOptions = {}) => {
  const { key = 'delivery', method = 'GET', accept = '*/*' } = options;
  const search = new URLSearchParams(parameters).toString();
  const headers = { accept, authorization: `Bearer ${secretOf(key)}` };
  return send(`${endpoint.url}?${search}`, { method, headers });
};

const byId = 'query One($id: ID!) { entry(id: $id) { ... on Author { name } } } query Two { __typename }';

describe('A query over GET', () => {
  verifies('graphql/get');

  it('has the result, the headers and the failures of the same query over POST', async () => {
    const variables = { id: id(1) };
    const sent = await ask(endpoint, byId, { variables, operationName: 'One' });
    const got = await get({ query: byId, variables: JSON.stringify(variables), operationName: 'One' });
    expect(got.body).toEqual({ data: { entry: { name: 'Ada' } }, extensions: expect.anything() });
    expect(got.body).toEqual(sent.body);
    for (const name of ['cache-control', 'surrogate-key', 'vary', 'content-type'])
      expect([name, got.headers.get(name)]).toEqual([name, sent.headers.get(name)]);
    for (const query of ['{', '{ nothing }', 'mutation { a }', '{ __schema { description } }']) {
      const [refused, expected] = [await get({ query }), await ask(endpoint, query)];
      expect([refused.status, refused.body]).toEqual([expected.status, expected.body]);
      expect(refused.status).toBe(400);
    }
  });

  it('has an entity tag, which spares the body of what has not changed', async () => {
    const first = await get({ query: '{ authorCollection { items { name } } }' });
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    const again = await fetch(
      `${endpoint.url}?${new URLSearchParams({ query: '{ authorCollection { items { name } } }' }).toString()}`,
      { headers: { authorization: `Bearer ${secretOf('delivery')}`, 'if-none-match': tag } },
    );
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is answered to HEAD without a body, and to QUERY like POST', async () => {
    const query = '{ authorCollection { total } }';
    const head = await get({ query }, { method: 'HEAD' });
    const whole = await get({ query });
    expect([head.status, head.body]).toEqual([200, undefined]);
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
    const safe = await send(endpoint.url, {
      method: 'QUERY',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secretOf('delivery')}` },
      body: JSON.stringify({ query }),
    });
    expect(safe.body).toEqual(whole.body);
  });

  it('reads drafts for preview keys and is never stored then', async () => {
    const query = `{ entry(id: "${id(1)}") { ... on Author { name } } }`;
    const { body, headers } = await get({ query }, { key: 'preview' });
    expect(body.data).toEqual({ entry: { name: 'Ada, changed' } });
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['private, no-store', null]);
  });

  it('runs a stored query by its hash alone', async () => {
    const query = '{ authorCollection { items { name } } }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } });
    const unknown = await get({ extensions });
    expect([unknown.status, unknown.body]).toEqual([
      200,
      { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    ]);
    expect(unknown.headers.get('cache-control')).toBe('no-store');
    const stored = await get({ query, extensions });
    expect(stored.body.data).toEqual({ authorCollection: { items: [{ name: 'Ada' }] } });
    expect((await get({ extensions })).body).toEqual(stored.body);
  });

  it.each([
    ['nothing', ''],
    ['an empty query', 'query='],
    ['two queries', 'query=%7B__typename%7D&query=%7B__typename%7D'],
    ['variables that are no JSON', 'query=%7B__typename%7D&variables=%7B'],
    ['a list as variables', 'query=%7B__typename%7D&variables=%5B%5D'],
    ['a number that cannot be exact', 'query=%7B__typename%7D&variables=%7B%22a%22%3A1e400%7D'],
    ['extensions that are no object', 'query=%7B__typename%7D&extensions=1'],
  ])('is refused with 400 for %s', async (_what, parameters) => {
    const { status, body } = await get(parameters);
    expect([status, body.error]).toEqual([400, 'graphql_request_invalid']);
  });

  it('is refused without a key', async () => {
    const { status, body } = await send(`${endpoint.url}?query={__typename}`, { method: 'GET' });
    expect([status, body.error]).toEqual([401, 'unauthorized']);
  });
});
