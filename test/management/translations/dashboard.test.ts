import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { column, issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createMember, systemRoleId } from '../../support/members.js';
import { createEntry, paragraphs } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { newEntry, publishIn, translationIn, write } from './desk.js';

const app = useApp();

let desk: Desk;
/** In the order of creation: missing, in progress in German, complete in German, stale in German. */
let ids: string[];

beforeAll(async () => {
  desk = await openDesk(app());
  ids = [];
  for (const title of ['One', 'Two', 'Three', 'Four']) ids.push(await newEntry(desk, { title }));
  for (const id of ids.slice(1)) await write(desk, id, { locale: 'de', fields: { title: 'Eins' } });
  for (const id of ids.slice(2)) await publishIn(desk, id, 'de');
  await desk.post(`/translations/${ids[3]!}/de/mark-stale`, { reason: 'Old prices.' });
});

const found = (response: Response): unknown => {
  const { meta } = response.body as { meta: { total: number } };
  return [column(response, 'entryId'), meta.total];
};

describe('GET translations', () => {
  verifies('translations/operations', 'translations/dashboard');

  it('lists entries, newest first, with the status of each locale and counts by status', async () => {
    const response = await desk.get('/translations');
    expect(found(response)).toEqual([ids.toReversed(), 4]);
    const { data, meta } = response.body as { data: object[]; meta: { counts: object } };
    expect(meta.counts).toEqual({ missing: 5, inProgress: 1, needsReview: 0, complete: 1, stale: 1 });
    expect(data[0]).toMatchObject({
      title: 'Four',
      contentTypeApiName: 'article',
      siteId: desk.project.siteId,
      sourceLocale: 'en',
      locales: [
        { locale: 'de', status: 'stale', staleReason: 'marked', staleComment: 'Old prices.' },
        { locale: 'fr', status: 'missing', progress: 0, publishedAt: null },
      ],
    });
    expect(column(await desk.get('/translations?limit=1&page=4'), 'entryId')).toEqual([ids[0]]);
    expect(column(await desk.get('/translations?orderBy=createdAt:asc&limit=2'), 'entryId')).toEqual(
      ids.slice(0, 2),
    );
  });

  it('filters by status in any locale, or in one', async () => {
    expect(found(await desk.get('/translations?status=missing'))).toEqual([ids.toReversed(), 4]);
    expect(found(await desk.get('/translations?status=missing&locale=de'))).toEqual([[ids[0]], 1]);
    expect(found(await desk.get('/translations?status=stale,complete'))).toEqual([[ids[3], ids[2]], 2]);
    expect(found(await desk.get('/translations?status=stale,missing&page=2&limit=3'))).toEqual([[ids[0]], 4]);
    const { statements } = await app().recordStatements(() =>
      desk.get('/translations?status=complete,missing'),
    );
    expect(statements.filter((sql) => sql.includes('count(DISTINCT t.entry_id)'))).toEqual([]);
    expect(found(await desk.get('/translations?status=stale,in_progress&locale=de'))).toEqual([
      [ids[3], ids[1]],
      2,
    ]);
    const german = await desk.get('/translations?locale=de&limit=1');
    expect(german.body.meta).toMatchObject({
      total: 4,
      counts: { missing: 1, inProgress: 1, needsReview: 0, complete: 1, stale: 1 },
    });
  });

  it('filters by assignee, priority and due time', async () => {
    const role = await systemRoleId(app(), desk.project, 'translator');
    const { id: userId } = await createMember(app(), desk.project, [role]);
    const path = `/translations/${ids[0]!}/fr`;
    const dueAt = '2027-01-01T00:00:00Z';
    await desk.put(path, { assigneeId: userId, priority: 'high', dueAt });
    for (const filter of [`assigneeId=${userId}`, 'priority=high', 'dueBefore=2027-01-02T00:00:00Z']) {
      const response = await desk.get(`/translations?${filter}`);
      expect(found(response)).toEqual([[ids[0]], 1]);
      expect((response.body as { meta: { counts: { missing: number } } }).meta.counts.missing).toBe(1);
    }
    expect(found(await desk.get(`/translations?assigneeId=${userId}&status=complete`))).toEqual([[], 0]);
    expect(found(await desk.get('/translations?dueBefore=2026-12-01T00:00:00Z'))).toEqual([[], 0]);
    await desk.delete(`/users/${userId}`);
    expect((await translationIn(desk, ids[0]!, 'fr')).assigneeId).toBeNull();
  });

  it('filters by content type and site, and rejects unknown ones', async () => {
    expect(found(await desk.get('/translations?contentTypeApiName=author'))).toEqual([[], 0]);
    expect(found(await desk.get('/translations?contentTypeApiName=author&status=missing'))).toEqual([[], 0]);
    expect(found(await desk.get(`/translations?siteId=${desk.project.siteId}&status=stale`))).toEqual([
      [ids[3]],
      1,
    ]);
    expect(outcome(await desk.get('/translations?contentTypeApiName=x'))).toEqual([
      404,
      'content_type_not_found',
    ]);
    expect(outcome(await desk.get('/translations?locale=xx'))).toEqual([404, 'locale_not_found']);
    expect(issues(await desk.get('/translations?status=done'))).toEqual([['status.0', 'invalid_value']]);
  });

  it('applies saved views of translations', async () => {
    const made = await desk.post('/views', {
      name: 'Stale German',
      resource: 'translations',
      filters: { status: ['stale'], locale: 'de' },
      orderBy: 'createdAt:asc',
    });
    const view = (made.body as { data: { id: string } }).data;
    expect(found(await desk.get(`/translations?viewId=${view.id}`))).toEqual([[ids[3]], 1]);
    expect(outcome(await desk.get(`/entries?viewId=${view.id}`))).toEqual([404, 'view_not_found']);
    expect(
      outcome(await desk.post('/views', { name: 'X', resource: 'translations', filters: { q: 'x' } })),
    ).toEqual([422, 'validation_failed']);
  });

  it('shows only entries that the caller may read', async () => {
    const role = await desk.post('/roles', { name: 'German', slug: 'german' });
    const { id } = (role.body as { data: { id: string } }).data;
    await desk.post(`/roles/${id}/permissions`, { resource: 'entries', action: 'read' });
    await desk.post(`/roles/${id}/permissions`, {
      resource: 'translations',
      action: '*',
      scope: { contentTypes: ['author'] },
    });
    const member = desk.as((await createMember(app(), desk.project, [id])).token);
    expect(found(await member.get('/translations'))).toEqual([[], 0]);
    expect(found(await member.get('/translations?status=missing'))).toEqual([[], 0]);
    expect((await member.get('/translations/stats')).body.data).toMatchObject({ totalEntries: 0 });
    expect(outcome(await member.get(`/translations/${ids[0]!}`))).toEqual([404, 'entry_not_found']);
    expect(outcome(await member.put(`/translations/${ids[1]!}/de`, { status: 'complete' }))).toEqual([
      404,
      'entry_not_found',
    ]);
  });
});

