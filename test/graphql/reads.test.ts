import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ask, serveFake, type FakeEndpoint } from './fake-service.js';
import { document, id, link } from './fixture.js';

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

/** `friend` links from each author to the next. */
const chain = Array.from({ length: 6 }, (_, index) =>
  document(index + 1, 'author', {
    fields: { name: `a${index + 1}`, friend: link(index + 2), friends: [link(index + 2)] },
  }),
);

describe('entry', () => {
  it('reads system fields and the fields of its type', async () => {
    endpoint.published.documents = [
      document(1, 'blog_post', {
        fields: {
          title: 'Locks',
          views: 9_007_199_254_740_991,
          tags: ['a', 'b'],
          meta: { deep: [1] },
          body: { raw: { type: 'doc' }, html: '<p>Hi</p>', text: 'Hi' },
        },
      }),
    ];
    const { status, body } = await ask(
      endpoint,
      `{ entry(id: "${id(1)}") { __typename _id _type _slug _siteId _locale _publishedAt _updatedAt
        ... on BlogPost { title views tags meta body { raw html text } price sections { __typename } categories { name } } } }`,
    );
    expect(status).toBe(200);
    expect(body.data.entry).toEqual({
      __typename: 'BlogPost',
      _id: id(1),
      _type: 'blog_post',
      _slug: 'blog_post-1',
      _siteId: 'site-main',
      _locale: 'en',
      _publishedAt: '2026-01-01T00:00:01.000Z',
      _updatedAt: '2026-01-01T00:00:01.000Z',
      title: 'Locks',
      views: 9_007_199_254_740_991,
      tags: ['a', 'b'],
      meta: { deep: [1] },
      body: { raw: { type: 'doc' }, html: '<p>Hi</p>', text: 'Hi' },
      price: null,
      sections: [],
      categories: [],
    });
  });

  it.each(['nonsense', '{00000000-0000-7000-8000-000000000001}', id(404)])(
    'is null for %s',
    async (wanted) => {
      expect((await ask(endpoint, `{ entry(id: "${wanted}") { _id } }`)).body.data).toEqual({ entry: null });
    },
  );

  it('takes an id in upper case', async () => {
    endpoint.published.documents = [document(0xab, 'author', { id: '00000000-0000-7000-8000-0000000000ab' })];
    const { body } = await ask(endpoint, '{ entry(id: "00000000-0000-7000-8000-0000000000AB") { _slug } }');
    expect(body.data.entry).toEqual({ _slug: 'author-171' });
  });

  it('uses the default locale of its own site', async () => {
    endpoint.published.documents = [
      document(1, 'author', { locale: 'en', siteId: 'site-other', fields: { name: 'English' } }),
      document(1, 'author', { locale: 'fr', siteId: 'site-other', fields: { name: 'French' } }),
      document(2, 'author', { locale: 'en', siteId: 'site-other' }),
      document(3, 'author', { locale: 'en', fields: { name: 'main' } }),
    ];
    const named = '{ ... on Author { name } _locale }';
    const { body } = await ask(
      endpoint,
      `{ a: entry(id: "${id(1)}") ${named} b: entry(id: "${id(2)}") ${named} c: entry(id: "${id(3)}") ${named} }`,
    );
    // fr falls back to nothing, so what site other has in en only is not available there.
    expect(body.data).toEqual({
      a: { name: 'French', _locale: 'fr' },
      b: null,
      c: { name: 'main', _locale: 'en' },
    });
    expect(endpoint.published.calls.map(({ locales }) => locales)).toEqual([['en', 'fr'], ['fr']]);
  });

  it('is null where the type is gone', async () => {
    endpoint.published.documents = [document(1, 'gone')];
    expect((await ask(endpoint, `{ entry(id: "${id(1)}") { _id } }`)).body.data).toEqual({ entry: null });
  });

  it('reads a value that fits its field no more as null, not as a failure', async () => {
    const fields = {
      title: 7,
      views: 'many',
      isFeatured: 'yes',
      body: 'text',
      tags: 'one',
      author: 'x',
      categories: { no: 1 },
      sections: null,
    };
    endpoint.published.documents = [document(1, 'blog_post', { fields })];
    const { body } = await ask(
      endpoint,
      `{ entry(id: "${id(1)}") { ... on BlogPost { title views isFeatured body { html } tags author { name } categories { name } sections { __typename } } } }`,
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.entry).toEqual({
      title: null,
      views: null,
      isFeatured: null,
      body: null,
      tags: [],
      author: null,
      categories: [],
      sections: [],
    });
  });
});

describe('entryBySlug', () => {
  it('finds by site, locale and slug, following fallbacks', async () => {
    endpoint.published.documents = [document(1, 'author', { slug: 'anna' })];
    const { body } = await ask(
      endpoint,
      '{ entryBySlug(slug: "anna", site: "main", locale: "de") { _id _locale } }',
    );
    expect(body.data.entryBySlug).toEqual({ _id: id(1), _locale: 'en' });
    expect(endpoint.published.calls).toHaveLength(1);
  });

  it('is null for what cannot be a slug, without asking', async () => {
    const { body } = await ask(
      endpoint,
      '{ entryBySlug(slug: "a\\u0000b", site: "main", locale: "en") { _id } }',
    );
    expect(body).toMatchObject({ data: { entryBySlug: null } });
    expect(endpoint.published.calls).toEqual([]);
  });

  it.each([
    ['site: "none", locale: "en"', 'site_not_found'],
    ['site: "main", locale: "xx"', 'locale_not_found'],
    ['site: "main", locale: "fr"', 'locale_not_found'],
  ])('fails for %s with %s', async (given, code) => {
    const { status, body, headers } = await ask(endpoint, `{ entryBySlug(slug: "a", ${given}) { _id } }`);
    expect(status).toBe(200);
    expect(body.data).toEqual({ entryBySlug: null });
    expect(body.errors).toEqual([expect.objectContaining({ path: ['entryBySlug'], extensions: { code } })]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('surrogate-key')).toBeNull();
  });
});

