import { beforeAll, describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { byCursor, byPage } from '../support/walk.js';
import { verifies } from '../support/verifies.js';

let time = Date.UTC(2026, 0, 1);
// Several writes share a millisecond, so that ties are broken by id.
const app = useOwnApp({ clock: () => new Date((time += 0.1)) });
let desk: Desk;
let other: Desk;

async function make(title: string, contentTypeApiName = 'article'): Promise<string> {
  const fields = contentTypeApiName === 'article' ? { title } : { name: title };
  return (await createEntry(app(), desk.project, { contentTypeApiName, fields })).id;
}

const reading = (query: string) => (paging: string) => desk.get(`/entries?${query}&${paging}`);
const first = async (query = 'limit=2', from = desk): Promise<string> =>
  (await from.get(`/entries?${query}&cursor=*`)).body.meta.nextCursor as string;

beforeAll(async () => {
  desk = await openDesk(app());
  other = await openDesk(app());
  for (let index = 0; index < 9; index += 1) {
    const id = await make(`Lock ${String(index)}`);
    if (index % 3 === 0) await publish(app(), desk.project, id);
    if (index > 6) await desk.delete(`/entries/${id}`);
    await make(`Author ${String(index)}`, 'author');
  }
  for (const title of ['One', 'Two', 'Three'])
    await createEntry(app(), other.project, { contentTypeApiName: 'article', fields: { title } });
});

describe('Entries by cursor', () => {
  verifies('lists/cursors');

  const queries = [
    'orderBy=createdAt:asc',
    'orderBy=createdAt:desc',
    'orderBy=updatedAt:asc',
    'orderBy=updatedAt:desc',
    'contentTypeApiName=article',
    'contentTypeApiName=article,author&orderBy=createdAt:asc',
    'status=published',
    'status=draft&locale=en',
    'q=lock&orderBy=updatedAt:asc',
    'deleted=true',
    'updatedAfter=2026-01-01T00:00:00Z',
    'orderBy=title:asc',
    'contentTypeApiName=article&locale=en&orderBy=title:desc',
    'contentTypeApiName=article&orderBy=fields.title:desc',
    'contentTypeApiName=article&orderBy=fields.code:asc&filter[title][contains]=lock',
  ];
  it.each(queries)('are those of its pages: %s', async (query) => {
    for (const limit of [1, 2, 5]) {
      const expected = await byPage(reading(query), { limit });
      expect(expected.length).toBeGreaterThan(1);
      expect(await byCursor(reading(query), { limit })).toEqual(expected);
    }
  });

  it('have the pagination of the page that they are in their walk', async () => {
    const start = await desk.get('/entries?limit=7&cursor=*');
    expect(start.body.meta).toEqual({
      total: 16,
      page: 1,
      limit: 7,
      pages: 3,
      nextCursor: expect.any(String),
    });
    const next = await desk.get(`/entries?limit=7&cursor=${String(start.body.meta.nextCursor)}`);
    expect(next.body.meta).toEqual({
      total: 16,
      page: 2,
      limit: 7,
      pages: 3,
      nextCursor: expect.any(String),
    });
    const last = await desk.get(`/entries?limit=7&cursor=${String(next.body.meta.nextCursor)}`);
    expect(last.body.meta).toEqual({ total: 16, page: 3, limit: 7, pages: 3, nextCursor: null });
    expect((await desk.get('/entries?limit=7')).body.meta).not.toHaveProperty('nextCursor');
    const none = await desk.get('/entries?locale=fr&cursor=*');
    expect(none.body).toEqual({
      data: [],
      meta: { total: 0, page: 1, limit: 25, pages: 0, nextCursor: null },
    });
  });

  it('may change size and facets from page to page', async () => {
    const cursor = await first('limit=3&facets=status');
    const all = await byPage(reading(''), { limit: 100 });
    const page = await desk.get(`/entries?limit=4&cursor=${cursor}`);
    expect(column(page, 'id')).toEqual(all.slice(3, 7));
  });

  it('are each returned once while others are created, changed and deleted', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) ids.push(await make(`Weir ${String(index)}`));
    const gone = [ids[1], ids[6], ids[10]];
    const between = async (pages: number) => {
      await make(`Weir, later ${String(pages)}`);
      const id = gone[pages - 1];
      if (id !== undefined) await desk.delete(`/entries/${id}`);
    };
    const stayed = ids.filter((id) => !gone.includes(id));
    for (const orderBy of ['createdAt:desc', 'updatedAt:desc'])
      expect(
        (await byCursor(reading(`q=weir&orderBy=${orderBy}`), { limit: 2, between })).filter((id) =>
          stayed.includes(id as string),
        ),
      ).toEqual([...stayed].reverse());
  });
});

describe('422', () => {
  verifies('lists/cursors');

  it.each([
    ['other filters', () => desk, 'status=draft'],
    ['another order', () => desk, 'orderBy=updatedAt:asc'],
    ['another project', () => other, ''],
  ])('for a cursor of a list with %s', async (_name, from, query) => {
    const answer = await from().get(`/entries?${query}&cursor=${await first()}`);
    expect([outcome(answer), issues(answer)]).toEqual([
      [422, 'validation_failed'],
      [['cursor', 'invalid_cursor']],
    ]);
    expect(answer.body.details.issues[0].message).toContain('another list');
  });

  it('for a cursor with a page', async () => {
    expect(issues(await desk.get(`/entries?page=2&cursor=${await first()}`))).toEqual([
      ['page', 'page_with_cursor'],
    ]);
  });

  it.each([
    ['nothing', ''],
    ['a word', 'abc'],
    ['a null character', '%00'],
    ['spaces', '%20*'],
    ['JSON', encodeURIComponent('[1,"",0,0,[]]')],
    ['12,001 characters', 'a'.repeat(12_001)],
    ['deep JSON', Buffer.from('['.repeat(5000)).toString('base64url')],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]).toString('base64url')],
  ])('for %s', async (_name, cursor) => {
    expect(outcome(await desk.get(`/entries?cursor=${cursor}`))).toEqual([422, 'validation_failed']);
  });

  it('for forged values; those of another tenant reveal nothing', async () => {
    const payload = JSON.parse(Buffer.from(await first(), 'base64url').toString()) as unknown[];
    const forged = async (after: readonly string[]) => {
      const cursor = Buffer.from(JSON.stringify([...payload.slice(0, 4), after])).toString('base64url');
      return desk.get(`/entries?limit=100&cursor=${cursor}`);
    };
    const [foreign] = column(await other.get('/entries'), 'id') as string[];
    const own = await byPage(reading(''), { limit: 100 });
    const answer = await forged(['9000000000000000', foreign ?? '']);
    expect([answer.status, column(answer, 'id')]).toEqual([200, own]);
    for (const after of [
      ['now()', foreign ?? ''],
      ['1', "' OR true --"],
      ['1', foreign ?? '', '1'],
    ])
      expect(issues(await forged(after))).toEqual([['cursor', 'invalid_cursor']]);
  });
});
