import { beforeAll, describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry } from '../support/factories/content.js';
import { uploadAsset } from '../support/factories/media.js';
import { verifies } from '../support/verifies.js';
import { byCursor, byPage } from '../support/walk.js';

const ITEMS = 7;
let time = Date.UTC(2026, 0, 1);
// Several writes share a millisecond, so that ties are broken by id.
const app = useOwnApp({ clock: () => new Date((time += 0.1)) });
let desk: Desk;
let entryId = '';

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en', 'de'] });
  const article = { contentTypeApiName: 'article', fields: { title: 'Locks' } };
  entryId = (await createEntry(app(), desk.project, article)).id;
  const { siteId } = desk.project;
  for (let index = 1; index <= ITEMS; index += 1) {
    const number = String(index);
    await desk.put(`/entries/${entryId}`, { version: index, fields: { title: `Locks ${number}` } });
    await desk.post(`/entries/${entryId}/comments`, { text: `Remark ${number}` });
    await desk.post('/redirects', { siteId, source: `/old-${String(index % 3)}/${number}`, target: '/new' });
    const file = { fileName: `lock-${number}.txt`, content: Buffer.from(number).toString('base64') };
    await uploadAsset(app(), desk.project, { file });
    await createEntry(app(), desk.project, article);
  }
});

const queries: readonly (readonly [string, () => string, string])[] = [
  ['versions', () => `/entries/${entryId}/versions?`, 'versionNum'],
  ['versions, oldest first', () => `/entries/${entryId}/versions?orderBy=createdAt:asc`, 'versionNum'],
  ['comments', () => `/entries/${entryId}/comments?`, 'id'],
  [
    'open comments, newest first',
    () => `/entries/${entryId}/comments?resolved=false&orderBy=createdAt:desc`,
    'id',
  ],
  ['redirects', () => '/redirects?', 'id'],
  ['redirects by source', () => '/redirects?orderBy=source:asc', 'id'],
  ['redirects by source, descending', () => '/redirects?orderBy=source:desc&q=old', 'id'],
  ['redirects by creation', () => '/redirects?orderBy=createdAt:asc&isActive=true', 'id'],
  ['translations', () => '/translations?', 'entryId'],
  [
    'translations, oldest first',
    () => '/translations?orderBy=createdAt:asc&status=missing,in_progress',
    'entryId',
  ],
  ['assets', () => '/media?', 'id'],
  ['assets by name', () => '/media?orderBy=name:asc', 'id'],
  ['assets by creation', () => '/media?orderBy=createdAt:asc&unused=true', 'id'],
  ['found assets', () => '/media?q=lock&orderBy=name:desc', 'id'],
  ['found assets by update', () => '/media?q=lock', 'id'],
];

describe('Lists by cursor', () => {
  verifies('lists/cursors');

  it.each(queries)('have the items of the pages: %s', async (_name, path, key) => {
    const read = (paging: string) => desk.get(`${path()}&${paging}`);
    for (const limit of [2, 7]) {
      const expected = await byPage(read, { limit, key });
      expect(expected.length).toBeGreaterThanOrEqual(ITEMS);
      expect(await byCursor(read, { limit, key })).toEqual(expected);
    }
    const [first, numbered] = [await read('limit=3&cursor=*'), await read('limit=3')];
    expect(first.body.data).toEqual(numbered.body.data);
    expect(first.body.meta).toEqual({ ...numbered.body.meta, nextCursor: expect.any(String) });
  });

  it('are refused with a cursor of another list', async () => {
    const { body } = await desk.get('/media?limit=3&cursor=*');
    for (const [name, path] of queries.filter(([list]) => list !== 'assets')) {
      const answer = await desk.get(`${path()}&cursor=${String(body.meta.nextCursor)}`);
      expect([name, ...outcome(answer), issues(answer)]).toEqual([
        ...[name, 422, 'validation_failed'],
        [['cursor', 'invalid_cursor']],
      ]);
    }
  });

  it('return what is left after a forged position, of their own rows', async () => {
    const { body } = await desk.get('/redirects?orderBy=source:asc&limit=3&cursor=*');
    const payload = JSON.parse(
      Buffer.from(String(body.meta.nextCursor), 'base64url').toString(),
    ) as unknown[];
    const forged = (after: unknown) =>
      desk.get(
        `/redirects?orderBy=source:asc&cursor=${Buffer.from(JSON.stringify([...payload.slice(0, 4), after])).toString('base64url')}`,
      );
    const id = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
    const answer = await forged(["' OR true --", id]);
    expect([answer.status, answer.body.data.length]).toEqual([200, ITEMS]);
    expect((await forged(['/z', id])).body).toMatchObject({ data: [], meta: { nextCursor: null } });
    expect(outcome(await forged(['a', 'b']))).toEqual([422, 'validation_failed']);
  });
});
