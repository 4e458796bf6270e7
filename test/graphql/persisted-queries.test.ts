import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeyType } from '../../contracts/access/api-keys/api-key.js';
import { verifies } from '../support/verifies.js';
import { secretOf, send, serveFake, type FakeEndpoint } from './fake-service.js';
import { catalogOf, sampleTypes } from './fixture.js';

let endpoint: FakeEndpoint;
beforeAll(async () => {
  endpoint = await serveFake();
});
afterAll(() => endpoint.close());

const hashOf = (query: string): string => createHash('sha256').update(query).digest('hex');

/** Sends a hash, with the query if given. */
function sendByHash(sha256Hash: unknown, query?: string, key: KeyType = 'delivery', version: unknown = 1) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secretOf(key)}` };
  return send(endpoint.url, {
    headers,
    body: JSON.stringify({ query, extensions: { persistedQuery: { version, sha256Hash } } }),
  });
}

/** The whole body: Apollo's clients look for nothing else. */
const notFound = {
  errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
};

describe('Automatic persisted queries', () => {
  verifies('graphql/persisted-queries');

  it('runs a query by its hash alone after the full query was sent once', async () => {
    const query = '{ authorCollection { total } }';
    const unknown = await sendByHash(hashOf(query));
    expect([unknown.status, unknown.body]).toEqual([200, notFound]);
    expect(unknown.headers.get('cache-control')).toBe('no-store');
    const registered = await sendByHash(hashOf(query), query);
    expect(registered.body.data).toEqual({ authorCollection: { total: 0 } });
    const known = await sendByHash(hashOf(query));
    expect([known.status, known.body]).toEqual([200, registered.body]);
  });

  it('stores only queries that passed every check', async () => {
    for (const query of ['{ nothing }', '{', 'mutation { a }']) {
      expect((await sendByHash(hashOf(query), query)).status).toBe(400);
      expect((await sendByHash(hashOf(query))).body).toEqual(notFound);
    }
  });

  it('checks a stored query again for each key and schema', async () => {
    const query = '{ __schema { queryType { name } } }';
    expect((await sendByHash(hashOf(query), query, 'preview')).status).toBe(200);
    expect((await sendByHash(hashOf(query))).body.error).toBe('introspection_disabled');
    const heroes = '{ heroCollection { total } }';
    expect((await sendByHash(hashOf(heroes), heroes)).status).toBe(200);
    const { catalog } = endpoint;
    endpoint.catalog = catalogOf(
      sampleTypes.filter(({ apiName }) => apiName !== 'hero'),
      { revision: '2' },
    );
    expect((await sendByHash(hashOf(heroes))).body.error).toBe('graphql_validation_failed');
    endpoint.catalog = catalogOf(sampleTypes, {
      revision: '3',
      environment: { id: 'environment-2', slug: 'two', isProtected: false },
    });
    expect((await sendByHash(hashOf(heroes))).body).toEqual(notFound);
    endpoint.catalog = catalog;
  });

  it.each([
    ['a hash of another query', hashOf('{ a }'), '{ __typename }', 1],
    ['a malformed hash', 'abc', '{ __typename }', 1],
    ['a numeric hash', 7, undefined, 1],
    ['an unknown version', hashOf('{ __typename }'), '{ __typename }', 2],
  ])('rejects %s', async (...[, hash, query, version]) => {
    const { status, body } = await sendByHash(hash, query, 'delivery', version);
    expect([status, body.error]).toEqual([400, 'graphql_request_invalid']);
  });
});
