import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyType } from '../../contracts/access/api-keys/api-key.js';
import { AppError } from '../../contracts/errors.js';
import { surrogateKeys } from '../../src/infrastructure/cache-tags.js';
import { verifies } from '../support/verifies.js';
import { ask, secretOf, send, serveFake, type Answer, type FakeEndpoint } from './fake-service.js';
import { document, id, link } from './fixture.js';

let endpoint: FakeEndpoint;
beforeAll(async () => {
  endpoint = await serveFake();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.published.documents = [
    document(1, 'blog_post', { fields: { title: 'Locks', author: link(2) } }),
    document(2, 'author', { fields: { name: 'Ada' } }),
  ];
  endpoint.published.fail = undefined;
  endpoint.published.calls.length = 0;
  endpoint.logged.length = 0;
});

const json = { 'content-type': 'application/json' };
const authorization = (key: KeyType = 'delivery', number = 1) => ({
  authorization: `Bearer ${secretOf(key, number)}`,
});

const post = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(endpoint.url, { body, headers: { ...json, ...authorization(), ...headers } });

describe('Successful GraphQL responses', () => {
  verifies('graphql/caching');

  it('have the cache headers of published content', async () => {
    const { headers } = await ask(
      endpoint,
      '{ blog_postCollection(site: "main") { items { author { name } } } }',
    );
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=3600');
    expect(headers.get('surrogate-key')).toBe(
      `entry:${id(1)} entry:${id(2)} type:blog_post type:author site:main project:demo`,
    );
    expect(headers.get('vary')).toContain('Authorization, Accept-Encoding');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('name many entries by short keys where their ids exceed 8 KB', async () => {
    const posts = Array.from({ length: 75 }, (_, index) => index + 1);
    endpoint.published.documents = posts.flatMap((number) => [
      document(number, 'blog_post', {
        fields: { author: link(100 + number), categories: [link(200 + number, 'category')] },
      }),
      document(100 + number, 'author', { fields: { name: `Author ${String(number)}` } }),
      document(200 + number, 'category', { fields: { name: `Category ${String(number)}` } }),
    ]);
    const { headers } = await ask(
      endpoint,
      '{ blog_postCollection(site: "main", limit: 75) { items { author { name } categories { name } } } }',
    );
    const keys = headers.get('surrogate-key') ?? '';
    expect(keys.length).toBeLessThanOrEqual(8192);
    const short = posts.flatMap((number) => [number, 100 + number, 200 + number]);
    const expected = short.map((number) => surrogateKeys.shortEntry(id(number)));
    expect(new Set(expected).size).toBe(225);
    expect(
      keys
        .split(' ')
        .filter((key) => key.startsWith('e:'))
        .sort(),
    ).toEqual(expected.sort());
    expect(keys).not.toContain('entry:');
  });

  it('have surrogate keys of listed content types without entries', async () => {
    const { headers } = await ask(endpoint, '{ heroCollection { total } }');
    expect(headers.get('surrogate-key')).toBe('type:hero project:demo');
  });

  it('are private for keys that can read drafts', async () => {
    for (const key of ['preview', 'management'] as const) {
      const { headers } = await ask(endpoint, '{ __typename }', { key });
      expect(headers.get('cache-control')).toBe('private, no-store');
    }
  });

  it.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html', 'application/json; charset=utf-8'],
    ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    [
      'application/graphql-response+json; charset=utf-8, application/json; q=0.9',
      'application/graphql-response+json; charset=utf-8',
    ],
    ['application/graphql-response+json;q=0.1, application/json', 'application/json; charset=utf-8'],
    ['application/graphql-response+json;q=0', 'application/json; charset=utf-8'],
  ])('returns the media type for Accept %s: %s', async (accept, contentType) => {
    const good = await post('{"query":"{ __typename }"}', { accept });
    const bad = await post('{"query":"{"}', { accept });
    expect([good.headers.get('content-type'), bad.headers.get('content-type')]).toEqual([
      contentType,
      contentType,
    ]);
    expect([good.status, bad.status]).toEqual([200, 400]);
  });

  it.each(['variables', 'operationName', 'extensions'])('accepts null for %s', async (name) => {
    const { status, body } = await post(JSON.stringify({ query: '{ __typename }', [name]: null }));
    expect([status, body]).toEqual([200, { data: { __typename: 'Query' }, extensions: { complexity: 0 } }]);
  });

  it('accepts extensions and unknown keys', async () => {
    const { status } = await post(JSON.stringify({ query: '{ __typename }', extensions: { a: 1 }, id: 7 }));
    expect(status).toBe(200);
  });
});

