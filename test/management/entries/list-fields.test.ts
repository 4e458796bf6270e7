import { beforeAll, describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { byCursor, byPage } from '../../support/walk.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;
const names = new Map<string, string>();

const make = async (name: string, fields: object): Promise<string> => {
  const body = { contentTypeApiName: 'boat', slug: name, fields: { name, ...fields } };
  const { id } = await createEntry(app(), desk.project, body);
  names.set(id, name);
  return id;
};
const boats = (query: string) => desk.get(`/entries?contentTypeApiName=boat&${query}`);
const listed = async (query: string): Promise<(string | undefined)[]> =>
  column(await boats(query), 'id').map((id) => names.get(String(id)));

beforeAll(async () => {
  desk = await openDesk(app());
  await createType(app(), desk.project, {
    apiName: 'boat',
    name: 'Boat',
    fields: [
      { apiName: 'name', type: 'text' },
      { apiName: 'label', type: 'text', localized: true },
      { apiName: 'length', type: 'number' },
      { apiName: 'afloat', type: 'boolean' },
      { apiName: 'launch', type: 'date' },
      { apiName: 'seen', type: 'dateTime' },
      { apiName: 'tags', type: 'text', isList: true },
      { apiName: 'body', type: 'richText' },
    ],
  });
  await make('ark', {
    label: 'zebra',
    length: 12.5,
    afloat: false,
    launch: '2024-03-01',
    tags: ['wood', 'old'],
  });
  await make('brig', {
    label: 'Äpfel',
    length: 9,
    afloat: true,
    launch: '2020-01-01',
    seen: '2024-01-01T10:00:00Z',
  });
  const cog = await make('cog', {
    label: 'apple',
    length: -3,
    tags: ['wood'],
    seen: '2024-01-01T10:30:00+02:00',
  });
  await make('dory', {});
  const { version } = (await desk.get(`/entries/${cog}`)).body.data as { version: number };
  await desk.put(`/entries/${cog}`, { version, locale: 'de', fields: { label: 'Kogge' } });
  await publish(app(), desk.project, cog);
});

describe('GET entries of one type', () => {
  verifies('lists/filters-of-entries');

  it.each([
    ['filter[name][eq]=ark', ['ark']],
    ['filter[name][ne]=ark', ['brig', 'cog', 'dory']],
    ['filter[name][in]=ark,cog', ['ark', 'cog']],
    ['filter[label][contains]=APP', ['cog']],
    ['filter[label][contains]=app&locale=de', []],
    ['filter[label][eq]=Kogge&locale=de', ['cog']],
    ['filter[length][gt]=9', ['ark']],
    ['filter[length][lte]=9', ['brig', 'cog']],
    ['filter[afloat][eq]=true', ['brig']],
    ['filter[launch][lt]=2021-01-01', ['brig']],
    ['filter[seen][gte]=2024-01-01T09:00:00Z', ['brig']],
    ['filter[tags][eq]=wood', ['ark', 'cog']],
    ['filter[tags][exists]=false', ['brig', 'dory']],
    ['filter[body][exists]=true', []],
    ['filter[_slug][eq]=dory', ['dory']],
    ['filter[_publishedAt][exists]=true', ['cog']],
    ['filter[length][gt]=-5&filter[tags][eq]=wood&status=draft', ['ark']],
  ])('returns and counts the entries whose draft values match %s', async (query, expected) => {
    expect(await listed(`orderBy=title:asc&${query}`)).toEqual(expected);
    expect((await boats(query)).body.meta.total).toBe(expected.length);
  });

  it.each([
    ['label', ['brig', 'cog', 'ark', 'dory'], ['ark', 'cog', 'brig', 'dory']],
    ['length', ['cog', 'brig', 'ark', 'dory'], ['ark', 'brig', 'cog', 'dory']],
    ['launch', ['brig', 'ark'], ['ark', 'brig']],
    ['seen', ['cog', 'brig'], ['brig', 'cog']],
    ['afloat', ['ark', 'brig'], ['brig', 'ark']],
  ])('sorts by %s, entries without a value last', async (field, ascending, descending) => {
    const first = async (direction: string) =>
      (await listed(`orderBy=fields.${field}:${direction}`)).slice(0, ascending.length);
    expect(await first('asc')).toEqual(ascending);
    expect(await first('desc')).toEqual(descending);
    for (const direction of ['asc', 'desc']) {
      const reading = (paging: string) => boats(`orderBy=fields.${field}:${direction}&${paging}`);
      const pages = await byPage(reading, { limit: 1 });
      expect([pages, pages.length]).toEqual([await byCursor(reading, { limit: 1 }), 4]);
    }
  });

  it('compares long strings as a whole, and values that changed since', async () => {
    const long = 'a'.repeat(250);
    const id = await make('long', { label: `${long}b`, tags: [`${long}c`, 'short'] });
    const found = (filter: string) => listed(`orderBy=title:asc&${filter}`);
    expect(await found(`filter[label][eq]=${long}b`)).toEqual(['long']);
    expect(await found(`filter[label][eq]=${long}`)).toEqual([]);
    expect(await found(`filter[label][gt]=${long}c`)).toEqual(['ark', 'brig', 'cog']);
    expect(await found('filter[label][contains]=AB')).toEqual(['long']);
    expect(await found('filter[tags][contains]=AC')).toEqual(['long']);
    expect(await found('filter[tags][contains]=ab')).toEqual([]);
    expect(await found(`filter[tags][eq]=${long}c`)).toEqual(['long']);
    expect(await found(`filter[tags][in]=${long},short`)).toEqual(['long']);
    await desk.put(`/entries/${id}`, { version: 1, fields: { label: 'ab', tags: ['other'], length: 100 } });
    expect(await found(`filter[label][eq]=${long}b`)).toEqual([]);
    expect(await found('filter[label][eq]=ab')).toEqual(['long']);
    expect(await found('filter[tags][in]=short')).toEqual([]);
    expect((await listed('orderBy=fields.length:desc'))[0]).toBe('long');
    await desk.put(`/entries/${id}`, { version: 2, fields: { tags: [], length: null } });
    expect(await found('filter[tags][exists]=true&filter[length][exists]=false')).toEqual([]);
    expect((await desk.delete(`/entries/${id}`)).status).toBe(200);
    expect(await found('filter[label][eq]=ab')).toEqual([]);
    expect(await found('filter[label][eq]=ab&deleted=true')).toEqual(['long']);
  });

  it('counts facets of what the filter leaves', async () => {
    const { body } = await boats('filter[tags][eq]=wood&facets=status');
    expect(body.meta.facets).toEqual({ status: { draft: 1, published: 1 } });
  });

  it('returns 422 for fields that have no order and values that cannot be compared', async () => {
    expect(issues(await boats('orderBy=fields.tags:asc'))).toEqual([['orderBy', 'invalid_sort']]);
    expect(issues(await boats('orderBy=fields.body:asc'))).toEqual([['orderBy', 'invalid_sort']]);
    expect(issues(await boats('filter[length][gt]=long'))).toEqual([['filter.length.gt', 'invalid_filter']]);
    expect(issues(await boats('filter[afloat][gt]=true'))).toEqual([['filter.afloat.gt', 'invalid_filter']]);
  });
});

describe('A saved view', () => {
  verifies('lists/filters-of-entries');

  it('applies its filter and order by field, and follows the new name of the field', async () => {
    const settings = {
      filters: { contentTypeApiName: ['boat'], filter: { length: { gte: '-3' } } },
      orderBy: 'fields.length:desc',
    };
    const view = (await desk.post('/views', { name: 'Long ones', resource: 'entries', ...settings })).body
      .data as {
      id: string;
    };
    const shown = async () =>
      column(await desk.get(`/entries?viewId=${view.id}`), 'id').map((id) => names.get(String(id)));
    expect(await shown()).toEqual(['ark', 'brig', 'cog']);
    expect((await desk.post('/content-types/boat/fields/length/rename', { apiName: 'metres' })).status).toBe(
      200,
    );
    expect((await desk.get(`/views/${view.id}`)).body.data).toMatchObject({
      filters: { filter: { metres: { gte: '-3' } } },
      orderBy: 'fields.metres:desc',
    });
    expect(await shown()).toEqual(['ark', 'brig', 'cog']);
    await desk.post('/content-types/boat/fields/metres/rename', { apiName: 'length' });
  });

  it('is refused with an order or an operator that the list lacks', async () => {
    const save = (settings: object) =>
      desk.post('/views', { name: 'Refused', resource: 'entries', ...settings });
    expect(issues(await save({ orderBy: 'size:asc' }))).toEqual([['orderBy', 'invalid_format']]);
    expect(issues(await save({ filters: { filter: { length: { over: '1' } } } }))).toEqual([
      ['filters.filter.length.over', 'unrecognized_key'],
    ]);
  });
});
