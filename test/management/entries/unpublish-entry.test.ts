import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { send } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const article = (desk: Desk): Promise<TestEntry> =>
  createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title: 'Title' } });
const unpublish = (desk: Desk, id: string, body: object = {}): Promise<Response> =>
  desk.post(`/entries/${id}/unpublish`, body);
const delivered = async ({ project }: Desk, id: string, locale: string) =>
  (await send(app(), { method: 'GET', path: `${project.delivery}/entries/${id}?locale=${locale}` })).status;

/** Published in English and German. */
async function bilingual(desk: Desk): Promise<string> {
  const { id } = await article(desk);
  await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Titel' } });
  for (const locale of ['en', 'de']) await publish(app(), desk.project, id, locale);
  return id;
}

describe('200', () => {
  verifies('publication/publish', 'entries/status-per-locale', 'entries/status');

  it('unpublishes the default locale and keeps its draft and version', async () => {
    const desk = await openDesk(app());
    const id = await bilingual(desk);
    const { status, body } = await unpublish(desk, id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      locale: 'en',
      status: 'draft',
      version: 2,
      fields: { title: 'Title' },
    });
    expect(body.data.locales).toEqual([
      expect.objectContaining({ locale: 'en', status: 'draft', publishedAt: null, publishedVersion: null }),
      expect.objectContaining({ locale: 'de', status: 'published', publishedVersion: 2 }),
    ]);
    expect([await delivered(desk, id, 'en'), await delivered(desk, id, 'de')]).toEqual([404, 200]);
  });

  it('unpublishes the named locale', async () => {
    const desk = await openDesk(app());
    const id = await bilingual(desk);
    expect((await unpublish(desk, id, { locale: 'de' })).body.data).toMatchObject({
      locale: 'de',
      status: 'draft',
    });
    expect([await delivered(desk, id, 'en'), await delivered(desk, id, 'de')]).toEqual([200, 404]);
  });

  it('unpublishes a changed locale and keeps the change', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await publish(app(), desk.project, id);
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Newer' } });
    expect((await unpublish(desk, id, { version: 2 })).body.data).toMatchObject({
      status: 'draft',
      fields: { title: 'Newer' },
    });
    await publish(app(), desk.project, id);
    expect((await desk.get(`/entries/${id}`)).body.data.locales[0]).toMatchObject({
      status: 'published',
      publishedVersion: 2,
    });
  });
});

describe('200 for what is not live', () => {
  verifies('publication/publish-again');

  it.each([{}, { locale: 'fr' }])(
    'changes nothing and writes no audit record for %j when the locale is not published',
    async (body) => {
      const desk = await openDesk(app());
      const { id } = await article(desk);
      const response = await unpublish(desk, id, body);
      expect([response.status, response.body.data.status]).toEqual([200, 'draft']);
      const records = await app().rows(
        desk.project.tenantId,
        "SELECT 1 FROM audit_events WHERE context ->> 'requestId' = $1",
        [response.headers['x-request-id']],
      );
      expect(records).toEqual([]);
    },
  );
});

describe('404', () => {
  verifies('http/missing-things');

  it('returns 404 when the entry does not exist or is deleted', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.delete(`/entries/${id}`);
    for (const gone of [id, 'nothing', '00000000-0000-7000-8000-000000000000'])
      expect(outcome(await unpublish(desk, gone))).toEqual([404, 'entry_not_found']);
  });

  it('returns 404 with the path of an unknown locale in the body', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const response = await unpublish(desk, id, { locale: 'es' });
    expect(outcome(response)).toEqual([404, 'locale_not_found']);
    expect(response.body.details.path).toEqual(['locale']);
  });
});

describe('409', () => {
  verifies('entries/delete', 'entries/write');

  it('returns 409 when unpublishing an outdated version', async () => {
    const desk = await openDesk(app());
    const id = await bilingual(desk);
    expect(outcome(await unpublish(desk, id, { version: 1 }))).toEqual([409, 'version_conflict']);
    expect(await delivered(desk, id, 'en')).toBe(200);
  });

  it('returns entry_in_use when a published entry holds it in a restricting field', async () => {
    const desk = await openDesk(app());
    const settings = { onTargetUnpublish: 'restrict' };
    await createType(app(), desk.project, {
      apiName: 'guard',
      fields: [{ apiName: 'holds', type: 'reference', settings }],
    });
    const { id } = await article(desk);
    await publish(app(), desk.project, id);
    const holder = await createEntry(app(), desk.project, {
      contentTypeApiName: 'guard',
      fields: { holds: { _ref: id } },
    });
    await publish(app(), desk.project, holder.id);
    const response = await unpublish(desk, id);
    expect(outcome(response)).toEqual([409, 'entry_in_use']);
    expect(response.body.details).toEqual({ entryIds: [holder.id] });
    expect(await delivered(desk, id, 'en')).toBe(200);
    await unpublish(desk, holder.id);
    expect((await unpublish(desk, id)).status).toBe(200);
  });
});
