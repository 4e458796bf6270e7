import { describe, expect, it } from '@jest/globals';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { newEntry, publishIn, statusIn, translationIn, translationsOf, write } from './desk.js';

const app = useApp();

/** An article with a complete German translation of the published source. */
async function translated(desk: Desk): Promise<string> {
  const id = await newEntry(desk, { title: 'Lock', body: paragraphs('Water.') });
  await publishIn(desk, id, 'en');
  await write(desk, id, { locale: 'de', fields: { title: 'Schleuse', body: paragraphs('Wasser.') } });
  await publishIn(desk, id, 'de');
  return id;
}

/** Executes a statement that writes rows of entries, and counts the calls of the trigger that keeps translations. */
async function callsIn(desk: Desk, sql: string): Promise<number[]> {
  const [row] = await desk.app.rows<{
    'QUERY PLAN': { Triggers: { 'Trigger Name': string; Calls: number }[] }[];
  }>(desk.project.tenantId, `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`);
  return (row?.['QUERY PLAN'] ?? [])
    .flatMap(({ Triggers }) => Triggers)
    .filter((trigger) => trigger['Trigger Name'].startsWith('keep_translations'))
    .map(({ Calls }) => Calls);
}

const eventsOf = async (desk: Desk, id: string): Promise<unknown[]> => {
  const rows = await desk.app.rows<{ data: Record<string, unknown> }>(
    desk.project.tenantId,
    "SELECT payload -> 'data' AS data FROM outbox_events WHERE type = 'translation.stale' AND payload -> 'data' ->> 'entryId' = $1 ORDER BY id",
    [id],
  );
  return rows.map(({ data }) => [data.locale, data.changedFields]);
};

