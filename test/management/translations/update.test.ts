import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createMember, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { newEntry, publishIn, translationIn, write } from './desk.js';

const app = useApp();

async function written(desk: Desk): Promise<string> {
  const id = await newEntry(desk);
  await publishIn(desk, id, 'en');
  await write(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
  return id;
}

describe('PUT translations', () => {
  verifies('translations/operations', 'translations/status-set-by-hand');

  it('sets status, assignee, priority, due time and note, and records the change', async () => {
    const desk = await openDesk(app());
    const id = await written(desk);
    const role = await systemRoleId(app(), desk.project, 'translator');
    const { id: userId } = await createMember(app(), desk.project, [role]);
    const body = {
      status: 'needs_review',
      assigneeId: userId,
      dueAt: '2027-01-01T01:00:00+01:00',
      note: 'Formal.',
    };
    const { data } = (await desk.put(`/translations/${id}/de`, body)).body as { data: object };
    expect(data).toMatchObject({
      ...body,
      locale: 'de',
      priority: 'normal',
      dueAt: '2027-01-01T00:00:00.000Z',
    });
    expect(await translationIn(desk, id, 'de')).toMatchObject({ assigneeId: userId, note: 'Formal.' });
    const { body: audit } = await desk.get(`/audit-events?targetId=${id}`);
    const [event] = (audit as { data: { action: string; locale: string; changedFields: string[] }[] }).data;
    expect(event).toMatchObject({ action: 'translation.update', locale: 'de' });
    expect(event?.changedFields).toEqual(expect.arrayContaining(['status', 'assigneeId', 'dueAt', 'note']));
    const cleared = await desk.put(`/translations/${id}/de`, { assigneeId: null, dueAt: null, note: null });
    expect(cleared.body.data).toMatchObject({
      assigneeId: null,
      dueAt: null,
      note: null,
      status: 'needs_review',
    });
  });

  it('assigns a translation that is not written, but sets no status of it', async () => {
    const desk = await openDesk(app());
    const id = await newEntry(desk);
    expect((await desk.put(`/translations/${id}/fr`, { priority: 'high' })).body.data).toMatchObject({
      status: 'missing',
      priority: 'high',
    });
    expect(outcome(await desk.put(`/translations/${id}/fr`, { status: 'complete' }))).toEqual([
      409,
      'translation_missing',
    ]);
    expect(outcome(await desk.post(`/translations/${id}/fr/mark-stale`, {}))).toEqual([
      409,
      'translation_missing',
    ]);
    expect(issues(await desk.put(`/translations/${id}/fr`, { status: 'missing' }))).toEqual([
      ['status', 'invalid_value'],
    ]);
  });

  it('rejects the source locale, unknown locales, entries and users, and an empty body', async () => {
    const desk = await openDesk(app());
    const id = await written(desk);
    const other = await openDesk(app());
    const foreign = await written(other);
    const put = async (path: string, body: object) => outcome(await desk.put(`/translations/${path}`, body));
    expect(await put(`${id}/en`, { note: 'x' })).toEqual([422, 'source_locale']);
    expect(outcome(await desk.post(`/translations/${id}/en/mark-stale`, {}))).toEqual([422, 'source_locale']);
    expect(await put(`${id}/xx`, { note: 'x' })).toEqual([404, 'locale_not_found']);
    expect(await put(`${foreign}/de`, { note: 'x' })).toEqual([404, 'entry_not_found']);
    expect(await put('x/de', { note: 'x' })).toEqual([404, 'entry_not_found']);
    expect(await put(`${id}/de`, { assigneeId: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69' })).toEqual([
      404,
      'user_not_found',
    ]);
    expect(await put(`${id}/de`, {})).toEqual([422, 'no_update_fields']);
  });

  it('accepts the current source when it sets complete', async () => {
    const desk = await openDesk(app());
    const id = await written(desk);
    await publishIn(desk, id, 'de');
    await write(desk, id, { locale: 'en', fields: { title: 'The lock' } });
    await publishIn(desk, id, 'en');
    expect(await translationIn(desk, id, 'de')).toMatchObject({ status: 'stale', sourceVersion: 2 });
    expect((await desk.put(`/translations/${id}/de`, { status: 'complete' })).body.data).toMatchObject({
      status: 'complete',
      outdatedFields: [],
      sourceVersion: 3,
    });
    await publishIn(desk, id, 'en');
    expect((await translationIn(desk, id, 'de')).status).toBe('complete');
  });

  it('permits a grant for one locale in that locale only', async () => {
    const desk = await openDesk(app());
    const id = await written(desk);
    const role = await desk.post('/roles', { name: 'German', slug: 'german' });
    const roleId = (role.body as { data: { id: string } }).data.id;
    const grant = (body: object) => desk.post(`/roles/${roleId}/permissions`, body);
    await grant({ resource: 'entries', action: 'read' });
    await grant({ resource: 'translations', action: 'read' });
    await grant({ resource: 'translations', action: 'update', scope: { locales: ['de'] } });
    const member = desk.as((await createMember(app(), desk.project, [roleId])).token);
    expect((await member.put(`/translations/${id}/de`, { note: 'x' })).status).toBe(200);
    expect(outcome(await member.put(`/translations/${id}/fr`, { note: 'x' }))).toEqual([
      403,
      'permission_denied',
    ]);
  });
});

describe('POST mark-stale', () => {
  verifies('translations/operations', 'translations/status-set-by-hand');

  it('marks the translation stale until it is written or published again', async () => {
    const desk = await openDesk(app());
    const id = await written(desk);
    await publishIn(desk, id, 'de');
    const marked = await desk.post(`/translations/${id}/de/mark-stale`, { reason: 'Old prices.' });
    expect(marked.body.data).toMatchObject({
      status: 'stale',
      staleReason: 'marked',
      staleComment: 'Old prices.',
    });
    expect(await translationIn(desk, id, 'de')).toMatchObject({ staleComment: 'Old prices.' });
    await write(desk, id, { locale: 'de', fields: { title: 'Die Schleuse' } });
    expect(await translationIn(desk, id, 'de')).toMatchObject({ status: 'in_progress', staleComment: null });
    await publishIn(desk, id, 'de');
    expect((await translationIn(desk, id, 'de')).status).toBe('complete');
  });
});
