import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { outcome, Desk, useOwnApp } from '../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../support/factories/content.js';
import { createProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();

/** A site in English, German and French, of which only French falls back to English. */
let desk: Desk;

beforeEach(async () => {
  const locales = ['en', 'de', { code: 'fr', fallbackCode: 'en' }];
  const project = await createProject(app(), { locales });
  await createType(app(), project, {
    apiName: 'product',
    isPage: true,
    isLocalized: false,
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'price', type: 'integer' },
      { apiName: 'parent', type: 'reference', settings: { contentTypes: ['product'] } },
    ],
  });
  await createType(app(), project, {
    apiName: 'article',
    isPage: true,
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'product', type: 'reference', settings: { contentTypes: ['product'] } },
    ],
  });
  desk = new Desk(app(), project);
});

async function make(body: Parameters<typeof createEntry>[2]): Promise<TestEntry> {
  const entry = await createEntry(app(), desk.project, body);
  return publish(app(), desk.project, entry.id);
}

const product = (title: string, fields: object = {}) =>
  make({ contentTypeApiName: 'product', fields: { title, ...fields } });

const read = (path: string, key?: string) =>
  send(app(), { method: 'GET', path: `${desk.project.delivery}${path}`, key });

async function ask<T>(query: string, key = desk.project.keys.delivery): Promise<T> {
  const path = `/api/graphql/${desk.project.slug}`;
  const { body } = await send(app(), { method: 'POST', path, key, body: { query } });
  expect(body).not.toHaveProperty('errors');
  return (body as { data: T }).data;
}

const everyLocale = ['en', 'de', 'fr'] as const;

