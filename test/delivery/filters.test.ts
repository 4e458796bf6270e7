import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { createEntry, createType, everyField, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { useApp } from '../support/desk.js';

verifies('delivery/filters', 'delivery/caching-etag', 'delivery/filters-rejected');

const app = useApp();
let project: TestProject;
const ids: Record<string, string> = {};
const published: Record<string, string> = {};

const written = {
  a: {
    title: 'Alpha lock',
    count: 1,
    ratio: 0.5,
    isFine: true,
    day: '2026-01-01',
    moment: '2026-01-01T10:00:00Z',
    level: 'low',
  },
  b: {
    title: 'Beta 100%',
    count: 2,
    ratio: 1.5,
    isFine: false,
    day: '2026-02-01',
    moment: '2026-01-01T10:00:00+02:00',
    level: 'high',
  },
  c: { title: 'Gamma', count: 10 },
};

beforeAll(async () => {
  project = await createProject(app(), { locales: ['en'] });
  await createType(app(), project, { apiName: 'everything', fields: everyField });
  for (const [name, fields] of Object.entries(written)) {
    const related = name === 'c' ? [{ _ref: ids.a }, { _ref: ids.b }] : undefined;
    const entry = await createEntry(app(), project, {
      contentTypeApiName: 'everything',
      fields: { ...fields, ...(related && { related }) },
    });
    ids[name] = entry.id;
    await publish(app(), project, entry.id);
    const { body } = await send(app(), { method: 'GET', path: `${project.delivery}/entries/${entry.id}` });
    published[name] = body.data._publishedAt;
  }
});

const list = (query: string, key?: string) =>
  send(app(), {
    method: 'GET',
    path: `${project.delivery}/content/everything?orderBy=createdAt:asc&${query}`,
    key,
  });

const names = (body: { data: { _id: string }[] }) =>
  body.data.map(({ _id }) => Object.keys(ids).find((name) => ids[name] === _id)).join('');

describe('filter[field][op]', () => {
  const cases: [string, string][] = [
    ['filter[title][eq]=Gamma', 'c'],
    ['filter[title][ne]=Gamma', 'ab'],
    ['filter[title][in]=Gamma,Alpha lock', 'ac'],
    ['filter[title][nin]=Gamma,Alpha lock', 'b'],
    ['filter[title][contains]=LOCK', 'a'],
    ['filter[title][contains]=%25', 'b'],
    ['filter[count][gt]=2', 'c'],
    ['filter[count][gte]=2', 'bc'],
    ['filter[count][lt]=10&filter[count][gt]=1', 'b'],
    ['filter[ratio][lte]=0.5', 'a'],
    ['filter[ratio][ne]=0.5', 'bc'],
    ['filter[isFine][eq]=false', 'b'],
    ['filter[day][gte]=2026-01-15', 'b'],
    ['filter[moment][eq]=2026-01-01T08:00:00Z', 'b'],
    ['filter[level][exists]=false', 'c'],
    ['filter[related][exists]=true', 'c'],
  ];

  it.each(cases)('%s matches %s, with their number as total', async (query, kept) => {
    for (const key of [undefined, project.keys.preview]) {
      const { status, body } = await list(query, key);
      expect([status, names(body), body.meta.total]).toEqual([200, kept, kept.length]);
    }
  });

  it('filters lists of links by the id of their targets', async () => {
    const { body } = await list(`filter[related][eq]=${ids.a ?? ''}`);
    expect(names(body)).toBe('c');
    expect(names((await list(`filter[related][ne]=${ids.a ?? ''}`)).body)).toBe('ab');
  });

  it.each([
    'filter[nothing][eq]=1',
    'filter',
    'filter=title',
    'filter[title]=Gamma',
    'filter[title][]=Gamma',
    'filter[][eq]=Gamma',
    'filter[title][eq][x]=Gamma',
    'filter[title][eq=Gamma',
    'filter.title.eq=Gamma',
    'filters[title][eq]=Gamma',
    'filter%5Btitle%5D=Gamma',
    'filter[__proto__][eq]=1',
    'filter[%5F_proto__][eq]=1',
    'filter[title][eq]=Gamma&filter[__proto__][eq]=1',
    'filter[title][__proto__]=1',
    'filter[constructor][eq]=1',
    'filter[title][like]=1',
    'filter[count][eq]=one',
    'filter[count][contains]=1',
    'filter[isFine][gt]=true',
    'filter[body][eq]=x',
    'filter[level][exists]=maybe',
    'filter[title][eq]=a&filter[title][eq]=b',
    Array.from({ length: 6 }, (_, index) => `filter[count][gt]=${String(index)}`).join('&'),
    'fields=title,nothing',
  ])('returns 422 for %s', async (query) => {
    // The list without the filter is in the response cache.
    expect((await list('')).status).toBe(200);
    const { status, body } = await list(query);
    expect([status, body.error]).toEqual([422, 'validation_failed']);
  });

  it('names a malformed filter and the right form', async () => {
    const { body } = await list('filter[title]=Gamma');
    expect(body.details.issues).toEqual([
      {
        path: ['filter[title]'],
        code: 'invalid_filter',
        message: 'Write a filter as filter[field][operator]=value.',
      },
    ]);
  });

  it('treats hostile filter values as plain values', async () => {
    const hostile = encodeURIComponent("'); DROP TABLE entries; --\\");
    expect((await list(`filter[title][eq]=${hostile}`)).body.meta.total).toBe(0);
    expect((await list(`filter[title][contains]=${hostile}`)).body.meta.total).toBe(0);
  });
});

describe('filter[_slug], filter[_id] and filter[_publishedAt]', () => {
  verifies('delivery/filters-by-system-keys');

  const cases: [string, () => string, string][] = [
    ['filter[_slug][eq]', () => 'gamma', 'c'],
    ['filter[_slug][ne]', () => 'gamma', 'ab'],
    ['filter[_slug][in]', () => 'gamma,alpha-lock', 'ac'],
    ['filter[_slug][nin]', () => 'gamma,alpha-lock', 'b'],
    ['filter[_slug][gt]', () => 'alpha-lock', 'bc'],
    ['filter[_slug][contains]', () => 'LOCK', 'a'],
    ['filter[_slug][exists]', () => 'false', ''],
    ['filter[_id][eq]', () => ids.b?.toUpperCase() ?? '', 'b'],
    ['filter[_id][in]', () => `${ids.a ?? ''},${ids.c ?? ''}`, 'ac'],
    ['filter[_id][nin]', () => ids.a ?? '', 'bc'],
    ['filter[_publishedAt][gte]', () => published.b ?? '', 'bc'],
    ['filter[_publishedAt][lt]', () => published.b ?? '', 'a'],
    ['filter[_publishedAt][eq]', () => published.c ?? '', 'c'],
    ['filter[_publishedAt][exists]', () => 'true', 'abc'],
  ];

  it.each(cases)('%s keeps the right entries, with their number as total', async (filter, value, kept) => {
    for (const key of [undefined, project.keys.preview]) {
      const { status, body } = await list(`${filter}=${encodeURIComponent(value())}`, key);
      expect([status, names(body), body.meta.total]).toEqual([200, kept, kept.length]);
    }
  });

  it('compares slugs in NFC', async () => {
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'everything',
      slug: 'café',
      fields: { title: 'Café' },
    });
    await publish(app(), project, id);
    for (const slug of ['café', 'café'.normalize('NFD')]) {
      const { body } = await list(`filter[_slug][eq]=${encodeURIComponent(slug)}`);
      expect(body.data.map(({ _id }: { _id: string }) => _id)).toEqual([id]);
    }
    await send(app(), {
      method: 'POST',
      path: `${project.management}/entries/${id}/unpublish`,
      key: project.keys.management,
      body: {},
    });
  });

  it.each([
    ['filter[_id][eq]=7', 'Must be a valid id.'],
    ['filter[_id][gt]=019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69', '_id cannot be compared with gt.'],
    [
      'filter[_publishedAt][eq]=yesterday',
      'Must be a time with an offset or Z, such as 2026-03-01T09:30:00Z.',
    ],
    [
      'filter[_publishedAt][gt]=0000-01-01T00:00:00Z',
      'Must be a time with an offset or Z, such as 2026-03-01T09:30:00Z.',
    ],
    [
      'filter[_publishedAt][gt]=2026-01-01T00:00:00%2B23:59',
      'Must be a time with an offset or Z, such as 2026-03-01T09:30:00Z.',
    ],
    ['filter[_publishedAt][contains]=2026', '_publishedAt cannot be compared with contains.'],
    ['filter[_slug][exists]=maybe', 'Must be true or false.'],
    ['filter[slug][eq]=gamma', 'Unknown field slug. Did you mean _slug?'],
    ['filter[_locale][eq]=en', 'Unknown field _locale.'],
  ])('returns 422 with the reason for %s', async (query, message) => {
    const { status, body } = await list(query);
    expect([status, body.details.issues[0].message]).toEqual([422, message]);
  });
});

