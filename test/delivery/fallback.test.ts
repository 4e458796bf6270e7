import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';

const app = useApp();

const locales = ['en', { code: 'de', fallbackCode: 'en' }, { code: 'de-CH', fallbackCode: 'de' }, 'fr'];

/** An article in these locales, with the locale as its title. */
async function written(desk: Desk, codes: readonly string[]): Promise<string> {
  const [first = 'en', ...others] = codes;
  const made = await createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    locale: first,
    fields: { title: first, code: 'shared' },
  });
  for (const [index, locale] of others.entries())
    await desk.put(`/entries/${made.id}`, { version: index + 1, locale, fields: { title: locale } });
  return made.id;
}

const read = ({ project }: Desk, path: string, key?: string) => {
  const call = app().request.get(`${project.delivery}${path}`);
  return key === undefined ? call : call.set('Authorization', `Bearer ${key}`);
};

describe('A locale in which an entry is not published', () => {
  verifies('localization/fallback', 'entries/status-per-locale');

  it('serves an unpublished locale from its first published fallback and says which', async () => {
    const desk = await openDesk(app(), { locales });
    const id = await written(desk, ['en', 'de', 'de-CH']);
    const served = async () => (await read(desk, `/entries/${id}?locale=de-CH`)).body.data as unknown;
    await publish(app(), desk.project, id, 'en');
    expect(await served()).toMatchObject({ _locale: 'en', fields: { title: 'en' } });
    await publish(app(), desk.project, id, 'de');
    expect(await served()).toMatchObject({ _locale: 'de', fields: { title: 'de' } });
    await publish(app(), desk.project, id, 'de-CH');
    expect(await served()).toMatchObject({ _locale: 'de-CH', fields: { title: 'de-CH' } });
    await desk.post(`/entries/${id}/unpublish`, { locale: 'de-CH' });
    expect(await served()).toMatchObject({ _locale: 'de' });
  });

  it('returns 404 if no fallback is published', async () => {
    const desk = await openDesk(app(), { locales });
    const id = await written(desk, ['en']);
    await publish(app(), desk.project, id);
    expect(outcome(await read(desk, `/entries/${id}?locale=fr`))).toEqual([404, 'entry_not_found']);
  });

  it('does not fall back from the default locale', async () => {
    const desk = await openDesk(app(), { locales });
    const id = await written(desk, ['de']);
    await publish(app(), desk.project, id, 'de');
    expect(outcome(await read(desk, `/entries/${id}`))).toEqual([404, 'entry_not_found']);
  });
});

describe('A list', () => {
  verifies('localization/fallback', 'delivery/content-list');

  it('lists and counts each entry once, in its best locale', async () => {
    const desk = await openDesk(app(), { locales });
    const both = await written(desk, ['en', 'de']);
    const english = await written(desk, ['en']);
    const french = await written(desk, ['fr']);
    for (const [id, locale] of [
      [both, 'en'],
      [both, 'de'],
      [english, 'en'],
      [french, 'fr'],
    ] as const)
      await desk.post(`/entries/${id}/publish`, { locale });
    const { body } = await read(desk, '/content/article?locale=de-CH&orderBy=createdAt:asc');
    expect(body.meta.total).toBe(1);
    expect(body.data).toEqual([expect.objectContaining({ _id: both, _locale: 'de' })]);
  });
});

describe('A preview', () => {
  verifies('localization/fallback', 'access/preview-key-drafts');

  it('applies the same fallbacks to drafts in previews', async () => {
    const desk = await openDesk(app(), { locales });
    const id = await written(desk, ['en']);
    const { body } = await read(desk, `/entries/${id}?locale=de-CH`, desk.project.keys.preview);
    expect(body.data).toMatchObject({ _locale: 'en', fields: { title: 'en' } });
  });
});

describe('A field that is the same in every locale', () => {
  verifies('localization/fallback', 'entries/status-per-locale');

  it('stores a shared field with each locale when that locale is published', async () => {
    const desk = await openDesk(app(), { locales });
    const id = await written(desk, ['en', 'fr']);
    await publish(app(), desk.project, id, 'en');
    await desk.put(`/entries/${id}`, { version: 2, locale: 'fr', fields: { code: 'newer' } });
    await publish(app(), desk.project, id, 'fr');
    const code = async (locale: string) =>
      (await read(desk, `/entries/${id}?locale=${locale}`)).body.data.fields.code as unknown;
    expect([await code('en'), await code('fr')]).toEqual(['shared', 'newer']);
    await publish(app(), desk.project, id, 'en');
    expect(await code('en')).toBe('newer');
  });
});
