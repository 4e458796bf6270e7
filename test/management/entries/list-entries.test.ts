import { beforeAll, describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

let time = Date.now();
// Each reading is later than the last, so that orders by time are deterministic.
const app = useOwnApp({ clock: () => new Date((time += 1)) });
let desk: Desk;
let otherSite = '';
const ids: Record<string, string> = {};

async function make(name: string, body: Partial<Parameters<typeof createEntry>[2]> = {}): Promise<string> {
  const fields = { title: name };
  const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields, ...body });
  ids[name] = id;
  return id;
}

const query = (text: string) => desk.get(`/entries?${text}`);
const names = async (text: string): Promise<string[]> => {
  const found = column(await query(text), 'id');
  return found.map((id) => Object.keys(ids).find((name) => ids[name] === id) ?? `unknown ${String(id)}`);
};

// In creation order: River, Lake, 100%_wet, Ada (author), Fluss (German only), Far (other site), Gone (deleted).
// Published: River (also in German) and Lake, which has changed since.
beforeAll(async () => {
  desk = await openDesk(app());
  otherSite = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id as string;
  const river = await make('River');
  const lake = await make('Lake');
  await make('100%_wet');
  await make('Ada', { contentTypeApiName: 'author', fields: { name: 'Ada' } });
  await make('Fluss', { locale: 'de' });
  await make('Far', { siteId: otherSite });
  await make('Gone');
  await publish(app(), desk.project, river);
  await publish(app(), desk.project, lake);
  await desk.delete(`/entries/${ids.Gone ?? ''}`);
  await desk.put(`/entries/${lake}`, { version: 1, fields: { title: 'Lake and sea' } });
  await desk.put(`/entries/${river}`, { version: 1, locale: 'de', fields: { title: 'Strom' } });
  await publish(app(), desk.project, river, 'de');
});