describe('An entry of a type without locales, in delivery', () => {
  verifies('localization/one-document');

  it('is served in every locale of its site, each named as the one that was asked for', async () => {
    const { id } = await product('Lamp', { price: 3 });
    for (const locale of everyLocale) {
      const { body } = await read(`/entries/${id}?locale=${locale}&paths=true`);
      expect(body.data).toMatchObject({
        _id: id,
        _slug: 'lamp',
        _locale: locale,
        _path: '/lamp',
        fields: { title: 'Lamp', price: 3 },
      });
    }
    const { body } = await read(`/entries/${id}`);
    expect(body.data._locale).toBe('en');
    expect(outcome(await read(`/entries/${id}?locale=it`))).toEqual([404, 'locale_not_found']);
  });

  it('is expanded in references of entries that are read in any locale', async () => {
    const parent = await product('Lamp');
    const child = await product('Bulb', { parent: { _ref: parent.id } });
    const { id, version } = await make({
      contentTypeApiName: 'article',
      fields: { title: 'About', product: { _ref: child.id } },
    });
    await desk.put(`/entries/${id}`, { version, locale: 'de', fields: { title: 'Über' } });
    await desk.put(`/entries/${id}`, {
      version: version + 1,
      locale: 'de',
      fields: { product: { _ref: child.id } },
    });
    await publish(app(), desk.project, id, 'de');
    const { body } = await read(`/entries/${id}?locale=de&include=2`);
    expect(body.data.fields.product).toMatchObject({
      _id: child.id,
      _locale: 'de',
      fields: { title: 'Bulb', parent: { _id: parent.id, _locale: 'de', fields: { title: 'Lamp' } } },
    });
  });

  it('is listed, filtered, counted and walked once in every locale', async () => {
    const made = [await product('Lamp', { price: 3 }), await product('Bulb', { price: 1 })];
    await createEntry(app(), desk.project, { contentTypeApiName: 'product', fields: { title: 'Draft' } });
    for (const locale of everyLocale) {
      const { body } = await read(`/content/product?locale=${locale}&orderBy=createdAt:asc`);
      expect(body.meta.total).toBe(2);
      expect(body.data).toEqual(made.map(({ id }) => expect.objectContaining({ _id: id, _locale: locale })));
      const filtered = await read(`/content/product?locale=${locale}&filter[title][eq]=Bulb`);
      expect([filtered.body.meta.total, filtered.body.data[0]._locale]).toEqual([1, locale]);
      const wide = await read(`/content/product?locale=${locale}&filter[price][gte]=2`);
      expect(wide.body.data).toMatchObject([{ fields: { title: 'Lamp' }, _locale: locale }]);
      const first = await read(`/content/product?locale=${locale}&limit=1&cursor=*`);
      const next = await read(
        `/content/product?locale=${locale}&limit=1&cursor=${String(first.body.meta.nextCursor)}`,
      );
      expect([first.body.meta.total, first.body.data[0]._id, next.body.data[0]._id]).toEqual([
        2,
        made[1]?.id,
        made[0]?.id,
      ]);
    }
  });

  it('has a route in every locale, which its site lists in the sitemap with alternates', async () => {
    await desk.put('/sites/main', { localePathStrategy: 'prefix', baseUrl: 'https://shop.example.com' });
    const { id } = await product('Lamp');
    for (const [locale, path] of [
      ['en', '/lamp'],
      ['de', '/de/lamp'],
      ['fr', '/fr/lamp'],
    ] as const) {
      const { body } = await read(`/routes?path=${path}`);
      expect(body.data).toMatchObject({ kind: 'entry', entry: { _id: id, _locale: locale } });
    }
    const { body } = await read('/sitemap?format=json');
    const links = [
      { hreflang: 'en', href: 'https://shop.example.com/lamp' },
      { hreflang: 'de', href: 'https://shop.example.com/de/lamp' },
      { hreflang: 'fr', href: 'https://shop.example.com/fr/lamp' },
      { hreflang: 'x-default', href: 'https://shop.example.com/lamp' },
    ];
    expect(body.data).toEqual(
      [...everyLocale].map((locale) => expect.objectContaining({ entryId: id, locale, alternates: links })),
    );
  });

  it('is in the tree of every locale with its published title and slug', async () => {
    const { id, version } = await product('Lamp');
    await desk.put(`/entries/${id}`, { version, slug: 'draft', fields: { title: 'Draft' } });
    for (const locale of everyLocale) {
      const { body } = await read(`/tree?locale=${locale}`);
      expect(body.data).toMatchObject([{ entryId: id, name: 'Lamp', path: '/lamp' }]);
    }
  });

  it('is served at / in every locale as the home of its site', async () => {
    const { id } = await product('Lamp');
    await desk.put('/sites/main', { homeEntryId: id });
    for (const locale of everyLocale) {
      const { body } = await read(`/routes?path=/&locale=${locale}`);
      expect(body.data).toMatchObject({ kind: 'entry', entry: { _id: id, _locale: locale } });
    }
  });

  it('is found by GraphQL by id, slug and route, and in collections of one site and of all', async () => {
    const { id } = await product('Lamp');
    const { entry } = await ask<{ entry: object }>(`{ entry(id: "${id}") { _id _locale } }`);
    expect(entry).toEqual({ _id: id, _locale: 'en' });
    for (const locale of everyLocale) {
      const found = await ask<object>(`{
        entryBySlug(slug: "lamp", site: "main", locale: "${locale}") { _id _locale }
        resolveRoute(site: "main", locale: "${locale}", path: "/lamp") { kind entry { _id _locale } }
        site: productCollection(site: "main", locale: "${locale}") { total items { _id _locale title } }
        all: productCollection(locale: "${locale}") { total items { _id _locale } }
      }`);
      const own = { _id: id, _locale: locale };
      expect(found).toEqual({
        entryBySlug: own,
        resolveRoute: { kind: 'entry', entry: own },
        site: { total: 1, items: [{ ...own, title: 'Lamp' }] },
        all: { total: 1, items: [own] },
      });
    }
    const { all } = await ask<{ all: object }>('{ all: productCollection { total items { _locale } } }');
    expect(all).toEqual({ total: 1, items: [{ _locale: 'en' }] });
  });

  it('is listed for all sites in the default locale of each', async () => {
    const made = await desk.post('/sites', {
      slug: 'german',
      name: 'German',
      locales: ['de'],
      defaultLocale: 'de',
    });
    await product('Lamp');
    await make({
      contentTypeApiName: 'product',
      siteId: made.body.data.id as string,
      fields: { title: 'Birne' },
    });
    const { all } = await ask<{ all: { total: number; items: object[] } }>(
      '{ all: productCollection { total items { title _locale } } }',
    );
    expect(all.total).toBe(2);
    expect(all.items).toEqual(
      expect.arrayContaining([
        { title: 'Lamp', _locale: 'en' },
        { title: 'Birne', _locale: 'de' },
      ]),
    );
  });

  it('is found by search in every locale, and counted there', async () => {
    const { id } = await product('Lamp');
    const article = await make({ contentTypeApiName: 'article', fields: { title: 'Lamp' } });
    await app().composition.jobs.indexSearch();
    const { body: english } = await read('/search?q=lamp&facets=locale');
    expect(english.data).toHaveLength(2);
    expect(english.meta.facets).toEqual({ locale: { en: 2 } });
    const { body: german } = await read('/search?q=lamp&locale=de&facets=locale');
    expect(german.data).toMatchObject([{ entry: { _id: id, _locale: 'de' } }]);
    expect(german.meta.facets).toEqual({ locale: { de: 1 } });
    const { body: french } = await read('/search?q=lamp&locale=fr&facets=locale');
    expect(french.meta.facets).toEqual({ locale: { fr: 1, en: 1 } });
    const ids = (french.data as { entry: { _id: string; _locale: string } }[]).map(({ entry }) => [
      entry._id,
      entry._locale,
    ]);
    expect(ids).toEqual(
      expect.arrayContaining([
        [id, 'fr'],
        [article.id, 'en'],
      ]),
    );
  });

  it('is previewed in every locale', async () => {
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'product',
      fields: { title: 'Lamp' },
    });
    const { preview } = desk.project.keys;
    await app().composition.jobs.indexSearch();
    for (const locale of everyLocale) {
      const own = { _id: id, _locale: locale, fields: { title: 'Lamp' } };
      expect((await read(`/entries/${id}?locale=${locale}`, preview)).body.data).toMatchObject(own);
      const list = await read(`/content/product?locale=${locale}`, preview);
      expect([list.body.meta.total, list.body.data]).toMatchObject([1, [own]]);
      expect((await read(`/routes?path=/lamp&locale=${locale}`, preview)).body.data.entry).toMatchObject(own);
      const found = await read(`/search?q=lamp&locale=${locale}`, preview);
      expect(found.body.data).toMatchObject([{ entry: own }]);
    }
    const link = await desk.post(`/entries/${id}/preview`, { locale: 'de' });
    const token = String(link.body.data.token);
    const { body } = await read(`/entries/${id}?locale=de&previewToken=${token}`);
    expect(body.data).toMatchObject({ _id: id, _locale: 'de' });
  });

  it('changes in every locale at once when it is published, and leaves all when it is unpublished', async () => {
    const { id, version } = await product('Lamp');
    const title = async (locale: string) =>
      (await read(`/entries/${id}?locale=${locale}`)).body.data?.fields.title as unknown;
    expect(await Promise.all(everyLocale.map(title))).toEqual(['Lamp', 'Lamp', 'Lamp']);
    await desk.put(`/entries/${id}`, { version, fields: { title: 'Lantern' } });
    await publish(app(), desk.project, id);
    expect(await Promise.all(everyLocale.map(title))).toEqual(['Lantern', 'Lantern', 'Lantern']);
    await desk.post(`/entries/${id}/unpublish`, {});
    for (const locale of everyLocale)
      expect(outcome(await read(`/entries/${id}?locale=${locale}`))).toEqual([404, 'entry_not_found']);
    expect((await read('/content/product?locale=de')).body.meta.total).toBe(0);
    expect((await read('/sitemap?format=json')).body.data).toEqual([]);
  });

  it('stays where it is when its site gets another default locale', async () => {
    const { id } = await product('Lamp');
    await desk.put('/sites/main', { defaultLocale: 'de' });
    for (const locale of everyLocale)
      expect((await read(`/entries/${id}?locale=${locale}`)).body.data).toMatchObject({ _locale: locale });
    expect((await read('/content/product')).body.data).toMatchObject([{ _id: id, _locale: 'de' }]);
    const { entry } = await ask<{ entry: object }>(`{ entry(id: "${id}") { _id _locale } }`);
    expect(entry).toEqual({ _id: id, _locale: 'de' });
    expect((await desk.get(`/entries/${id}`)).body.data).toMatchObject({ locale: 'en', status: 'published' });
    for (const locale of ['de', 'en', undefined]) {
      const { body } = await desk.get(`/entries/${id}`);
      const changed = await desk.put(`/entries/${id}`, {
        version: body.data.version as number,
        locale,
        fields: { title: `Lamp ${String(locale)}` },
      });
      expect(changed.body.data).toMatchObject({ locale: 'en', fields: { title: `Lamp ${String(locale)}` } });
    }
    await publish(app(), desk.project, id, 'de');
    expect((await read(`/entries/${id}`)).body.data.fields.title).toBe('Lamp undefined');
  });
});
