import { describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const article = (desk: Desk, fields: Record<string, unknown> = { title: 'Title' }): Promise<TestEntry> =>
  createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
const delivered = async ({ project }: Desk, path: string) =>
  outcome(await send(app(), { method: 'GET', path: `${project.delivery}${path}` }));

/** With the type `guard`, whose references restrict their targets. */
async function openGuardDesk(): Promise<Desk> {
  const desk = await openDesk(app());
  const settings = { onTargetUnpublish: 'restrict' };
  await createType(app(), desk.project, {
    apiName: 'guard',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'holds', type: 'reference', settings, localized: true },
    ],
  });
  return desk;
}
const guard = (desk: Desk, id: string): Promise<TestEntry> =>
  createEntry(app(), desk.project, {
    contentTypeApiName: 'guard',
    fields: { title: 'Guard', holds: { _ref: id } },
  });

describe('200', () => {
  verifies('entries/operations', 'entries/delete', 'http/status-of-create-and-delete');

  it('unpublishes every locale at once and returns the deleted id', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Titel' } });
    for (const locale of ['en', 'de']) await publish(app(), desk.project, id, locale);
    expect(await delivered(desk, `/entries/${id}?locale=de`)).toEqual([200, undefined]);
    const { status, body } = await desk.delete(`/entries/${id}`);
    expect([status, body]).toEqual([200, { data: { id, deleted: true } }]);
    for (const locale of ['en', 'de'])
      expect(await delivered(desk, `/entries/${id}?locale=${locale}`)).toEqual([404, 'entry_not_found']);
  });

  it('hides a deleted entry unless deleted entries are requested', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await publish(app(), desk.project, id);
    await desk.delete(`/entries/${id}`);
    expect(outcome(await desk.get(`/entries/${id}`))).toEqual([404, 'entry_not_found']);
    expect((await desk.get('/entries')).body.meta.total).toBe(0);
    const { data } = (await desk.get(`/entries/${id}?deleted=true`)).body;
    expect(data).toMatchObject({ id, status: 'draft', version: 1, fields: { title: 'Title' } });
    expect(data.deletedAt).toMatch(/Z$/);
    expect(data.locales[0]).toMatchObject({ status: 'draft', publishedAt: null });
  });

  it('keeps the versions of a deleted entry', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Newer' } });
    await desk.delete(`/entries/${id}`);
    const versions = await app().rows(
      desk.project.tenantId,
      'SELECT version_num FROM entry_versions WHERE entry_id = $1 ORDER BY 1',
      [id],
    );
    expect(versions).toEqual([{ version_num: 1 }, { version_num: 2 }]);
  });

  it('frees the slugs of a deleted entry', async () => {
    const desk = await openDesk(app());
    const { id, slug } = await article(desk);
    const again = () =>
      desk.post('/entries', { contentTypeApiName: 'article', siteId: desk.project.siteId, slug });
    expect((await again()).status).toBe(409);
    await desk.delete(`/entries/${id}`);
    expect((await again()).body.data.slug).toBe(slug);
  });

  it('warns once per entry that still refers to the deleted one', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const link = { _ref: id };
    await article(desk, { title: 'One', related: [link, link] });
    const gone = await article(desk, { title: 'Gone', related: [link] });
    await desk.delete(`/entries/${gone.id}`);
    await desk.put(`/entries/${id}`, { version: 1, fields: { related: [link] } });
    const { body } = await desk.delete(`/entries/${id}`);
    expect(body).toEqual({
      data: { id, deleted: true },
      meta: { warnings: [{ code: 'still_referenced', message: '1 entry refers to the deleted one.' }] },
    });
  });

  it('lets one of 10 concurrent deletions succeed and writes one audit record', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const answers = await Promise.all(Array.from({ length: 10 }, () => desk.delete(`/entries/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(404)]);
    const records = await app().rows(
      desk.project.tenantId,
      "SELECT 1 FROM audit_events WHERE action = 'entry.delete' AND target ->> 'id' = $1",
      [id],
    );
    expect(records).toHaveLength(1);
  });
});

describe('404', () => {
  verifies('http/missing-things');

  it.each(['nothing', '00000000-0000-7000-8000-000000000000'])('returns 404 for the id %s', async (id) => {
    const desk = await openDesk(app());
    expect(outcome(await desk.delete(`/entries/${id}`))).toEqual([404, 'entry_not_found']);
  });
});

describe('409', () => {
  verifies('entries/delete', 'entries/write');

  it('returns 409 when deleting an outdated version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    expect(outcome(await desk.delete(`/entries/${id}?version=2`))).toEqual([409, 'version_conflict']);
    expect((await desk.delete(`/entries/${id}?version=1`)).status).toBe(200);
  });

  it('returns entry_in_use when a published entry holds it in a restricting field', async () => {
    const desk = await openGuardDesk();
    const { id } = await article(desk);
    await publish(app(), desk.project, id);
    const holder = await guard(desk, id);
    await publish(app(), desk.project, holder.id);
    const response = await desk.delete(`/entries/${id}`);
    expect(outcome(response)).toEqual([409, 'entry_in_use']);
    expect(response.body.details).toEqual({ entryIds: [holder.id] });
    expect(await delivered(desk, `/entries/${id}`)).toEqual([200, undefined]);
    await desk.post(`/entries/${holder.id}/unpublish`, {});
    const { status, body } = await desk.delete(`/entries/${id}`);
    expect([status, body.meta.warnings[0].code]).toEqual([200, 'still_referenced']);
  });

  it('returns entry_in_use for a restricting list and names each referrer once', async () => {
    const desk = await openDesk(app());
    const settings = { onTargetUnpublish: 'restrict' };
    await createType(app(), desk.project, {
      apiName: 'guard',
      fields: [
        { apiName: 'many', type: 'reference', isList: true, settings },
        { apiName: 'one', type: 'reference', settings },
      ],
    });
    const [other, { id }] = [await article(desk, { title: 'Other' }), await article(desk)];
    const holder = await createEntry(app(), desk.project, {
      contentTypeApiName: 'guard',
      fields: { many: [{ _ref: other.id }, { _ref: id }], one: { _ref: id } },
    });
    await publish(app(), desk.project, holder.id);
    expect((await desk.delete(`/entries/${id}`)).body.details).toEqual({ entryIds: [holder.id] });
  });

  it('decides by published documents rather than drafts', async () => {
    const desk = await openGuardDesk();
    const [first, second] = [await article(desk), await article(desk)];
    const holder = await guard(desk, first.id);
    await publish(app(), desk.project, holder.id);
    await desk.put(`/entries/${holder.id}`, { version: 1, fields: { holds: { _ref: second.id } } });
    expect(outcome(await desk.delete(`/entries/${first.id}`))).toEqual([409, 'entry_in_use']);
    expect((await desk.delete(`/entries/${second.id}`)).status).toBe(200);
    await desk.put(`/entries/${holder.id}`, { version: 2, fields: { holds: null } });
    await publish(app(), desk.project, holder.id);
    expect((await desk.delete(`/entries/${first.id}`)).status).toBe(200);
  });

  it('either deletes the entry or publishes its referrer when both run concurrently', async () => {
    const desk = await openGuardDesk();
    for (let round = 0; round < 8; round += 1) {
      const { id } = await article(desk);
      const holder = await guard(desk, id);
      const answers = await Promise.all([
        desk.post(`/entries/${holder.id}/publish`, {}),
        desk.delete(`/entries/${id}`),
      ]);
      expect([
        [200, 409],
        [422, 200],
      ]).toContainEqual(answers.map(({ status }) => status));
    }
  });

  it('publishes entries that restrict each other at the same time', async () => {
    const desk = await openGuardDesk();
    const first = await createEntry(app(), desk.project, { contentTypeApiName: 'guard' });
    const second = await guard(desk, first.id);
    await desk.put(`/entries/${first.id}`, { version: 1, fields: { holds: { _ref: second.id } } });
    const answers = await Promise.all(
      [first, second].map(({ id }) => desk.post(`/entries/${id}/publish`, {})),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});