describe('200', () => {
  verifies('entries/operations', 'lists/pages', 'lists/envelope');

  it('lists complete entries that are not deleted, last changed first', async () => {
    expect(await names('')).toEqual(['River', 'Lake', 'Far', 'Fluss', 'Ada', '100%_wet']);
    const { body } = await query('');
    expect(body.meta).toEqual({ total: 6, page: 1, limit: 25, pages: 1 });
    for (const entry of body.data as { id: string }[])
      expect((await desk.get(`/entries/${entry.id}`)).body.data).toEqual(entry);
  });

  it.each([
    ['createdAt:asc', ['River', 'Lake', '100%_wet', 'Ada', 'Fluss', 'Far']],
    ['createdAt:desc', ['Far', 'Fluss', 'Ada', '100%_wet', 'Lake', 'River']],
    ['updatedAt:asc', ['100%_wet', 'Ada', 'Fluss', 'Far', 'Lake', 'River']],
    ['title:asc', ['100%_wet', 'Ada', 'Far', 'Fluss', 'Lake', 'River']],
    ['title:desc', ['River', 'Lake', 'Fluss', 'Far', 'Ada', '100%_wet']],
  ])('sorts entries by %s', async (orderBy, expected) => {
    expect(await names(`orderBy=${orderBy}`)).toEqual(expected);
  });

  it('pages without gaps or repetitions', async () => {
    const pages = [1, 2, 3, 4].map((page) => names(`orderBy=createdAt:asc&limit=2&page=${page}`));
    expect(await Promise.all(pages)).toEqual([['River', 'Lake'], ['100%_wet', 'Ada'], ['Fluss', 'Far'], []]);
    expect((await query('limit=4&page=2')).body.meta).toEqual({ total: 6, page: 2, limit: 4, pages: 2 });
  });

  it.each([
    ['contentTypeApiName=author', ['Ada']],
    ['contentTypeApiName=article', ['River', 'Lake', 'Far', 'Fluss', '100%_wet']],
    ['contentTypeApiName=author,article', ['River', 'Lake', 'Far', 'Fluss', 'Ada', '100%_wet']],
    ['locale=de', ['River', 'Fluss']],
    ['locale=fr', []],
    ['status=published', ['River']],
    ['status=changed', ['Lake']],
    ['status=draft', ['Far', 'Fluss', 'Ada', '100%_wet']],
    ['status=published,changed', ['River', 'Lake']],
    ['locale=de&status=published', ['River']],
    ['locale=de&status=draft', ['Fluss']],
    ['q=R', ['River', 'Far']],
    ['q=lake%20and', ['Lake']],
    ['q=%25_', ['100%_wet']],
    ['q=_', ['100%_wet']],
    ['q=strom', []],
    ['locale=de&q=strom', ['River']],
    ['contentTypeApiName=article&status=draft&q=a', ['Far']],
    ['deleted=true', ['Gone']],
    ['deleted=true&q=lake', []],
    ['deleted=false&q=gone', []],
  ])('returns and counts the entries that match %s', async (text, expected) => {
    expect(await names(text)).toEqual(expected);
    expect((await query(text)).body.meta.total).toBe(expected.length);
  });

  it('filters by any of the given sites', async () => {
    const { siteId } = desk.project;
    expect(await names(`siteId=${otherSite}`)).toEqual(['Far']);
    expect(await names(`siteId=${otherSite.toUpperCase()}`)).toEqual(['Far']);
    expect(await names(`siteId=${siteId},${otherSite}`)).toHaveLength(6);
    expect(await names(`siteId=${siteId}&siteId=${otherSite}`)).toHaveLength(6);
  });

  it('returns the requested locale, else the site’s default, else the first one', async () => {
    const titleIn = async (text: string, name: string) => {
      const { body } = await query(text);
      const entry = body.data.find(({ id }: { id: string }) => id === ids[name]);
      return [entry.locale, entry.status, entry.fields.title] as string[];
    };
    expect(await titleIn('', 'River')).toEqual(['en', 'published', 'River']);
    expect(await titleIn('locale=de', 'River')).toEqual(['de', 'published', 'Strom']);
    expect(await titleIn('', 'Fluss')).toEqual(['de', 'draft', 'Fluss']);
  });

  it('does not list entries of other projects', async () => {
    const other = await openDesk(app());
    expect((await other.get('/entries')).body.data).toEqual([]);
    expect((await other.get('/entries?deleted=true')).body.data).toEqual([]);
  });
});

describe('404', () => {
  verifies('http/missing-things');

  it.each([
    ['contentTypeApiName=article,nothing', 'content_type_not_found', 'contentTypeApiName'],
    ['siteId=00000000-0000-7000-8000-000000000000', 'site_not_found', 'siteId'],
    ['locale=es', 'locale_not_found', 'locale'],
  ])('returns 404 for the unknown filter value %s', async (text, error, key) => {
    const response = await query(text);
    expect(outcome(response)).toEqual([404, error]);
    expect(response.body.details.path).toEqual([key]);
  });
});

describe('422', () => {
  verifies('lists/pages', 'limits/page-size', 'http/input-shape');

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['page=0', 'page'],
    ['page=2.5', 'page'],
    ['orderBy=name:asc', 'orderBy'],
    ['orderBy=title', 'orderBy'],
    ['orderBy=fields.code:asc', 'orderBy'],
    ['orderBy=fields.code:asc&contentTypeApiName=article,author', 'orderBy'],
    ['orderBy=fields.nothing:asc&contentTypeApiName=article', 'orderBy'],
    ['filter[code][eq]=a', 'filter'],
    ['contentTypeApiName=article&filter[nothing][eq]=a', 'filter.nothing.eq'],
    ['contentTypeApiName=article&filter[code][like]=a', 'filter.code.like'],
    ['orderBy=createdAt', 'orderBy'],
    ['status=live', 'status.0'],
    ['siteId=main', 'siteId.0'],
    ['deleted=1', 'deleted'],
    ['locale=english', 'locale'],
    ['q=', 'q'],
  ])('returns 422 for the invalid query %s', async (text, path) => {
    const response = await query(text);
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response).map(([where]) => where)).toEqual([path]);
  });
});
