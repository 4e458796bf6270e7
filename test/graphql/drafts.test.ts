import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ask, serveFake, type FakeEndpoint } from './fake-service.js';
import { document, id } from './fixture.js';

let endpoint: FakeEndpoint;
beforeAll(async () => {
  endpoint = await serveFake();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  for (const source of [endpoint.published, endpoint.drafts]) {
    source.documents = [];
    source.calls.length = 0;
    source.fail = undefined;
  }
});

describe('Drafts in GraphQL', () => {
  beforeEach(() => {
    endpoint.published.documents = [document(1, 'author', { fields: { name: 'published' } })];
    endpoint.drafts.documents = [document(1, 'author', { fields: { name: 'draft' }, publishedAt: null })];
  });
  const query = `query ($preview: Boolean) {
    entry(id: "${id(1)}") { ... on Author { name } }
    entryBySlug(slug: "author-1", site: "main", locale: "en", preview: $preview) { ... on Author { name } }
    authorCollection(preview: $preview) { items { name _publishedAt } } }`;

  it.each(['preview', 'management'] as const)(
    'returns drafts to a %s key unless preview is false',
    async (key) => {
      const unsaid = await ask(endpoint, query, { key });
      expect(unsaid.body.data).toEqual({
        entry: { name: 'draft' },
        entryBySlug: { name: 'draft' },
        authorCollection: { items: [{ name: 'draft', _publishedAt: null }] },
      });
      expect(unsaid.headers.get('cache-control')).toBe('private, no-store');
      const { body, headers } = await ask(endpoint, query, { key, variables: { preview: false } });
      expect(body.data).toMatchObject({
        entry: { name: 'draft' },
        entryBySlug: { name: 'published' },
        authorCollection: { items: [{ name: 'published' }] },
      });
      expect(headers.get('cache-control')).toBe('private, no-store');
    },
  );

  it.each([
    ['{ authorCollection(preview: true) { total } }', {}],
    [query, { preview: true }],
    [
      'query ($p: Boolean = true) { ...Root } fragment Root on Query { authorCollection(preview: $p) { total } }',
      {},
    ],
  ])(
    'rejects a delivery key that requests drafts before anything is read',
    async (rejectedQuery, variables) => {
      const { status, body } = await ask(endpoint, rejectedQuery, { variables });
      expect([status, body.error, body.errors[0].extensions.code]).toEqual([
        403,
        'preview_not_allowed',
        'preview_not_allowed',
      ]);
      expect(endpoint.published.calls).toEqual([]);
    },
  );

  it('returns published content to a delivery key', async () => {
    const { body } = await ask(endpoint, query, { variables: { preview: false } });
    expect(body.data).toMatchObject({
      entry: { name: 'published' },
      authorCollection: { items: [{ name: 'published' }] },
    });
    expect(endpoint.drafts.calls).toEqual([]);
  });
});
