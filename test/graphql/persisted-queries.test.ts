import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeyType } from '../../contracts/resources/api-key.js';
import { verifies } from '../support/verifies.js';
import { secretOf, send, serveFake, type FakeEndpoint } from './fake-service.js';
import { catalogOf, sampleTypes } from './fixture.js';

let endpoint: FakeEndpoint;
beforeAll(async () => {
  endpoint = await serveFake();
});
afterAll(() => endpoint.close());

const hashOf = (query: string): string => createHash('sha256').update(query).digest('hex');

/** Asks by hash, with the text where it is given. */
function persisted(sha256Hash: unknown, query?: string, key: KeyType = 'delivery', version: unknown = 1) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secretOf(key)}` };
  return send(endpoint.url, {
    headers,
    body: JSON.stringify({ query, extensions: { persistedQuery: { version, sha256Hash } } }),
  });
}

describe('automatically persisted queries', () => {
  verifies('dec-2.25-persisted');

  it('are asked by their hash alone once their text has been sent', async () => {
    const query = '{ authorCollection { total } }';
    const unknown = await persisted(hashOf(query));
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({
      error: 'persisted_query_not_found',
      message: 'PersistedQueryNotFound',
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'persisted_query_not_found' } }],
    });
    expect(unknown.headers.get('cache-control')).toBe('no-store');
    const told = await persisted(hashOf(query), query);
    expect(told.body.data).toEqual({ authorCollection: { total: 0 } });
    const known = await persisted(hashOf(query));
    expect([known.status, known.body]).toEqual([200, told.body]);
  });

  it('are kept only when they have passed every check', async () => {
    for (const query of ['{ nothing }', '{', 'mutation { a }']) {
      expect((await persisted(hashOf(query), query)).status).toBe(400);
      expect((await persisted(hashOf(query))).body.error).toBe('persisted_query_not_found');
    }
  });

  it('are checked for each key and each schema again', async () => {
    const query = '{ __schema { queryType { name } } }';
    expect((await persisted(hashOf(query), query, 'preview')).status).toBe(200);
    expect((await persisted(hashOf(query))).body.error).toBe('introspection_disabled');
    const heroes = '{ heroCollection { total } }';
    expect((await persisted(hashOf(heroes), heroes)).status).toBe(200);
    const { catalog } = endpoint;
    endpoint.catalog = catalogOf(
      sampleTypes.filter(({ apiName }) => apiName !== 'hero'),
      { revision: '2' },
    );
    expect((await persisted(hashOf(heroes))).body.error).toBe('graphql_validation_failed');
    endpoint.catalog = catalogOf(sampleTypes, {
      revision: '3',
      environment: { id: 'environment-2', slug: 'two' },
    });
    expect((await persisted(hashOf(heroes))).body.error).toBe('persisted_query_not_found');
    endpoint.catalog = catalog;
  });

  it.each([
    ['a hash of another text', hashOf('{ a }'), '{ __typename }', 1],
    ['what is no hash', 'abc', '{ __typename }', 1],
    ['a number', 7, undefined, 1],
    ['another version', hashOf('{ __typename }'), '{ __typename }', 2],
  ])('refuse %s', async (...[, hash, query, version]) => {
    const { status, body } = await persisted(hash, query, 'delivery', version);
    expect([status, body.error]).toEqual([400, 'graphql_request_invalid']);
  });
});
