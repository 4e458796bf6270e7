import { beforeEach, describe, expect, it } from '@jest/globals';
import { Desk, outcome, useApp } from '../../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import { createProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

/** A site in English, the default, and German. */
let desk: Desk;

beforeEach(async () => {
  desk = new Desk(app(), await createProject(app(), { locales: ['en', 'de'] }));
  await createType(app(), desk.project, {
    apiName: 'product',
    isLocalized: false,
    fields: [{ apiName: 'title', type: 'text', required: true }],
  });
});

const lamp = (body: object = {}): Promise<TestEntry> =>
  createEntry(app(), desk.project, {
    contentTypeApiName: 'product',
    fields: { title: 'Lamp' },
    ...body,
  });

const refusal = { path: ['locale'], locale: 'de', documentLocale: 'en' };

describe('An entry of a type without locales, in management', () => {
  verifies('localization/one-document');

  it('is written in the default locale only, other locales are refused by name', async () => {
    const { id, locale, locales } = await lamp({ locale: 'en' });
    expect([locale, locales.map((one) => one.locale)]).toEqual(['en', ['en']]);
    const made = await desk.post('/entries', {
      contentTypeApiName: 'product',
      siteId: desk.project.siteId,
      locale: 'de',
      fields: { title: 'Lampe' },
    });
    expect([...outcome(made), made.body.details]).toEqual([422, 'type_not_localized', refusal]);
    const calls = [
      desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Lampe' } }),
      desk.post(`/entries/${id}/publish`, { locale: 'de' }),
      desk.post(`/entries/${id}/unpublish`, { locale: 'de' }),
      desk.post(`/entries/${id}/publish`, { locale: 'de', scheduledAt: '2999-01-01T00:00:00Z' }),
      desk.post(`/entries/${id}/restore`, { versionNum: 1, version: 1, locale: 'de' }),
      desk.post(`/entries/${id}/workflow`, { to: 'review', locale: 'de' }),
    ];
    for (const call of calls) {
      const refused = await call;
      expect([...outcome(refused), refused.body.details]).toEqual([422, 'type_not_localized', refusal]);
    }
    const copied = await desk.post(`/entries/${id}/copy-locale`, { fromLocale: 'en', toLocale: 'de' });
    expect([...outcome(copied), copied.body.details.path]).toEqual([422, 'type_not_localized', ['toLocale']]);
    expect(outcome(await desk.put(`/entries/${id}`, { version: 1, locale: 'it', slug: 'x' }))).toEqual([
      404,
      'locale_not_found',
    ]);
    expect((await desk.get(`/entries/${id}`)).body.data.version).toBe(1);
  });

  it('fails alone in a batch and in bulk operations that name another locale', async () => {
    const { id } = await lamp();
    const bulk = await desk.post('/entries/bulk', {
      action: 'publish',
      entryIds: [id],
      params: { locale: 'de' },
    });
    expect(bulk.body.data).toMatchObject({
      failed: 1,
      results: [{ error: 'type_not_localized' }],
    });
    const batch = await desk.post('/entries/batch', {
      items: [{ action: 'update', id, locale: 'de', fields: { title: 'Lampe' } }],
    });
    expect(batch.body.data).toMatchObject({ results: [{ error: 'type_not_localized' }] });
  });

  it('is read and listed in every locale of its site', async () => {
    const { id } = await lamp();
    for (const locale of ['en', 'de']) {
      expect((await desk.get(`/entries/${id}?locale=${locale}`)).body.data).toMatchObject({
        locale: 'en',
        status: 'draft',
        fields: { title: 'Lamp' },
      });
      const list = await desk.get(`/entries?locale=${locale}&facets=status`);
      expect(list.body).toMatchObject({
        data: [{ id, locale: 'en', fields: { title: 'Lamp' } }],
        meta: { total: 1, facets: { status: { draft: 1 } } },
      });
      const drafts = await desk.get(`/entries?locale=${locale}&status=draft&q=lamp`);
      expect(drafts.body.meta.total).toBe(1);
      const validation = await desk.get(`/entries/${id}/validation?locale=${locale}`);
      expect(validation.body.data).toMatchObject({ locale: 'en', isPublishable: true });
    }
    expect(outcome(await desk.get(`/entries/${id}?locale=it`))).toEqual([404, 'locale_not_found']);
  });

  it('has no translations, and dashboards and reports ask for none', async () => {
    await desk.put('/sites/main', { requiredLocales: ['de'] });
    const { id } = await lamp();
    await publish(app(), desk.project, id);
    expect((await desk.get('/translations')).body).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await desk.get('/translations?locale=de&status=missing')).body.meta.total).toBe(0);
    expect((await desk.get('/translations/stats')).body.data).toMatchObject({
      totalEntries: 0,
      byContentType: [],
    });
    expect((await desk.get('/reports/content-health')).body.data).toMatchObject({
      rows: [],
      summary: { entries: 1, issues: 0, score: 100 },
    });
    const refused = await desk.put(`/translations/${id}/de`, { status: 'complete' });
    expect([...outcome(refused), refused.body.details]).toEqual([422, 'type_not_localized', refusal]);
    expect(outcome(await desk.get(`/translations/${id}/de/export`))).toEqual([422, 'type_not_localized']);
  });

  it('counts in the health score whatever locales its site requires', async () => {
    await desk.put('/sites/main', { requiredLocales: ['de'] });
    await createType(app(), desk.project, {
      apiName: 'sheet',
      isLocalized: false,
      fields: [{ apiName: 'title', type: 'text', required: true, localized: true }],
    });
    await createEntry(app(), desk.project, { contentTypeApiName: 'sheet', slug: 'empty' });
    const { body } = await desk.get('/reports/content-health');
    expect(body.data.summary).toMatchObject({ entries: 1, score: 0 });
    expect(body.data.rows).toHaveLength(1);
    expect(body.data.rows[0].issues).toEqual([
      { code: 'missing_required', severity: 'critical', field: 'title', message: expect.any(String) },
    ]);
  });

  it('is published with what links to it in another locale, and warned of there while it is not', async () => {
    await createType(app(), desk.project, {
      apiName: 'page',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'product', type: 'reference', localized: false, settings: { contentTypes: ['product'] } },
      ],
    });
    const { id: productId } = await lamp();
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'page',
      locale: 'de',
      fields: { title: 'Seite', product: { _ref: productId } },
    });
    const warnings = async () =>
      (await desk.get(`/entries/${id}/validation?locale=de`)).body.data.warnings as unknown;
    expect(await warnings()).toMatchObject([{ code: 'not_published', path: ['fields', 'product'] }]);
    await desk.post(`/entries/${id}/publish`, { locale: 'de', withDependencies: true });
    expect((await desk.get(`/entries/${productId}`)).body.data.status).toBe('published');
    expect(await warnings()).toEqual([]);
  });

  it('is duplicated to a site that has only other locales', async () => {
    const site = await desk.post('/sites', {
      slug: 'german',
      name: 'German',
      locales: ['de'],
      defaultLocale: 'de',
    });
    const { id } = await lamp();
    const copy = await desk.post(`/entries/${id}/duplicate`, { siteId: site.body.data.id as string });
    expect(copy.body.data).toMatchObject({ locale: 'de', fields: { title: 'Lamp (copy)' } });
    expect(copy.body.data.locales).toHaveLength(1);
  });
});
