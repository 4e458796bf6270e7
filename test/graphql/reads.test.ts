import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ask, serveFake, type FakeEndpoint } from './fake-service.js';
import { document, id } from './fixture.js';
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

describe('GraphQL entry query', () => {
  verifies('graphql/entry');

  it('returns system fields and the fields of the content type', async () => {
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
    'returns null for %s',
    async (wanted) => {
      expect((await ask(endpoint, `{ entry(id: "${wanted}") { _id } }`)).body.data).toEqual({ entry: null });
    },
  );

  it('accepts an id in upper case', async () => {
    endpoint.published.documents = [document(0xab, 'author', { id: '00000000-0000-7000-8000-0000000000ab' })];
    const { body } = await ask(endpoint, '{ entry(id: "00000000-0000-7000-8000-0000000000AB") { _slug } }');
    expect(body.data.entry).toEqual({ _slug: 'author-171' });
  });

  it("uses the default locale of the entry's site", async () => {
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
    // fr has no fallback, so an entry of site "other" that exists only in en is unavailable.
    expect(body.data).toEqual({
      a: { name: 'French', _locale: 'fr' },
      b: null,
      c: { name: 'main', _locale: 'en' },
    });
    expect(endpoint.published.calls.map(({ locales }) => locales)).toEqual([['en', 'fr'], ['fr']]);
  });

  it('returns null when the content type was deleted', async () => {
    endpoint.published.documents = [document(1, 'gone')];
    expect((await ask(endpoint, `{ entry(id: "${id(1)}") { _id } }`)).body.data).toEqual({ entry: null });
  });

  it('returns null instead of an error for a value that no longer matches its field', async () => {
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

describe('GraphQL entryBySlug query', () => {
  it('finds an entry by site, locale and slug with fallback', async () => {
    endpoint.published.documents = [document(1, 'author', { slug: 'anna' })];
    const { body } = await ask(
      endpoint,
      '{ entryBySlug(slug: "anna", site: "main", locale: "de") { _id _locale } }',
    );
    expect(body.data.entryBySlug).toEqual({ _id: id(1), _locale: 'en' });
    expect(endpoint.published.calls).toHaveLength(1);
  });

  it('returns null without a read for an invalid slug', async () => {
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

describe('GraphQL collection query', () => {
  verifies('graphql/collections', 'graphql/where-not-applied', 'graphql/default-order', 'graphql/arguments');

  it('pages through all sites, newest first', async () => {
    endpoint.published.documents = [1, 2, 3, 4].map((number) =>
      document(number, 'author', number === 2 ? { siteId: 'site-other', locale: 'fr' } : {}),
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

  it('treats null arguments as omitted', async () => {
    const { body } = await ask(
      endpoint,
      '{ authorCollection(limit: null, skip: null, site: null, locale: null, preview: null) { limit skip } }',
    );
    expect(body.data.authorCollection).toEqual({ limit: 25, skip: 0 });
  });

  it('returns the requested locale with fallback, within a site only to locales of the site', async () => {
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
    expect(body.extensions.warnings).toEqual([
      { code: 'where_not_applied', message: expect.any(String) },
      { code: 'order_by_not_applied', message: expect.any(String) },
    ]);
    expect(
      (await ask(endpoint, 'query ($w: JSON) { authorCollection(where: $w) { total } }')).body.extensions
        .warnings,
    ).toBeUndefined();
  });
});