describe('A parameter that names a field or system key', () => {
  verifies('lists/filters-unknown');

  it.each([
    ['slug=gamma', 'slug', 'Use filter[_slug][eq]=.'],
    ['_slug=gamma', '_slug', 'Use filter[_slug][eq]=.'],
    ['id=7', 'id', 'Use filter[_id][eq]=.'],
    ['publishedAt=2026', 'publishedAt', 'Use filter[_publishedAt][eq]=.'],
    ['title=Gamma', 'title', 'Use filter[title][eq]=.'],
    ['%74itle=Gamma', 'title', 'Use filter[title][eq]=.'],
    ['title[eq]=Gamma', 'title[eq]', 'Use filter[title][eq]=.'],
    ['body=x', 'body', 'Use filter[body][exists]=.'],
    ['siteId=x', 'siteId', 'The path names the site.'],
    ['_type=x', '_type', 'The path names the content type.'],
    ['_locale=en', '_locale', 'Use locale=.'],
  ])('returns 422 for %s, also if the list is cached', async (query, name, spelling) => {
    const asked = (more: string) => list(`limit=2${more}`);
    expect((await asked('')).status).toBe(200);
    const { status, body } = await asked(`&${query}`);
    expect([status, body.details?.issues]).toEqual([
      422,
      [{ path: [name], code: 'unknown_parameter', message: `${name} is not a parameter. ${spelling}` }],
    ]);
    expect((await asked('')).status).toBe(200);
  });

  it('ignores other unknown parameters, and shares the cached response between their values', async () => {
    const first = await list('limit=3&utm_source=mail&constructor=1&__proto__=1');
    expect(first.status).toBe(200);
    const again = 'limit=3&utm_source=post&constructor=2&__proto__=2';
    const { result, statements } = await app().recordStatements(() => list(again));
    expect([result.text, statements]).toEqual([first.text, []]);
  });
});

