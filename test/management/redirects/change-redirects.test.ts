import { beforeEach, describe, expect, it } from '@jest/globals';
import { column, issues, outcome, useApp } from '../../support/desk.js';
import { RedirectDesk } from './desk.js';
import { verifies } from '../../support/verifies.js';

verifies('routing/redirects');

const app = useApp();
let redirects: RedirectDesk;

beforeEach(async () => {
  redirects = await RedirectDesk.open(app());
});

const update = (id: string, body: object) => redirects.desk.put(`/redirects/${id}`, body);

describe('Listing redirects', () => {
  beforeEach(async () => {
    await redirects.made('/b', '/x', { isActive: false });
    await redirects.made('/a', '/River', { locale: 'de' });
    await redirects.imported('source,target\n/c,/y\n');
  });

  it.each([
    ['', ['/a', '/b', '/c']],
    ['&locale=de', ['/a']],
    ['&locale=de,fr', ['/a']],
    ['&origin=import', ['/c']],
    ['&origin=import,auto', ['/c']],
    ['&isActive=false', ['/b']],
    ['&q=river', ['/a']],
    ['&q=%25', []],
    ['&q=/C', ['/c']],
  ])('lists the redirects that match %j', async (query, sources) => {
    expect((await redirects.all(query)).map(({ source }) => source)).toEqual(sources);
  });

  it('lists redirects of one site or all sites in pages', async () => {
    const other = (await redirects.desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id;
    await redirects.made('/a', '/z', { siteId: other });
    expect(await redirects.all(`&siteId=${other}`)).toHaveLength(1);
    const page = await redirects.desk.get('/redirects?orderBy=source:desc&limit=3&page=2');
    expect(column(page, 'source')).toEqual(['/a']);
    expect(page.body.meta).toEqual({ total: 4, page: 2, limit: 3, pages: 2 });
    expect(column(await redirects.desk.get('/redirects'), 'target')[0]).toBe('/z');
  });

  it('returns 404 for an unknown site or locale and 422 for a malformed one', async () => {
    const missing = '0198c0de-0000-7000-8000-000000000000';
    expect(outcome(await redirects.desk.get(`/redirects?siteId=${missing}`))).toEqual([
      404,
      'site_not_found',
    ]);
    expect(outcome(await redirects.desk.get('/redirects?locale=sv'))).toEqual([404, 'locale_not_found']);
    expect(outcome(await redirects.desk.get('/redirects?siteId=main'))).toEqual([422, 'validation_failed']);
    expect(outcome(await redirects.desk.get('/redirects?isActive=yes'))).toEqual([422, 'validation_failed']);
  });
});

describe('Changing a redirect', () => {
  it('changes the given properties and clears with null', async () => {
    const { id } = await redirects.made('/a', '/b', { locale: 'de', note: 'x' });
    const { body } = await update(id, { target: '/c/', status: 302, locale: null, note: null });
    expect(body.data).toMatchObject({ source: '/a', target: '/c', status: 302, locale: null, note: null });
  });

  it('changes nothing and writes no audit record for equal values', async () => {
    const made = await redirects.made('/a', '/b');
    const { status, body } = await update(made.id, { source: '/a/', target: '/b', status: 301 });
    expect([status, body.data]).toEqual([200, made]);
    const records = await app().rows(
      redirects.desk.project.tenantId,
      "SELECT action FROM audit_events WHERE target ->> 'id' = $1",
      [made.id],
    );
    expect(records).toEqual([{ action: 'redirect.create' }]);
  });

  it('rejects an update for the same reasons as a creation', async () => {
    const { id } = await redirects.made('/a', '/b');
    await redirects.made('/c', '/d');
    expect(outcome(await update(id, { source: '/c' }))).toEqual([409, 'redirect_conflict']);
    expect(issues(await update(id, { target: '/a' }))).toEqual([['target', 'same_as_source']]);
    expect(issues(await update(id, { matchType: 'regex', target: '/$1' }))).toEqual([
      ['target', 'invalid_group'],
    ]);
    expect(outcome(await update(id, { locale: 'sv' }))).toEqual([404, 'locale_not_found']);
    expect(outcome(await update(id, {}))).toEqual([422, 'no_update_fields']);
    expect(outcome(await update(id, { siteId: redirects.siteId }))).toEqual([422, 'no_update_fields']);
    expect(issues(await update(id, { siteId: id }))).toEqual([['siteId', 'read_only']]);
  });

  it.each(['nothing', '0198c0de-0000-7000-8000-000000000000', '%00'])(
    'returns 404 for the redirect id %s',
    async (id) => {
      expect(outcome(await update(id, { note: 'x' }))).toEqual([404, 'redirect_not_found']);
      expect(outcome(await redirects.desk.delete(`/redirects/${id}`))).toEqual([404, 'redirect_not_found']);
    },
  );
});

describe('Deleting a redirect', () => {
  it('deletes a redirect', async () => {
    const { id } = await redirects.made('/a', '/b');
    const response = await redirects.desk.delete(`/redirects/${id}`);
    expect([response.status, response.body]).toEqual([200, { data: { id, deleted: true } }]);
    expect(await redirects.all()).toEqual([]);
    expect(outcome(await redirects.desk.delete(`/redirects/${id}`))).toEqual([404, 'redirect_not_found']);
  });

  it('deletes redirects with their site', async () => {
    const other = (await redirects.desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id;
    await redirects.made('/a', '/b', { siteId: other });
    expect((await redirects.desk.delete('/sites/other')).status).toBe(200);
    expect(await redirects.all()).toEqual([]);
  });
});