describe('GET translations/stats', () => {
  verifies('translations/operations', 'translations/dashboard');

  it('returns coverage by locale and by content type', async () => {
    const { data } = (await desk.get('/translations/stats')).body as { data: object };
    const none = { missing: 0, inProgress: 0, needsReview: 0, complete: 0, stale: 0 };
    expect(data).toEqual({
      sourceLocale: 'en',
      totalEntries: 4,
      byLocale: [
        { locale: 'de', ...none, total: 4, missing: 1, inProgress: 1, complete: 1, stale: 1, coverage: 0.25 },
        { locale: 'fr', ...none, total: 4, missing: 4, coverage: 0 },
      ],
      byContentType: [
        {
          contentTypeApiName: 'article',
          ...none,
          total: 8,
          missing: 5,
          inProgress: 1,
          complete: 1,
          stale: 1,
          coverage: 0.125,
        },
      ],
    });
    expect((await desk.get('/translations/stats?contentTypeApiName=author')).body.data).toMatchObject({
      totalEntries: 0,
      byContentType: [],
    });
  });

  it('counts neither deleted entries nor entries of sites with one locale', async () => {
    const other = await openDesk(app(), { locales: ['en'] });
    await newEntry(other);
    expect((await other.get('/translations')).body.data).toEqual([]);
    expect((await other.get('/translations/stats')).body.data).toEqual({
      sourceLocale: null,
      totalEntries: 0,
      byLocale: [],
      byContentType: [],
    });
    const own = await openDesk(app());
    const id = await newEntry(own);
    await own.delete(`/entries/${id}`);
    expect((await own.get('/translations/stats')).body.data).toMatchObject({
      totalEntries: 0,
      byContentType: [],
    });
    expect(outcome(await own.get(`/translations/${id}`))).toEqual([404, 'entry_not_found']);
    await own.post(`/entries/${id}/undelete`);
    expect((await own.get('/translations?status=missing')).body.meta.total).toBe(1);
  });
});

describe('Translations of several sites and types', () => {
  verifies('translations/dashboard');

  it('name the source locale, the type, and the fields that are outdated', async () => {
    const own = await openDesk(app());
    const site = { slug: 'north', name: 'North', defaultLocale: 'de', locales: ['de', 'en'] };
    const { id: siteId } = (await own.post('/sites', site)).body.data as { id: string };
    const german = {
      siteId,
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    };
    const { id: author } = await createEntry(app(), own.project, german);
    const article = await newEntry(own, { title: 'Lock', body: paragraphs('Water.') });
    await publishIn(own, article, 'en');
    await write(own, article, { locale: 'de', fields: { title: 'Schleuse', body: paragraphs('Wasser.') } });
    await publishIn(own, article, 'de');
    await write(own, article, { locale: 'en', fields: { title: 'Gate', body: paragraphs('More water.') } });
    await publishIn(own, article, 'en');
    const { data } = (await own.get('/translations')).body as { data: object[] };
    expect(data).toEqual([
      expect.objectContaining({ entryId: article, contentTypeApiName: 'article', sourceLocale: 'en' }),
      expect.objectContaining({ entryId: author, contentTypeApiName: 'author', sourceLocale: 'de' }),
    ]);
    expect(data[0]).toMatchObject({ locales: [{ locale: 'de', outdatedFields: ['body', 'title'] }, {}] });
    const detail = (await own.get(`/translations/${author}`)).body as { data: object };
    expect(detail.data).toMatchObject({ contentTypeApiName: 'author', sourceLocale: 'de' });
    const stats = (await own.get('/translations/stats')).body as {
      data: { byContentType: { contentTypeApiName: string }[] };
    };
    expect(stats.data.byContentType.map(({ contentTypeApiName }) => contentTypeApiName).sort()).toEqual([
      'article',
      'author',
    ]);
  });
});