describe('An unknown parameter of a management list', () => {
  verifies('lists/filters-unknown');

  it.each([
    ['statuss=draft', 'Unknown parameter. Did you mean status?'],
    ['contentType=article', 'Unknown parameter. Did you mean contentTypeApiName?'],
    ['Locale=de', 'Unknown parameter. Did you mean locale?'],
    ['xyz=1', /^Unknown parameter\. Known parameters: page, limit, .*\.$/],
    [`${'x'.repeat(5000)}=1`, /^Unknown parameter\. Known parameters: /],
  ])('returns 422 with the nearest known name for %.20s', async (query, message) => {
    const path = `${project.management}/entries?${query}`;
    const { status, body } = await send(app(), { method: 'GET', path, key: project.keys.management });
    expect(status).toBe(422);
    expect(body.details.issues[0].message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });
});

describe('fields', () => {
  it('returns only the requested fields', async () => {
    const { body } = await list('fields=title,count&filter[title][eq]=Gamma');
    expect(body.data[0].fields).toEqual({ title: 'Gamma', count: 10 });
  });
});

describe('ETag', () => {
  it('sets an ETag for the bytes of a published response and returns 304 for it', async () => {
    const path = `${project.delivery}/entries/${ids.a ?? ''}`;
    const first = await app().request.get(path);
    const tag = String(first.headers.etag);
    expect(tag).toMatch(/^"[\w-]+"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await app().request.get(path).set('If-None-Match', known);
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag]);
      expect(again.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=3600');
    }
    expect((await app().request.get(path).set('If-None-Match', '"other"')).status).toBe(200);
  });

  it('sets no ETag on previews', async () => {
    const { headers } = await list('', project.keys.preview);
    expect([headers.etag, headers['cache-control']]).toEqual([undefined, 'private, no-store']);
  });
});