describe('GraphQL authentication', () => {
  it.each<[string, Record<string, string>, number, string]>([
    ['no credential', {}, 401, 'unauthorized'],
    ['an unknown key', authorization('delivery', 9), 401, 'invalid_api_key'],
    ['a session token', { authorization: 'Bearer a.b.c' }, 401, 'invalid_api_key'],
    ['an expired key', authorization('delivery', 3), 401, 'api_key_expired'],
    ['a revoked key', authorization('delivery', 4), 401, 'api_key_revoked'],
    ["another project's key", authorization('delivery', 2), 403, 'wrong_project'],
  ])('rejects %s before the body is read', async (...[, headers, status, code]) => {
    const answer = await send(endpoint.url, { headers: { ...json, ...headers }, body: 'not JSON' });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      error: code,
      message: expect.any(String),
      errors: [{ message: answer.body.message, extensions: { code } }],
    });
    const challenge = answer.headers.get('www-authenticate');
    expect(challenge).toContain('Bearer realm="graphql"');
    expect(challenge?.includes('error="invalid_token"')).toBe(status === 401 && code !== 'unauthorized');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('returns wrong_project for a project that does not exist', async () => {
    const { status, body } = await send(endpoint.url.replace('demo', 'none'), {
      headers: { ...json, ...authorization() },
      body: '{}',
    });
    expect([status, body.error]).toEqual([403, 'wrong_project']);
  });
});

describe('Rejected GraphQL requests', () => {
  verifies('graphql/failures');

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('returns 405 for %s', async (method) => {
    const { status, body, headers } = await send(endpoint.url, { method });
    expect([status, body.error]).toEqual([405, 'method_not_allowed']);
    expect(headers.get('allow')).toBe('GET, HEAD, POST, QUERY');
  });

  it.each([
    ['{"query":', 'invalid_json'],
    ['', 'graphql_request_invalid'],
    ['null', 'graphql_request_invalid'],
    ['"{ __typename }"', 'graphql_request_invalid'],
    ['[{"query":"{ __typename }"}]', 'graphql_request_invalid'],
    ['{}', 'graphql_request_invalid'],
    ['{"query":7}', 'graphql_request_invalid'],
    ['{"query":{"a":1}}', 'graphql_request_invalid'],
    ['{"query":"{ __typename }","operationName":7}', 'graphql_request_invalid'],
    ['{"query":"{ __typename }","variables":"a"}', 'graphql_request_invalid'],
    ['{"query":"{ __typename }","variables":[1]}', 'graphql_request_invalid'],
    ['{"query":"{ __typename }","extensions":0}', 'graphql_request_invalid'],
    [
      `{"query":"{ __typename }","variables":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
      'graphql_request_invalid',
    ],
    ['{"query":"{ __typename }","variables":{"a":1e400}}', 'graphql_request_invalid'],
  ])('rejects the body %.50s with 400 %s', async (body, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body.error]).toEqual([400, code]);
    expect(answer.body.errors[0].extensions.code).toBe(code);
  });

  it('returns 413 for a body above 100 KB and 415 for an unsupported media type or charset', async () => {
    const query = '{"query":"{ __typename }"}';
    expect((await post(`${query}${' '.repeat(102_400)}`)).body.error).toBe('payload_too_large');
    expect((await post(query, { 'content-type': 'text/plain' })).body.error).toBe('unsupported_media_type');
    expect((await post(query, { 'content-type': 'application/json; charset=utf-16' })).body.error).toBe(
      'unsupported_media_type',
    );
    expect((await post(query, { 'content-type': 'application/json; charset=UTF-8' })).status).toBe(200);
  });

  it('truncates long names in error messages', async () => {
    const { body } = await ask(endpoint, `{ ${'a'.repeat(90_000)} }`);
    expect(body.message.length).toBeLessThan(600);
  });
});

describe('GraphQL execution errors', () => {
  const query = '{ authorCollection { total } heroCollection { total } }';

  it('masks unexpected errors and logs them with the request id', async () => {
    endpoint.published.fail = new Error('relation "published_entries" at /srv/app.ts');
    const { status, body, headers } = await ask(endpoint, `{ entry(id: "${id(1)}") { _id } }`);
    const requestId = headers.get('x-request-id');
    expect(status).toBe(200);
    expect(body.data).toEqual({ entry: null });
    expect(body.errors).toEqual([
      {
        message: 'Internal error.',
        path: ['entry'],
        locations: [{ line: 1, column: 3 }],
        extensions: { code: 'internal_error', requestId },
      },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(endpoint.logged.join('')).toContain('published_entries');
    expect(endpoint.logged).toHaveLength(1);
  });

  it('returns 503 when the database is unavailable for every field', async () => {
    endpoint.published.fail = new AppError('service_unavailable');
    const { status, body, headers } = await ask(endpoint, query);
    expect([status, body.error, body.errors[0].extensions.code]).toEqual([
      503,
      'service_unavailable',
      'service_unavailable',
    ]);
    expect(headers.get('retry-after')).toBe('2');
  });

  it('returns the data that could be read beside the errors', async () => {
    const { byIds } = endpoint.published;
    endpoint.published.byIds = () => Promise.reject(new AppError('service_unavailable'));
    const { status, body } = await ask(
      endpoint,
      '{ blog_postCollection { items { title author { name } } } }',
    );
    endpoint.published.byIds = byIds;
    expect(status).toBe(200);
    expect(body.data.blog_postCollection.items).toEqual([{ title: 'Locks', author: null }]);
    expect(body.errors).toEqual([expect.objectContaining({ extensions: { code: 'service_unavailable' } })]);
  });
});
