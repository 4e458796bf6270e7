import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ask, serveFake, type FakeEndpoint } from './fake-service.js';
import { document, id, link } from './fixture.js';
import { verifies } from '../support/verifies.js';

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

/** Authors 1 to 6; each links to the next through `friend`. */
const chain = Array.from({ length: 6 }, (_, index) =>
  document(index + 1, 'author', {
    fields: { name: `a${index + 1}`, friend: link(index + 2), friends: [link(index + 2)] },
  }),
);

describe('GraphQL references', () => {
  verifies('graphql/reads-three-hops');

  it('loads 25 entries with two reference fields in at most three statements', async () => {
    const posts = Array.from({ length: 25 }, (_, index) =>
      document(100 + index, 'blog_post', {
        fields: {
          author: link(1 + (index % 3)),
          categories: [link(10 + (index % 5), 'category'), link(11, 'category')],
        },
      }),
    );
    endpoint.published.documents = [
      ...posts,
      ...[1, 2, 3].map((number) => document(number, 'author', { fields: { name: `a${number}` } })),
      ...[10, 11, 12, 13, 14].map((number) =>
        document(number, 'category', { fields: { name: `c${number}` } }),
      ),
    ];
    const { body } = await ask(
      endpoint,
      '{ blog_postCollection(limit: 25) { items { author { name } categories { name } } } }',
    );
    expect(body.data.blog_postCollection.items).toHaveLength(25);
    expect(body.data.blog_postCollection.items[0]).toEqual({
      author: { name: 'a1' },
      categories: [{ name: 'c14' }, { name: 'c11' }],
    });
    expect(endpoint.published.calls.map(({ method }) => method)).toEqual(['list', 'byIds']);
    expect(endpoint.published.calls[1]?.ids).toHaveLength(8);
  });

  it('returns the concrete type in unions and interfaces', async () => {
    endpoint.published.documents = [
      document(1, 'blog_post', {
        fields: { sections: [link(2, 'hero'), link(3, 'quote')], related: link(4), subject: link(4) },
      }),
      document(2, 'hero', { fields: { heading: 'H' } }),
      document(3, 'quote', { fields: { words: 'W' } }),
      document(4, 'author', { fields: { name: 'A' } }),
    ];
    const { body } = await ask(
      endpoint,
      `{ entry(id: "${id(1)}") { ... on BlogPost { sections { __typename ... on Hero { heading } ... on Quote { words } }
        related { __typename _id } subject { ... on Author { name } } } } }`,
    );
    expect(body.data.entry).toEqual({
      sections: [
        { __typename: 'Hero', heading: 'H' },
        { __typename: 'Quote', words: 'W' },
      ],
      related: { __typename: 'Author', _id: id(4) },
      subject: { name: 'A' },
    });
  });

  it('returns null for a missing or disallowed single target and omits it from lists', async () => {
    endpoint.published.documents = [
      document(1, 'blog_post', {
        fields: { author: link(404), subject: link(3), categories: [link(2), link(404), link(3)] },
      }),
      document(2, 'author'),
      document(3, 'category', { fields: { name: 'C' } }),
    ];
    const { body } = await ask(
      endpoint,
      `{ entry(id: "${id(1)}") { ... on BlogPost { author { name } subject { __typename } categories { name } } } }`,
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.entry).toEqual({ author: null, subject: null, categories: [{ name: 'C' }] });
  });

  it('resolves references in the locale of the root query with its fallback', async () => {
    endpoint.published.documents = [
      document(1, 'author', { locale: 'de', fields: { friend: link(2) } }),
      document(2, 'author', { locale: 'de', fields: { friend: link(3) } }),
      document(2, 'author', { locale: 'en' }),
      document(3, 'author', { locale: 'en' }),
    ];
    const { body } = await ask(
      endpoint,
      '{ entryBySlug(slug: "author-1", site: "main", locale: "de") { ... on Author { friend { _locale friend { _locale } } } } }',
    );
    expect(body.data.entryBySlug).toEqual({ friend: { _locale: 'de', friend: { _locale: 'en' } } });
  });

  it('stops after three levels: null for a single reference, an empty list for many, and no read', async () => {
    endpoint.published.documents = chain;
    const { body } = await ask(
      endpoint,
      `{ entry(id: "${id(1)}") { ... on Author { friend { friend { friend { name friend { name } friends { name } } } } } } }`,
    );
    expect(body.data.entry.friend.friend.friend).toEqual({ name: 'a4', friend: null, friends: [] });
    expect(endpoint.published.calls).toHaveLength(4);
  });

  it('reads each entry of a cycle once', async () => {
    endpoint.published.documents = [document(1, 'author', { fields: { name: 'me', friend: link(1) } })];
    const { body } = await ask(
      endpoint,
      `{ entry(id: "${id(1)}") { ... on Author { friend { friend { name } } } } }`,
    );
    expect(body.data.entry.friend.friend.name).toBe('me');
  });

  it('rejects results whose references would exhaust memory', async () => {
    const all = Array.from({ length: 100 }, (_, index) => link(index + 1));
    endpoint.published.documents = all.map((_, index) =>
      document(index + 1, 'author', { fields: { friends: all } }),
    );
    const { status, body } = await ask(
      endpoint,
      `{ authorCollection(limit: 100) { items { friends { friends { friends { _id } } } } } }`,
    );
    expect([status, body.error]).toEqual([400, 'query_complexity_exceeded']);
    expect(body.details).toEqual({ maxEntries: 10_000 });
  });
});