describe('a collection', () => {
  it('pages through every site, newest first', async () => {
    endpoint.published.documents = [1, 2, 3, 4].map((number) =>
      document(number, 'author', number === 2 ? { siteId: 'site-other' } : {}),
    );
    const { body } = await ask(
      endpoint,
      '{ authorCollection(limit: 2, skip: 1) { total skip limit items { _id } } }',
    );
    expect(body.data.authorCollection).toEqual({
      total: 4,
      skip: 1,
      limit: 2,
      items: [{ _id: id(3) }, { _id: id(2) }],
    });
  });

  it('takes nulls as left out', async () => {
    const { body } = await ask(
      endpoint,
      '{ authorCollection(limit: null, skip: null, site: null, locale: null, preview: null) { limit skip } }',
    );
    expect(body.data.authorCollection).toEqual({ limit: 25, skip: 0 });
  });

  it('reads the locale asked for with its fallbacks, within a site only those it has', async () => {
    endpoint.published.documents = [
      document(1, 'author'),
      document(1, 'author', { locale: 'de' }),
      document(2, 'author'),
    ];
    const { body } = await ask(
      endpoint,
      '{ a: authorCollection(locale: "de") { items { _locale } } b: authorCollection(site: "main", locale: "de") { total } }',
    );
    expect(body.data.a.items).toEqual([{ _locale: 'en' }, { _locale: 'de' }]);
    expect(endpoint.published.calls.map(({ locales }) => locales)).toEqual([
      ['de', 'en'],
      ['de', 'en'],
    ]);
  });

  it.each([
    ['site: "none"', 'site_not_found'],
    ['locale: "xx"', 'locale_not_found'],
    ['locale: "it"', 'locale_not_found'],
    ['site: "main", locale: "fr"', 'locale_not_found'],
  ])('fails for %s with %s', async (given, code) => {
    const { status, body } = await ask(endpoint, `{ authorCollection(${given}) { total } }`);
    expect([status, body.data]).toEqual([200, null]);
    expect(body.errors[0].extensions.code).toBe(code);
  });

  it('warns that where and orderBy are not applied', async () => {
    const { body } = await ask(
      endpoint,
      'query ($w: JSON) { authorCollection(where: $w, orderBy: "name") { total } }',
      {
        variables: { w: { name: 'x' } },
      },
    );
    expect(body.extensions.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'where_not_applied',
      'order_by_not_applied',
    ]);
    expect(
      (await ask(endpoint, 'query ($w: JSON) { authorCollection(where: $w) { total } }')).body.extensions
        .warnings,
    ).toBeUndefined();
  });
});

describe('references', () => {
  it('of 25 entries with two reference fields take at most three statements', async () => {
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

  it('name their type in unions and in the interface', async () => {
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

  it('to what is missing, or of a type not allowed, are null alone and left out of lists', async () => {
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

  it('follow the locale of the root query, with its fallbacks', async () => {
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

  it('end after three hops: null alone, empty lists, nothing loaded', async () => {
    endpoint.published.documents = chain;
    const { body } = await ask(
      endpoint,
      `{ entry(id: "${id(1)}") { ... on Author { friend { friend { friend { name friend { name } friends { name } } } } } } }`,
    );
    expect(body.data.entry.friend.friend.friend).toEqual({ name: 'a4', friend: null, friends: [] });
    expect(endpoint.published.calls).toHaveLength(4);
  });

  it('in a circle are read once', async () => {
    endpoint.published.documents = [document(1, 'author', { fields: { name: 'me', friend: link(1) } })];
    const { body } = await ask(
      endpoint,
      `{ entry(id: "${id(1)}") { ... on Author { friend { friend { name } } } } }`,
    );
    expect(body.data.entry.friend.friend.name).toBe('me');
  });

  it('that would fill the memory are refused', async () => {
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

describe('drafts', () => {
  beforeEach(() => {
    endpoint.published.documents = [document(1, 'author', { fields: { name: 'published' } })];
    endpoint.drafts.documents = [document(1, 'author', { fields: { name: 'draft' }, publishedAt: null })];
  });
  const query = `query ($preview: Boolean) {
    entry(id: "${id(1)}") { ... on Author { name } }
    entryBySlug(slug: "author-1", site: "main", locale: "en", preview: $preview) { ... on Author { name } }
    authorCollection(preview: $preview) { items { name _publishedAt } } }`;

  it.each(['preview', 'management'] as const)(
    'are what a %s key reads unless it says otherwise',
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
  ])('are refused to a delivery key before anything is read', async (asked, variables) => {
    const { status, body } = await ask(endpoint, asked, { variables });
    expect([status, body.error, body.errors[0].extensions.code]).toEqual([
      400,
      'preview_not_allowed',
      'preview_not_allowed',
    ]);
    expect(endpoint.published.calls).toEqual([]);
  });

  it('are not what a delivery key reads', async () => {
    const { body } = await ask(endpoint, query, { variables: { preview: false } });
    expect(body.data).toMatchObject({
      entry: { name: 'published' },
      authorCollection: { items: [{ name: 'published' }] },
    });
    expect(endpoint.drafts.calls).toEqual([]);
  });
});
