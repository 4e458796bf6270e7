import { describe, expect, it } from '@jest/globals';
import { startTestApp } from '../support/app.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';

const app = useApp();

/** An unexpanded reference. */
const link = (id: string) => ({ _ref: id, _type: 'article' });

/** Published articles, each related to the named ones. */
async function web(desk: Desk, related: Record<string, readonly string[]>): Promise<Record<string, string>> {
  const { app } = desk;
  const ids: Record<string, string> = {};
  for (const title of Object.keys(related))
    ids[title] = (
      await createEntry(app, desk.project, { contentTypeApiName: 'article', fields: { title } })
    ).id;
  for (const [title, others] of Object.entries(related)) {
    const fields = { related: others.map((other) => ({ _ref: ids[other] })) };
    await desk.put(`/entries/${ids[title] ?? ''}`, { version: 1, fields });
  }
  for (const id of Object.values(ids)) await publish(app, desk.project, id);
  return ids;
}

/** `related` in short notation: `"id"` for a link, `{ title: [...] }` for an entry. */
function shape(fields: Record<string, unknown>): unknown {
  return (fields.related as Record<string, unknown>[]).map((item) => {
    if ('_ref' in item) return item._ref;
    const inner = item.fields as Record<string, unknown>;
    return { [String(inner.title)]: shape(inner) };
  });
}

async function read(desk: Desk, id: string | undefined, include: number) {
  const path = `/entries/${id ?? ''}?include=${String(include)}`;
  const { body } = await desk.app.request.get(`${desk.project.delivery}${path}`);
  return (body as { data: { fields: Record<string, unknown> } }).data.fields;
}

describe('A chain of references', () => {
  verifies('delivery/include', 'delivery/entry-links');

  it('expands a chain of references to the requested depth and ends with links', async () => {
    const desk = await openDesk(app());
    const ids = await web(desk, { a: ['b'], b: ['c'], c: ['d'], d: ['e'], e: [] });
    expect(await read(desk, ids.a, 0)).toMatchObject({ related: [link(ids.b ?? '')] });
    expect(shape(await read(desk, ids.a, 1))).toEqual([{ b: [ids.c] }]);
    expect(shape(await read(desk, ids.a, 2))).toEqual([{ b: [{ c: [ids.d] }] }]);
    expect(shape(await read(desk, ids.a, 3))).toEqual([{ b: [{ c: [{ d: [ids.e] }] }] }]);
  });

  it('expands references no deeper than the setting MAX_REFERENCE_DEPTH', async () => {
    const narrow = await startTestApp({
      queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 1 },
    });
    try {
      const desk = await openDesk(narrow);
      const ids = await web(desk, { a: ['b'], b: ['c'], c: [] });
      expect(shape(await read(desk, ids.a, 3))).toEqual([{ b: [ids.c] }]);
      const { body } = await narrow.request.get(`${desk.project.delivery}/content/article?include=3`);
      const [entry] = (body.data as { _id: string; fields: Record<string, unknown> }[]).filter(
        ({ _id }) => _id === ids.a,
      );
      expect(shape(entry?.fields ?? {})).toEqual([{ b: [ids.c] }]);
    } finally {
      await narrow.close();
    }
  });

  it('inlines references as full entries in delivery shape', async () => {
    const desk = await openDesk(app());
    const ids = await web(desk, { a: ['b'], b: [] });
    const { related } = (await read(desk, ids.a, 1)) as { related: Record<string, unknown>[] };
    expect(Object.keys(related[0] ?? {})).toEqual([
      '_id',
      '_type',
      '_slug',
      '_siteId',
      '_locale',
      '_publishedAt',
      'fields',
    ]);
  });
});

describe('A reference to an id on the current path', () => {
  verifies('delivery/include');

  it('keeps a reference to an entry on the current path as a link, self-references included', async () => {
    const desk = await openDesk(app());
    const ids = await web(desk, { a: ['a', 'b'], b: ['a', 'b', 'c'], c: ['a', 'b'] });
    expect(shape(await read(desk, ids.a, 3))).toEqual([ids.a, { b: [ids.a, ids.b, { c: [ids.a, ids.b] }] }]);
  });

  it('expands a repeated reference again on another path', async () => {
    const desk = await openDesk(app());
    const ids = await web(desk, { a: ['b', 'c'], b: ['c'], c: ['b'] });
    expect(shape(await read(desk, ids.a, 3))).toEqual([{ b: [{ c: [ids.b] }] }, { c: [{ b: [ids.c] }] }]);
  });

  it('expands an entry wherever paths of different lengths reach it', async () => {
    const desk = await openDesk(app());
    const ids = await web(desk, { a: ['b', 'c'], b: ['c'], c: ['d'], d: ['e'], e: [] });
    expect(shape(await read(desk, ids.a, 3))).toEqual([
      { b: [{ c: [{ d: [ids.e] }] }] },
      { c: [{ d: [{ e: [] }] }] },
    ]);
  });
});

describe('A reference to something that is not live', () => {
  verifies('delivery/entry-links', 'access/preview-key-drafts');

  it('keeps a reference to an unpublished entry as a link, except in previews', async () => {
    const desk = await openDesk(app());
    const ids = await web(desk, { a: ['b'], b: [] });
    await desk.post(`/entries/${ids.b ?? ''}/unpublish`);
    expect(shape(await read(desk, ids.a, 1))).toEqual([ids.b]);
    const preview = async () => {
      const call = app().request.get(`${desk.project.delivery}/entries/${ids.a ?? ''}?include=1`);
      const { body } = await call.set('Authorization', `Bearer ${desk.project.keys.preview}`);
      return shape((body as { data: { fields: Record<string, unknown> } }).data.fields);
    };
    expect(await preview()).toEqual([{ b: [] }]);
    await desk.delete(`/entries/${ids.b ?? ''}`);
    expect(await preview()).toEqual([ids.b]);
  });
});

