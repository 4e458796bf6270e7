import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('200', () => {
  verifies('routing/sites', 'http/put-partial');

  it('changes given properties, clears nulls and keeps the rest', async () => {
    const desk = await openDesk(app());
    await desk.put('/sites/main', { domain: 'www.example.com', baseUrl: 'https://www.example.com' });
    const { status, body } = await desk.put('/sites/main', { domain: null, name: 'Renamed' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Renamed', domain: null, baseUrl: 'https://www.example.com' });
  });

  it('changes nothing for equal values', async () => {
    const desk = await openDesk(app());
    const before = (await desk.get('/sites/main')).body;
    expect((await desk.put('/sites/main', { name: 'Main', locales: ['en', 'de', 'fr'] })).body).toEqual(
      before,
    );
  });

  it('serves delivery under the new slug at once', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    await publish(app(), desk.project, id);
    await desk.put('/sites/main', { slug: 'moved' });
    const at = (site: string) =>
      app().request.get(`/api/delivery/projects/${desk.project.slug}/sites/${site}/entries/${id}`);
    expect([(await at('main')).status, (await at('moved')).status]).toEqual([404, 200]);
  });

  it('sets the required locales, which the site must have', async () => {
    verifies('localization/required-locales');
    const desk = await openDesk(app());
    expect((await desk.get('/sites/main')).body.data.requiredLocales).toEqual([]);
    const { body } = await desk.put('/sites/main', { requiredLocales: ['de', 'en', 'de'] });
    expect(body.data.requiredLocales).toEqual(['de', 'en']);
    for (const [change, position] of [
      [{ requiredLocales: ['en', 'xx'] }, 1],
      [{ locales: ['en', 'fr'] }, 0],
    ] as const) {
      const refused = await desk.put('/sites/main', change);
      expect(outcome(refused)).toEqual([404, 'locale_not_found']);
      expect(refused.body.details.path).toEqual(['requiredLocales', position]);
    }
    const site = { slug: 'second', name: 'Second', locales: ['en'], requiredLocales: ['de'] };
    expect(outcome(await desk.post('/sites', site))).toEqual([404, 'locale_not_found']);
    const made = await desk.post('/sites', { ...site, requiredLocales: ['en'] });
    expect(made.body.data.requiredLocales).toEqual(['en']);
  });

  it('accepts a home entry of the site', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article' });
    expect((await desk.put('/sites/main', { homeEntryId: id })).body.data.homeEntryId).toBe(id);
  });
});

describe('200, in one spelling', () => {
  verifies('routing/sites');

  it('removes duplicate locales and normalizes the home entry’s id', async () => {
    const desk = await openDesk(app());
    expect((await desk.put('/sites/main', { locales: ['en', 'de', 'en'] })).body.data.locales).toEqual([
      'en',
      'de',
    ]);
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article' });
    const { body } = await desk.put('/sites/main', { homeEntryId: id.toUpperCase() });
    expect(body.data.homeEntryId).toBe(id);
    expect((await desk.put('/sites/main', { homeEntryId: null })).body.data.homeEntryId).toBeNull();
  });
});

describe('409', () => {
  verifies('access/tenant-locales');

  it('returns 409 when the slug is taken', async () => {
    const desk = await openDesk(app());
    await desk.post('/sites', { slug: 'shop', name: 'Shop' });
    expect(outcome(await desk.put('/sites/shop', { slug: 'main' }))).toEqual([409, 'slug_conflict']);
  });

  it('returns 409 when removing a locale that entries are written in', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      locale: 'de',
      fields: { title: 'Eins' },
    });
    const answer = await desk.put('/sites/main', { locales: ['en'] });
    expect(outcome(answer)).toEqual([409, 'locale_in_use']);
    expect(answer.body.details).toEqual({ locales: ['de'] });
    await desk.delete(`/entries/${id}`);
    expect((await desk.put('/sites/main', { locales: ['en'] })).status).toBe(200);
  });
});

describe('404 and 422', () => {
  verifies('http/missing-things', 'http/put-partial');

  it('returns 404 or 422 for an unknown site, locale or home entry', async () => {
    const desk = await openDesk(app());
    const other = await openDesk(app());
    const foreign = await createEntry(app(), other.project, { contentTypeApiName: 'article' });
    expect(outcome(await desk.put('/sites/nothing', { name: 'X' }))).toEqual([404, 'site_not_found']);
    expect(outcome(await desk.put('/sites/main', { locales: ['en', 'xx'] }))).toEqual([
      404,
      'locale_not_found',
    ]);
    expect(outcome(await desk.put('/sites/main', { defaultLocale: 'xx' }))).toEqual([
      404,
      'locale_not_found',
    ]);
    for (const homeEntryId of ['nothing', foreign.id])
      expect(outcome(await desk.put('/sites/main', { homeEntryId }))).toEqual([404, 'entry_not_found']);
    expect(outcome(await desk.put('/sites/main', {}))).toEqual([422, 'no_update_fields']);
    expect(outcome(await desk.put('/sites/main', { slug: 'global' }))).toEqual([422, 'reserved_slug']);
  });
});