describe('Status of a translation', () => {
  verifies('translations/operations', 'translations/status');

  it('is missing, in progress once written, and complete once published', async () => {
    const desk = await openDesk(app());
    const id = await newEntry(desk);
    expect((await translationsOf(desk, id)).map(({ locale, status }) => [locale, status])).toEqual([
      ['de', 'missing'],
      ['fr', 'missing'],
    ]);
    await write(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    expect(await translationIn(desk, id, 'de')).toMatchObject({
      status: 'in_progress',
      progress: 1,
      sourceVersion: 2,
      outdatedFields: [],
    });
    await publishIn(desk, id, 'de');
    expect(await statusIn(desk, id, 'de')).toBe('complete');
    expect(await statusIn(desk, id, 'fr')).toBe('missing');
    await write(desk, id, { locale: 'de', fields: { title: 'Die Schleuse' } });
    expect(await statusIn(desk, id, 'de')).toBe('in_progress');
  });

  it('shows progress as the share of filled source fields', async () => {
    const desk = await openDesk(app());
    const id = await newEntry(desk, { title: 'Lock', body: paragraphs('Water.') });
    await write(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    expect((await translationIn(desk, id, 'de')).progress).toBe(0.5);
    expect((await translationIn(desk, id, 'fr')).progress).toBe(0);
  });

  it('is in progress after copy-locale', async () => {
    const desk = await openDesk(app());
    const id = await newEntry(desk);
    await desk.post(`/entries/${id}/copy-locale`, { fromLocale: 'en', toLocale: 'de' });
    expect(await statusIn(desk, id, 'de')).toBe('in_progress');
  });

  it('does not change when the slug or a shared value changes', async () => {
    const desk = await openDesk(app());
    const id = await translated(desk);
    await write(desk, id, { locale: 'de', fields: { code: 'A1' } });
    await publishIn(desk, id, 'en');
    expect(await translationIn(desk, id, 'de')).toMatchObject({ status: 'complete', outdatedFields: [] });
  });
});

describe('A stale translation', () => {
  verifies('translations/staleness', 'translations/staleness-at-publish');

  it('names the fields whose source was published with other content, with the source then and now', async () => {
    const desk = await openDesk(app());
    const id = await translated(desk);
    await write(desk, id, { locale: 'en', fields: { title: 'The lock' } });
    expect(await statusIn(desk, id, 'de')).toBe('complete');
    await publishIn(desk, id, 'en');
    expect(await translationIn(desk, id, 'de')).toMatchObject({
      status: 'stale',
      staleReason: 'source_changed',
      outdatedFields: ['title'],
      outdated: [{ field: 'title', sourceVersion: 2, then: 'Lock', now: 'The lock' }],
    });
    expect(await eventsOf(desk, id)).toEqual([['de', ['title']]]);
  });

  it('is complete again once the outdated fields are translated and published', async () => {
    const desk = await openDesk(app());
    const id = await translated(desk);
    await write(desk, id, { locale: 'en', fields: { title: 'The lock' } });
    await publishIn(desk, id, 'en');
    await write(desk, id, { locale: 'de', fields: { body: paragraphs('Mehr Wasser.') } });
    await publishIn(desk, id, 'de');
    expect(await translationIn(desk, id, 'de')).toMatchObject({ status: 'stale', outdatedFields: ['title'] });
    await write(desk, id, { locale: 'de', fields: { title: 'Die Schleuse' } });
    await publishIn(desk, id, 'de');
    expect(await translationIn(desk, id, 'de')).toMatchObject({ status: 'complete', outdatedFields: [] });
  });

  it('is decided by content: publishing the source again, or as it was, marks nothing', async () => {
    const desk = await openDesk(app());
    const id = await translated(desk);
    await write(desk, id, { locale: 'en', fields: { title: 'Other' } });
    await write(desk, id, { locale: 'en', fields: { title: 'Lock', code: 'B2' } });
    await publishIn(desk, id, 'en');
    expect(await statusIn(desk, id, 'de')).toBe('complete');
    await write(desk, id, { locale: 'en', fields: { title: 'Other' } });
    await publishIn(desk, id, 'en');
    expect(await statusIn(desk, id, 'de')).toBe('stale');
    await write(desk, id, { locale: 'en', fields: { title: 'Lock' } });
    await publishIn(desk, id, 'en');
    expect(await statusIn(desk, id, 'de')).toBe('complete');
  });

  it('is stale when the source gains a field, but not when it was translated from that draft', async () => {
    const desk = await openDesk(app());
    const id = await newEntry(desk);
    await publishIn(desk, id, 'en');
    for (const locale of ['de', 'fr']) {
      await write(desk, id, { locale, fields: { title: 'Schleuse' } });
      await publishIn(desk, id, locale);
    }
    await write(desk, id, { locale: 'en', fields: { body: paragraphs('Water.') } });
    await write(desk, id, { locale: 'de', fields: { body: paragraphs('Wasser.') } });
    await publishIn(desk, id, 'de');
    await publishIn(desk, id, 'en');
    expect(await translationIn(desk, id, 'de')).toMatchObject({ status: 'complete', outdatedFields: [] });
    expect(await translationIn(desk, id, 'fr')).toMatchObject({
      status: 'stale',
      outdated: [{ field: 'body', sourceVersion: null, then: null, now: paragraphs('Water.') }],
    });
    expect(await eventsOf(desk, id)).toEqual([['fr', ['body']]]);
  });

  it('keeps its fields through renames of the field and of a linked content type', async () => {
    const desk = await openDesk(app());
    const author = await desk.post('/entries', {
      contentTypeApiName: 'author',
      siteId: desk.project.siteId,
      fields: { name: 'Ada' },
    });
    const link = { _ref: (author.body as { data: { id: string } }).data.id };
    const id = await newEntry(desk, { title: 'Lock', author: link });
    await publishIn(desk, id, 'en');
    await write(desk, id, { locale: 'de', fields: { title: 'Schleuse', author: link } });
    await publishIn(desk, id, 'de');
    await write(desk, id, { locale: 'en', fields: { title: 'The lock' } });
    await publishIn(desk, id, 'en');
    await desk.post('/content-types/article/fields/title/rename', { apiName: 'heading' });
    await desk.post('/content-types/author/rename', { apiName: 'writer' });
    expect(await translationIn(desk, id, 'de')).toMatchObject({
      status: 'stale',
      progress: 1,
      outdated: [{ field: 'heading', then: 'Lock', now: 'The lock' }],
    });
    await write(desk, id, { locale: 'en', fields: { heading: 'A lock' } });
    await publishIn(desk, id, 'en');
    expect((await translationIn(desk, id, 'de')).outdatedFields).toEqual(['heading']);
    await desk.delete('/content-types/article/fields/heading?force=true');
    expect(await translationIn(desk, id, 'de')).toMatchObject({ status: 'complete', outdatedFields: [] });
  });
});

describe('Locales of a site', () => {
  verifies('translations/status');

  it('have a translation of every entry as soon as the site has them', async () => {
    const desk = await openDesk(app());
    const id = await translated(desk);
    await desk.put('/sites/main', { locales: ['en', 'de'] });
    expect((await translationsOf(desk, id)).map(({ locale }) => locale)).toEqual(['de']);
    await desk.put('/sites/main', { locales: ['en', 'de', 'fr'] });
    await desk.put('/sites/main', { defaultLocale: 'de' });
    expect((await translationsOf(desk, id)).map(({ locale, status }) => [locale, status])).toEqual([
      ['en', 'complete'],
      ['fr', 'missing'],
    ]);
    await write(desk, id, { locale: 'de', fields: { title: 'Die Schleuse' } });
    await publishIn(desk, id, 'de');
    expect(await translationIn(desk, id, 'en')).toMatchObject({ status: 'stale', outdatedFields: ['title'] });
  });
});

describe('A statement that writes many rows', () => {
  verifies('translations/status', 'translations/staleness');

  it('calls its trigger once, and compares translations with the sources that it published itself', async () => {
    const desk = await openDesk(app());
    const ids = [await translated(desk), await translated(desk)];
    const shown = (locale: string) =>
      Promise.all(
        ids.map(async (id) => {
          const { status, outdatedFields } = await translationIn(desk, id, locale);
          return [status, outdatedFields];
        }),
      );
    const both = (status: string, outdated: string[] = []) => ids.map(() => [status, outdated]);
    const rewrite = `UPDATE entry_locales SET fields = fields || '{"title": "New"}'`;
    expect(await callsIn(desk, rewrite)).toEqual([1]);
    expect(await shown('de')).toEqual(both('in_progress'));
    const insert = `INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title, fields,
        in_tree, shared_hash, is_shown, created_at, updated_at)
      SELECT tenant_id, environment_id, entry_id, 'fr', content_type_id, site_id, slug, title, fields, in_tree, shared_hash, false,
        created_at, updated_at FROM entry_locales WHERE locale = 'en'`;
    expect(await callsIn(desk, insert)).toEqual([1]);
    expect(await shown('fr')).toEqual(both('in_progress'));
    const publishAll = `UPDATE entry_locales l SET published_content_hash = l.content_hash, published_version = e.version,
        published_at = now() FROM entries e WHERE e.environment_id = l.environment_id AND e.id = l.entry_id`;
    expect(await callsIn(desk, publishAll)).toEqual([1]);
    expect(await shown('de')).toEqual(both('complete'));
    expect(await shown('fr')).toEqual(both('complete'));
    await callsIn(
      desk,
      `UPDATE entry_locales SET fields = fields || '{"title": "Newer"}' WHERE locale = 'en'`,
    );
    expect(await callsIn(desk, `${publishAll} AND l.locale = 'en'`)).toEqual([1]);
    expect(await shown('de')).toEqual(both('stale', ['title']));
    expect(await shown('fr')).toEqual(both('stale', ['title']));
    await callsIn(desk, 'UPDATE entry_locales SET is_deleted = true');
    const left = await desk.app.rows(
      desk.project.tenantId,
      `SELECT FROM translations WHERE NOT is_deleted UNION ALL SELECT FROM translation_counts
       WHERE environment_id IN (SELECT environment_id FROM entries) AND NOT is_deleted AND entries <> 0`,
    );
    expect(left).toEqual([]);
  });
});
