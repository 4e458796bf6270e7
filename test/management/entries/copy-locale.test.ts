import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now } from './history.js';

const app = useApp();
const copy = (desk: Desk, id: string, body: object = {}) =>
  desk.post(`/entries/${id}/copy-locale`, { fromLocale: 'en', toLocale: 'de', ...body });

describe('200', () => {
  verifies('entries/further-operations', 'entries/copy-locale');

  it('copies the localized values into a locale as a new version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock', body: paragraphs('Text'), code: 'A' });
    const { status, body } = await copy(desk, id, { version: 1 });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      locale: 'de',
      version: 2,
      status: 'draft',
      slug: 'lock',
      fields: { title: 'Lock', body: paragraphs('Text'), code: 'A' },
    });
    expect((await desk.get(`/entries/${id}/versions`)).body.data[0]).toMatchObject({
      changeType: 'copy_locale',
      locale: 'de',
      changedFields: ['title', 'body', '_slug'],
    });
  });

  it('keeps existing values and the slug of the target locale', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock', body: paragraphs('Text') });
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    expect((await copy(desk, id)).body.data).toMatchObject({
      slug: 'schleuse',
      fields: { title: 'Schleuse', body: paragraphs('Text') },
    });
  });

  it('overwrites existing values on request, limited to the named fields', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock', body: paragraphs('Text') });
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    const { body } = await copy(desk, id, { fields: ['title'], overwrite: true });
    expect(body.data).toMatchObject({ version: 3, slug: 'schleuse', fields: { title: 'Lock' } });
    expect((await now(desk, id)).fields.body).toEqual(paragraphs('Text'));
  });

  it('changes nothing when there is nothing to copy', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock' });
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    expect((await copy(desk, id, { fields: ['body'] })).body.data.version).toBe(2);
  });

  it('numbers the slug of a new locale when it is taken', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Lock' });
    await article(desk, { title: 'Lock' }, { locale: 'de' });
    expect((await copy(desk, id)).body.data.slug).toBe('lock-2');
  });
});

describe('refusals', () => {
  verifies('entries/copy-locale', 'http/missing-things');

  it('returns 422 when both locales are the same or the source has no draft', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const same = await copy(desk, id, { toLocale: 'en' });
    expect([...outcome(same), issues(same)]).toEqual([
      422,
      'validation_failed',
      [['toLocale', 'same_locale']],
    ]);
    const empty = await copy(desk, id, { fromLocale: 'fr' });
    expect([...outcome(empty), issues(empty)]).toEqual([
      422,
      'validation_failed',
      [['fromLocale', 'no_draft']],
    ]);
    expect(outcome(await copy(desk, id, { fromLocale: undefined }))).toEqual([422, 'validation_failed']);
  });

  it('returns 404 with the path of an unknown id in the body', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    for (const [body, code, path] of [
      [{ fromLocale: 'xx' }, 'locale_not_found', ['fromLocale']],
      [{ toLocale: 'xx' }, 'locale_not_found', ['toLocale']],
      [{ fields: ['title', 'nothing'] }, 'field_not_found', ['fields']],
    ] as const) {
      const response = await copy(desk, id, body);
      expect([...outcome(response), response.body.details.path]).toEqual([404, code, path]);
    }
    expect(outcome(await copy(desk, 'nothing'))).toEqual([404, 'entry_not_found']);
  });

  it('returns 409 for an outdated version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await change(desk, id, { fields: { title: 'Two' } });
    expect(outcome(await copy(desk, id, { version: 1 }))).toEqual([409, 'version_conflict']);
  });
});
