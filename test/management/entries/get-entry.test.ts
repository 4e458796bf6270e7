import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, paragraphs, publish, type TestEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const article = (desk: Desk, fields: Record<string, unknown> = { title: 'Title' }): Promise<TestEntry> =>
  createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });

describe('200', () => {
  verifies('entries/operations', 'entries/status');

  it('returns the draft as written, in the order of the type’s fields', async () => {
    const desk = await openDesk(app());
    const fields = { code: 'A', body: paragraphs('Words'), title: 'Title' };
    const { id } = await article(desk, fields);
    await publish(app(), desk.project, id);
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Newer' } });
    const { data } = (await desk.get(`/entries/${id}`)).body;
    expect(data).toMatchObject({ version: 2, status: 'changed', fields: { ...fields, title: 'Newer' } });
    expect(Object.keys(data.fields as object)).toEqual(['title', 'body', 'code']);
  });

  it('returns values, slug and status of the requested locale', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock', code: 'A' });
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Schleuse' } });
    await publish(app(), desk.project, id, 'de');
    expect((await desk.get(`/entries/${id}?locale=de`)).body.data).toMatchObject({
      locale: 'de',
      slug: 'schleuse',
      status: 'published',
      fields: { title: 'Schleuse', code: 'A' },
    });
    expect((await desk.get(`/entries/${id}`)).body.data).toMatchObject({ locale: 'en', status: 'draft' });
  });

  it('returns only shared values for an unwritten locale', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock', code: 'A' });
    expect((await desk.get(`/entries/${id}?locale=fr`)).body.data).toMatchObject({
      locale: 'fr',
      status: 'draft',
      slug: 'lock',
      fields: { code: 'A' },
      locales: [{ locale: 'en' }],
    });
  });

  it('returns the first written locale when the default one is missing', async () => {
    const desk = await openDesk(app());
    const made = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      locale: 'fr',
      fields: { title: 'Écluse' },
    });
    expect((await desk.get(`/entries/${made.id}`)).body.data).toMatchObject({
      locale: 'fr',
      fields: { title: 'Écluse' },
    });
  });

  it('finds an entry by its id in capitals', async () => {
    const desk = await openDesk(app());
    const entry = await article(desk);
    expect((await desk.get(`/entries/${entry.id.toUpperCase()}`)).body.data).toEqual(entry);
  });
});

describe('include', () => {
  verifies('entries/operations');

  it('expands references to drafts in delivery shape and leaves other values as written', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const inner = await article(desk, {
      title: 'Inner',
      body: paragraphs('In'),
      author: { _ref: author.id },
    });
    const body = paragraphs('Words');
    const { id } = await article(desk, { title: 'Outer', body, related: [{ _ref: inner.id }] });
    const { fields } = (await desk.get(`/entries/${id}?include=1`)).body.data;
    expect(fields.body).toEqual(body);
    expect(fields.related).toStrictEqual([
      {
        _id: inner.id,
        _type: 'article',
        _slug: 'inner',
        _siteId: desk.project.siteId,
        _locale: 'en',
        _publishedAt: null,
        fields: {
          title: 'Inner',
          body: { raw: paragraphs('In'), html: '<p>In</p>', text: 'In' },
          author: { _ref: author.id, _type: 'author' },
          related: [],
          code: null,
        },
      },
    ]);
    const deeper = (await desk.get(`/entries/${id}?include=2`)).body.data;
    expect(deeper.fields.related[0].fields.author.fields).toEqual({ name: 'Ada' });
    const unsaid = (await desk.get(`/entries/${id}`)).body.data;
    expect(unsaid.fields.related).toStrictEqual([{ _ref: inner.id, _type: 'article' }]);
  });

  it('leaves links to deleted entries unexpanded', async () => {
    const desk = await openDesk(app());
    const target = await article(desk);
    const { id } = await article(desk, { title: 'Outer', related: [{ _ref: target.id }] });
    await desk.delete(`/entries/${target.id}`);
    const { fields } = (await desk.get(`/entries/${id}?include=3`)).body.data;
    expect(fields.related).toStrictEqual([{ _ref: target.id, _type: 'article' }]);
  });
});

describe('404', () => {
  verifies('http/missing-things');

  it.each(['nothing', '00000000-0000-7000-8000-000000000000', '%00', 'a%2Fb'])(
    'returns 404 for the id %s',
    async (id) => {
      const desk = await openDesk(app());
      expect(outcome(await desk.get(`/entries/${id}`))).toEqual([404, 'entry_not_found']);
    },
  );

  it('returns 404 for an entry of another project', async () => {
    const [desk, other] = [await openDesk(app()), await openDesk(app())];
    const { id } = await article(other);
    for (const path of [`/entries/${id}`, `/entries/${id}?deleted=true`])
      expect(outcome(await desk.get(path))).toEqual([404, 'entry_not_found']);
  });

  it('returns locale_not_found for a locale that the site does not have', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    expect(outcome(await desk.get(`/entries/${id}?locale=es`))).toEqual([404, 'locale_not_found']);
  });
});

describe('422', () => {
  verifies('http/input-shape', 'lists/pages');

  it.each([
    ['include=4', 'include', 'too_big'],
    ['include=x', 'include', 'invalid_type'],
    ['deleted=yes', 'deleted', 'invalid_type'],
    ['locale=EN', 'locale', 'invalid_format'],
  ])('returns 422 for the invalid query %s', async (query, key, code) => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    expect(issues(await desk.get(`/entries/${id}?${query}`))).toEqual([[key, code]]);
  });
});