describe('Blocks and single references', () => {
  verifies('delivery/entry-links');

  it('expands blocks and single references alike, each to its own type', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, {
      apiName: 'page',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'parts', type: 'blocks' },
        { apiName: 'lead', type: 'reference' },
      ],
    });
    const make = async (contentTypeApiName: string, fields: Record<string, unknown>) => {
      const { id } = await createEntry(app(), desk.project, { contentTypeApiName, fields });
      await publish(app(), desk.project, id);
      return id;
    };
    const ada = await make('author', { name: 'Ada' });
    const text = await make('article', { title: 'Text' });
    const page = await make('page', {
      title: 'Page',
      parts: [{ _ref: text }, { _ref: ada }, { _ref: text }],
      lead: { _ref: ada },
    });
    expect(await read(desk, page, 0)).toMatchObject({
      parts: [link(text), { _ref: ada, _type: 'author' }, link(text)],
      lead: { _ref: ada, _type: 'author' },
    });
    const expanded = { _id: text, _type: 'article' };
    expect(await read(desk, page, 1)).toMatchObject({
      parts: [expanded, { _id: ada, _type: 'author' }, expanded],
      lead: { _id: ada, fields: { name: 'Ada' } },
    });
  });
});

describe('A linked entry', () => {
  verifies('delivery/include', 'localization/fallback');

  it('shows a linked entry in the requested locale, or as a link if that locale is not published', async () => {
    const desk = await openDesk(app());
    const ids = await web(desk, { a: ['b', 'c'], b: [], c: [] });
    for (const [name, title] of [
      ['a', 'A auf Deutsch'],
      ['b', 'B auf Deutsch'],
    ]) {
      const id = ids[name ?? ''] ?? '';
      const fields = name === 'a' ? { title, related: [{ _ref: ids.b }, { _ref: ids.c }] } : { title };
      await desk.put(`/entries/${id}`, { version: 2, locale: 'de', fields });
      await publish(app(), desk.project, id, 'de');
    }
    const path = `${desk.project.delivery}/entries/${ids.a ?? ''}?include=1&locale=de`;
    const { related } = (await app().request.get(path)).body.data.fields;
    expect(related[0]).toMatchObject({ _locale: 'de', fields: { title: 'B auf Deutsch' } });
    expect(related[1]).toStrictEqual(link(ids.c ?? ''));
  });

  it('expands linked entries of another site', async () => {
    const desk = await openDesk(app());
    const site = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body.data as { id: string };
    const article = { contentTypeApiName: 'article', siteId: site.id, fields: { title: 'Far away' } };
    const far = await createEntry(app(), desk.project, article);
    await publish(app(), desk.project, far.id);
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Near', related: [{ _ref: far.id }] },
    });
    await publish(app(), desk.project, id);
    expect(await read(desk, id, 1)).toMatchObject({
      related: [{ _siteId: site.id, fields: { title: 'Far away' } }],
    });
  });
});

describe('A path', () => {
  verifies('delivery/routes-include');

  it('expands references of the page at a path as those of an entry, and is purged with them', async () => {
    const desk = await openDesk(app());
    const ids = await web(desk, { a: ['b'], b: ['c'], c: ['a', 'd'], d: [] });
    await desk.put('/sites/main', { homeEntryId: ids.a });
    const at = (query: string) => app().request.get(`${desk.project.delivery}/routes?path=/${query}`);
    const entry = (include: number) =>
      app().request.get(`${desk.project.delivery}/entries/${ids.a ?? ''}?include=${String(include)}`);
    expect((await at('')).body.data.entry).toEqual((await entry(0)).body.data);
    for (const include of [0, 1, 2, 3]) {
      const { body, headers } = await at(`&include=${String(include)}`);
      const expected = await entry(include);
      expect(body.data).toEqual({ kind: 'entry', entry: expected.body.data });
      expect(headers['surrogate-key']).toBe(expected.headers['surrogate-key']);
    }
    expect((await at('&include=4')).status).toBe(422);
    await desk.put(`/entries/${ids.b ?? ''}`, { version: 2, fields: { title: 'B!' } });
    await publish(app(), desk.project, ids.b ?? '');
    const { fields } = (await at('&include=1')).body.data.entry as { fields: Record<string, unknown> };
    expect(shape(fields)).toEqual([{ 'B!': [ids.c] }]);
  });

  it.each([1, 3])('reads the references of include=%i with one statement per hop', async (include) => {
    const desk = await openDesk(app());
    const many = Array.from({ length: 25 }, (_, index) => `n${String(index)}`);
    const related = { a: many, ...Object.fromEntries(many.map((name) => [name, ['z']])), z: [] };
    const ids = await web(desk, related);
    await desk.put('/sites/main', { homeEntryId: ids.a });
    const path = `${desk.project.delivery}/routes?path=/&include=${String(include)}`;
    const { statements } = await app().recordStatements(() => app().request.get(path));
    const reads = statements.filter((sql) => sql.includes('FROM published_entries'));
    expect(reads).toHaveLength(1 + Math.min(include, 2));
  });
});
