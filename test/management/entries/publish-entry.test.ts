import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, type TestEntry } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const article = (desk: Desk, fields: Record<string, unknown> = { title: 'Title' }): Promise<TestEntry> =>
  createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
const publish = (desk: Desk, id: string, body: object = {}): Promise<Response> =>
  desk.post(`/entries/${id}/publish`, body);
const statuses = async (desk: Desk, id: string): Promise<Record<string, string>> => {
  const { locales } = (await desk.get(`/entries/${id}`)).body.data as TestEntry;
  return Object.fromEntries(locales.map(({ locale, status }) => [locale, status]));
};
const recordsOf = (desk: Desk, { headers }: Response) =>
  app().rows<{ action: string }>(
    desk.project.tenantId,
    "SELECT action FROM audit_events WHERE context ->> 'requestId' = $1",
    [headers['x-request-id']],
  );

describe('200', () => {
  verifies('publication/publish', 'entries/status-per-locale', 'entries/status');

  it('publishes the draft of the default locale and keeps its version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const { status, body } = await publish(desk, id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, locale: 'en', status: 'published', version: 1 });
    expect(body.data.locales).toEqual([
      expect.objectContaining({ locale: 'en', status: 'published', publishedVersion: 1 }),
    ]);
    expect(body.data.locales[0].publishedAt).toMatch(/Z$/);
  });

  it('publishes one locale only', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Titel' } });
    await publish(desk, id, { locale: 'de' });
    expect(await statuses(desk, id)).toEqual({ en: 'draft', de: 'published' });
  });

  it('reports changed after an edit of the locale’s values, until it is published again', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await publish(desk, id);
    const edited = await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Newer' } });
    expect(edited.body.data).toMatchObject({ status: 'changed', version: 2 });
    expect((await publish(desk, id)).body.data.locales[0]).toMatchObject({
      status: 'published',
      publishedVersion: 2,
    });
  });

  it('reports changed after a change of the slug', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await publish(desk, id);
    await desk.put(`/entries/${id}`, { version: 1, slug: 'another-slug' });
    expect(await statuses(desk, id)).toEqual({ en: 'changed' });
  });

  it('reports changed in every locale after a shared edit, but not after an edit of another locale', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Title', code: 'A' });
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Titel' } });
    for (const locale of ['en', 'de']) await publish(desk, id, { locale });
    await desk.put(`/entries/${id}`, { version: 2, locale: 'de', fields: { title: 'Neuer' } });
    expect(await statuses(desk, id)).toEqual({ en: 'published', de: 'changed' });
    await desk.put(`/entries/${id}`, { version: 3, locale: 'de', fields: { title: 'Titel' } });
    expect(await statuses(desk, id)).toEqual({ en: 'published', de: 'published' });
    await desk.put(`/entries/${id}`, { version: 4, locale: 'de', fields: { code: 'B' } });
    expect(await statuses(desk, id)).toEqual({ en: 'changed', de: 'changed' });
  });

  it('publishes at the named version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    expect((await publish(desk, id, { version: 1 })).status).toBe(200);
  });
});

describe('200 for what is live already', () => {
  verifies('publication/publish-again');

  it('changes nothing and writes no audit record when the draft is already published', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const first = await publish(desk, id);
    expect(await recordsOf(desk, first)).toEqual([{ action: 'entry.publish' }]);
    const again = await publish(desk, id);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await recordsOf(desk, again)).toEqual([]);
  });
});

describe('404', () => {
  verifies('http/missing-things');

  it.each(['nothing', '00000000-0000-7000-8000-000000000000'])('returns 404 for the id %s', async (id) => {
    const desk = await openDesk(app());
    expect(outcome(await publish(desk, id))).toEqual([404, 'entry_not_found']);
  });

  it('returns 404 with the path of an unknown locale in the body', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const response = await publish(desk, id, { locale: 'es' });
    expect(outcome(response)).toEqual([404, 'locale_not_found']);
    expect(response.body.details).toMatchObject({ path: ['locale'], locale: 'es' });
  });
});

describe('409', () => {
  verifies('entries/write');

  it('returns 409 when publishing an outdated version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Newer' } });
    const response = await publish(desk, id, { version: 1 });
    expect(outcome(response)).toEqual([409, 'version_conflict']);
    expect(response.body.details).toMatchObject({ expectedVersion: 1, currentVersion: 2 });
    expect(await statuses(desk, id)).toEqual({ en: 'draft' });
  });
});

