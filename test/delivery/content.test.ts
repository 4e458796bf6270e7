import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { send } from '../support/call.js';
import { verifies } from '../support/verifies.js';

const app = useApp();

async function articles(desk: Desk, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const fields = { title: `Article ${String(index)}` };
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
    await publish(app(), desk.project, id);
    ids.push(id);
  }
  return ids;
}

const list = ({ project }: Desk, query = '', key?: string) =>
  send(app(), { method: 'GET', path: `${project.delivery}/content/article${query}`, key });

describe('200', () => {
  verifies('delivery/content-list', 'lists/envelope', 'limits/page-size', 'delivery/default-order');

  it('returns full entries in pages of 25 by default', async () => {
    const desk = await openDesk(app());
    const ids = await articles(desk, 26);
    const first = await list(desk);
    expect(first.body.meta).toEqual({ total: 26, page: 1, limit: 25, pages: 2 });
    const second = await list(desk, '?page=2');
    expect([...column(first, '_id'), ...column(second, '_id')]).toEqual([...ids].reverse());
    expect(first.body.data[0].fields).toMatchObject({ title: 'Article 25', related: [] });
    expect((await list(desk, '?limit=100')).body.data).toHaveLength(26);
  });

  it('returns an empty list with 0 pages if nothing is published, and past the last page', async () => {
    const desk = await openDesk(app());
    expect((await list(desk)).body).toEqual({ data: [], meta: { total: 0, page: 1, limit: 25, pages: 0 } });
    await articles(desk, 1);
    expect((await list(desk, '?page=7')).body).toMatchObject({
      data: [],
      meta: { total: 1, page: 7, pages: 1 },
    });
  });

  it('sorts by creation or publication time in both directions', async () => {
    const desk = await openDesk(app());
    const [a = '', b = ''] = await articles(desk, 2);
    await desk.put(`/entries/${a}`, { version: 1, fields: { title: 'Again' } });
    const order = async (by: string) => column(await list(desk, by === '' ? '' : `?orderBy=${by}`), '_id');
    expect(await order('')).toEqual([b, a]);
    await publish(app(), desk.project, a);
    expect(await order('')).toEqual([a, b]);
    expect(await order('updatedAt:asc')).toEqual([b, a]);
    expect(await order('createdAt:desc')).toEqual([b, a]);
    expect(await order('createdAt:asc')).toEqual([a, b]);
  });

  it('returns published entries of the site only', async () => {
    const desk = await openDesk(app());
    const site = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id as string;
    const [kept, gone = '', deleted = ''] = await articles(desk, 3);
    const elsewhere = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      siteId: site,
      fields: { title: 'There' },
    });
    await publish(app(), desk.project, elsewhere.id);
    await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'Draft' } });
    await desk.post(`/entries/${gone}/unpublish`);
    await desk.delete(`/entries/${deleted}`);
    const answer = await list(desk);
    expect([column(answer, '_id'), answer.body.meta.total]).toEqual([[kept], 1]);
  });

  it('shows preview keys the newest form of each entry, uncached', async () => {
    const desk = await openDesk(app());
    const [a = ''] = await articles(desk, 1);
    await desk.put(`/entries/${a}`, { version: 1, fields: { title: 'Newest' } });
    await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'Draft' } });
    const { body, headers } = await list(desk, '?orderBy=createdAt:asc', desk.project.keys.preview);
    expect(body.meta.total).toBe(2);
    expect(body.data).toEqual([
      expect.objectContaining({ _id: a, fields: expect.objectContaining({ title: 'Newest' }) }),
      expect.objectContaining({ _publishedAt: null }),
    ]);
    expect(headers['cache-control']).toBe('private, no-store');
  });

  it('expands references in lists as in single reads', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    await publish(app(), desk.project, author.id);
    const fields = { title: 'By Ada', author: { _ref: author.id } };
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
    await publish(app(), desk.project, id);
    expect((await list(desk)).body.data[0].fields.author).toEqual({ _ref: author.id, _type: 'author' });
    expect((await list(desk, '?include=1')).body.data[0].fields.author.fields.name).toBe('Ada');
  });
});

describe('Headers', () => {
  verifies('http/delivery-headers');

  it('sets surrogate keys for the type and site of a list, even if it is empty', async () => {
    const desk = await openDesk(app());
    const { headers } = await list(desk);
    expect(headers['surrogate-key']).toBe(`type:article site:main project:${desk.project.slug}`);
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=3600');
  });
});

describe('422', () => {
  verifies('delivery/no-sort-by-field', 'limits/page-size', 'lists/pages');

  it.each([
    'limit=101',
    'limit=0',
    'limit=-1',
    'page=0',
    'page=1000001',
    'orderBy=title:asc',
    'orderBy=fields.title:asc',
    'orderBy=createdAt',
    'orderBy=createdAt:up',
    'include=4',
  ])('returns 422 for %s', async (query) => {
    const desk = await openDesk(app());
    expect(outcome(await list(desk, `?${query}`))).toEqual([422, 'validation_failed']);
  });

  it('says how to sort by a field', async () => {
    const desk = await openDesk(app());
    const { body } = await list(desk, '?orderBy=title:asc');
    const [issue] = body.details.issues as { message: string }[];
    expect(issue?.message).toContain('search?contentTypeApiName={type}&sort=fields.{apiName}:asc');
  });
});

describe('404', () => {
  verifies('delivery/entry-not-found');

  it('returns 404 for an unknown content type or locale', async () => {
    const desk = await openDesk(app());
    const { delivery } = desk.project;
    expect(outcome(await app().request.get(`${delivery}/content/nothing`))).toEqual([
      404,
      'content_type_not_found',
    ]);
    expect(outcome(await list(desk, '?locale=xx'))).toEqual([404, 'locale_not_found']);
  });
});