describe('422', () => {
  verifies('publication/publish-again', 'content/values-missing-links');

  it('reports every issue of an incomplete entry at once and publishes nothing', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, {
      apiName: 'strict',
      fields: [
        { apiName: 'title', type: 'text', required: true },
        { apiName: 'short', type: 'text', validations: { maxLength: 3 } },
        { apiName: 'long', type: 'longText', validations: { minLength: 5 } },
        { apiName: 'form', type: 'text', validations: { pattern: '^[A-Z]+$', message: 'Capitals, please.' } },
        { apiName: 'tags', type: 'text', isList: true, validations: { minItems: 2 } },
        { apiName: 'count', type: 'integer', validations: { min: 10, step: 5 } },
        { apiName: 'day', type: 'date', validations: { min: '2026-01-01' } },
        { apiName: 'link', type: 'reference' },
      ],
    });
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'strict',
      fields: {
        short: 'longer',
        long: 'tiny',
        form: 'lower',
        tags: ['one'],
        count: 7,
        day: '2025-12-31',
        link: { _ref: '00000000-0000-7000-8000-000000000000' },
      },
    });
    const response = await publish(desk, id);
    expect(outcome(response)).toEqual([422, 'entry_invalid']);
    expect(issues(response)).toEqual([
      ['fields.title', 'required'],
      ['fields.short', 'too_long'],
      ['fields.long', 'too_short'],
      ['fields.form', 'pattern'],
      ['fields.tags', 'too_few_items'],
      ['fields.count', 'too_small'],
      ['fields.count', 'off_step'],
      ['fields.day', 'too_early'],
      ['fields.link', 'broken_reference'],
    ]);
    expect(response.body.details.issues[3].message).toBe('Capitals, please.');
    expect(await statuses(desk, id)).toEqual({ en: 'draft' });
  });

  it('returns no_draft for a locale that has not been written', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const response = await publish(desk, id, { locale: 'fr' });
    expect(outcome(response)).toEqual([422, 'entry_invalid']);
    expect(issues(response)).toEqual([['locale', 'no_draft']]);
  });

  it('returns 422 for a link to a deleted entry', async () => {
    const desk = await openDesk(app());
    const target = await article(desk);
    const { id } = await article(desk, { title: 'Links', related: [{ _ref: target.id }] });
    await desk.delete(`/entries/${target.id}`);
    expect(issues(await publish(desk, id))).toEqual([['fields.related', 'broken_reference']]);
  });

  it('returns 422 for a link to another site only when the field requires the same site', async () => {
    const desk = await openDesk(app());
    const site = (await desk.post('/sites', { slug: 'other', name: 'Other' })).body.data as { id: string };
    await createType(app(), desk.project, {
      apiName: 'picky',
      fields: [
        { apiName: 'near', type: 'reference', settings: { sameSite: true } },
        { apiName: 'any', type: 'reference' },
      ],
    });
    const target = await createEntry(app(), desk.project, { contentTypeApiName: 'author', siteId: site.id });
    const link = { _ref: target.id };
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'picky',
      fields: { near: link, any: link },
    });
    expect(issues(await publish(desk, id))).toEqual([['fields.near', 'other_site']]);
  });

  it('returns 422 for a malformed time instead of publishing at once', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const response = await publish(desk, id, { sheduledAt: '2099-01-01T00:00:00Z' });
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(await statuses(desk, id)).toEqual({ en: 'draft' });
  });
});

describe('unique values', () => {
  verifies('publication/publish-again');

  const coded = (desk: Desk, code: string) => article(desk, { title: `Title ${unique()}`, code });

  it('reserves a unique value until its entry is unpublished, deleted or changed', async () => {
    const desk = await openDesk(app());
    const [one, two] = [await coded(desk, 'A'), await coded(desk, 'A')];
    const again = async () => issues(await publish(desk, two.id));
    const taken = [['fields.code', 'not_unique']];
    expect((await publish(desk, one.id)).status).toBe(200);
    expect(await again()).toEqual(taken);
    await desk.post(`/entries/${one.id}/unpublish`, {});
    expect(await again()).toEqual([]);
    expect(issues(await publish(desk, one.id))).toEqual(taken);
    await desk.put(`/entries/${two.id}`, { version: 1, fields: { code: 'B' } });
    expect(issues(await publish(desk, one.id))).toEqual(taken);
    await publish(desk, two.id);
    expect((await publish(desk, one.id)).status).toBe(200);
    await desk.delete(`/entries/${one.id}`);
    await desk.put(`/entries/${two.id}`, { version: 2, fields: { code: 'A' } });
    expect((await publish(desk, two.id)).status).toBe(200);
  });

  it('allows the same unique value in several locales of one entry', async () => {
    const desk = await openDesk(app());
    const { id } = await coded(desk, 'A');
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Titel' } });
    expect((await publish(desk, id)).status).toBe(200);
    expect((await publish(desk, id, { locale: 'de' })).status).toBe(200);
    await desk.post(`/entries/${id}/unpublish`, { locale: 'en' });
    const other = await coded(desk, 'A');
    expect(issues(await publish(desk, other.id))).toEqual([['fields.code', 'not_unique']]);
  });

  it('does not require unique values to be present', async () => {
    const desk = await openDesk(app());
    for (const { id } of [await article(desk), await article(desk)])
      expect((await publish(desk, id)).status).toBe(200);
  });

  it('lets exactly one of 20 concurrent publications have a unique value', async () => {
    const desk = await openDesk(app());
    const entries = await Promise.all(Array.from({ length: 20 }, () => coded(desk, 'same')));
    const answers = await Promise.all(entries.map(({ id }) => publish(desk, id)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = answers.filter(({ status }) => status !== 200);
    for (const response of lost) expect(issues(response)).toEqual([['fields.code', 'not_unique']]);
  });
});
