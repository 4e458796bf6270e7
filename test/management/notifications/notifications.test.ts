import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBeside, type TestApp } from '../../support/app.js';
import { send } from '../../support/call.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { notificationKinds } from '../../../contracts/access/notifications/notifications.contract.js';
import { createEntry } from '../../support/factories/content.js';
import { blockId, createLeafletTypes, leaflet, section } from '../../support/factories/own-blocks.js';
import { superAdmin } from '../../support/factories/project.js';
import { liveEvents } from '../../support/live-events.js';
import { createMember, createRole, systemRoleId, type TestMember } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { said } from '../comments/threads.js';
import { article } from '../entries/history.js';
import { editorial, editorRole, moveTo, newWorkflow, step } from '../workflows/definitions.js';

const app = useOwnApp();
let other: TestApp;

beforeAll(async () => {
  other = await startBeside(app());
});
afterAll(() => other.close());

interface Notification {
  readonly id: string;
  readonly kind: string;
  readonly entryId: string | null;
  readonly commentId: string | null;
  readonly subjectId: string | null;
  readonly field: string | null;
  readonly locale: string | null;
  readonly title: string;
  readonly quote: string | null;
  readonly environment: string | null;
  readonly readAt: string | null;
  readonly actor: { readonly type: string; readonly name: string };
  readonly blockId: string | null;
  readonly project: { readonly slug: string; readonly name: string };
}

const call = (user: TestMember, method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  send(app(), { method, path: `/api/v1/me/${path}`, key: user.token, body });

/** What the user sees once the events of all calls so far were passed on. */
async function read(user: TestMember, query = '') {
  await app().composition.jobs.deliverWebhooks();
  const { body } = await call(user, 'GET', `notifications${query}`);
  return body as { data: Notification[]; meta: { total: number; unreadCount: number } };
}

const kinds = async (user: TestMember): Promise<string[]> => (await read(user)).data.map(({ kind }) => kind);

async function editor(desk: Desk, name = 'Ada', ...more: string[]): Promise<TestMember> {
  return createMember(app(), desk.project, [await editorRole(desk), ...more], name);
}

describe('Notifications of a user', () => {
  verifies('access/notifications');

  it('are about mentions and replies, with their place and the first line of the comment', async () => {
    const desk = await openDesk(app());
    const [ada, ben] = [await editor(desk, 'Ada'), await editor(desk, 'Ben')];
    const { id } = await article(desk, { title: 'The lock' });
    const text = `@[${ben.id}], is it ready?\nI ask for the printer.`;
    const anchor = { field: 'title', locale: 'en' };
    const thread = await said(desk.as(ada.token), id, text, { anchor });
    expect((await read(ben)).data).toMatchObject([
      {
        kind: 'mentioned',
        entryId: id,
        commentId: thread.id,
        field: 'title',
        locale: 'en',
        title: 'The lock',
        quote: '@Ben, is it ready?',
        environment: 'main',
        project: { slug: desk.project.slug },
        actor: { type: 'user', name: 'Ada' },
        readAt: null,
      },
    ]);
    await said(desk.as(ben.token), id, 'It is.', { parentId: thread.id });
    expect((await read(ada)).data).toMatchObject([{ kind: 'replied', quote: 'It is.', title: 'The lock' }]);
    await desk.as(ada.token).put(`/entries/${id}/comments/${thread.id}`, { text: `@[${ben.id}], well?` });
    expect(await kinds(ben)).toEqual(['mentioned']);
  });

  it('name the block that was commented on, and the project', async () => {
    const desk = await openDesk(app());
    await createLeafletTypes(desk);
    const ben = await editor(desk, 'Ben');
    const { id, ...made } = await leaflet(desk, {
      title: 'Rivers',
      sections: [section({ title: 'The lock' })],
    });
    const block = blockId(made);
    await said(desk, id, `@[${ben.id}], look`, { anchor: { field: 'title', block, locale: 'en' } });
    expect((await read(ben)).data).toMatchObject([{ blockId: block, project: { name: 'Project' } }]);
  });

  it('are sent by mail as the user chose for every kind', async () => {
    const desk = await openDesk(app());
    const ada = await editor(desk);
    const mail = Object.fromEntries(notificationKinds.map((kind) => [kind, 'immediately']));
    const { body } = await call(ada, 'PUT', 'notification-settings', { mail });
    expect(body).toMatchObject({ data: { mail } });
  });

  it('are about assigned work and its due time, once, and not about what they did themselves', async () => {
    const desk = await openDesk(app());
    await newWorkflow(desk, editorial());
    const [ada, ben] = [await editor(desk), await editor(desk, 'Ben')];
    const { id } = await article(desk);
    await moveTo(desk.as(ada.token), id, 'review', { assigneeId: ben.id });
    await app().rows(
      desk.project.tenantId,
      "UPDATE entry_locales SET due_at = now() - interval '1 second' WHERE entry_id = $1",
      [id],
    );
    await app().composition.jobs.notify();
    await app().composition.jobs.notify();
    expect((await kinds(ben)).sort()).toEqual(['assigned', 'due']);
    await moveTo(desk.as(ben.token), id, 'draft', { assigneeId: null });
    await moveTo(desk.as(ben.token), id, 'review', { assigneeId: ben.id });
    expect((await kinds(ben)).sort()).toEqual(['assigned', 'due']);
  });

  it('are about approvals: requested from the roles, and given or refused to the user who submitted the entry', async () => {
    const desk = await openDesk(app());
    const reviewer = await createRole(app(), desk.project, []);
    const approvals = { required: 2, roleIds: [reviewer] };
    const transitions = [
      step('draft', 'review'),
      step('review', 'approved', { approvals }),
      step('review', 'draft'),
    ];
    await newWorkflow(desk, editorial({ transitions }));
    const author = await editor(desk, 'Author');
    const [one, two] = [await editor(desk, 'One', reviewer), await editor(desk, 'Two', reviewer)];
    const { id } = await article(desk);
    await moveTo(desk.as(author.token), id, 'review', { comment: 'Please read it.' });
    expect((await read(one)).data).toMatchObject([{ kind: 'approval_requested', quote: 'Please read it.' }]);
    expect(await kinds(author)).toEqual([]);
    await moveTo(desk.as(one.token), id, 'approved');
    await moveTo(desk.as(two.token), id, 'approved');
    expect(await kinds(author)).toEqual(['approved', 'approved']);
    const second = await article(desk, { title: 'Second' });
    await moveTo(desk.as(author.token), second.id, 'review');
    await moveTo(desk.as(two.token), second.id, 'draft', { comment: 'Too long.' });
    expect((await read(author)).data[0]).toMatchObject({ kind: 'rejected', quote: 'Too long.' });
  });

  it('are about schedules that failed', async () => {
    const desk = await openDesk(app());
    const ada = await editor(desk);
    const { id } = await article(desk);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const made = await desk.as(ada.token).post(`/entries/${id}/publish`, { scheduledAt: at });
    expect(made.status).toBe(202);
    await app().rows(
      desk.project.tenantId,
      "UPDATE scheduled_jobs SET next_attempt_at = now() - interval '1 second', version = 99 WHERE entry_id = $1",
      [id],
    );
    await app().composition.jobs.runDue();
    expect((await read(ada)).data).toMatchObject([
      { kind: 'schedule_failed', entryId: id, subjectId: expect.any(String), actor: { type: 'system' } },
    ]);
  });

  it('are about keys that end soon, and about what depended on a key', async () => {
    const desk = await openDesk(app());
    const owner = await createMember(app(), desk.project, [await systemRoleId(app(), desk.project, 'owner')]);
    const ada = await editor(desk);
    const key = await desk.newKey({ name: 'Robot', type: 'management' });
    const hook = { name: 'Hook', url: 'http://127.0.0.1:1/hook', events: ['entry.published'] };
    expect((await desk.as(key.secret).post('/webhooks', hook)).status).toBe(201);
    const end = (time: string) =>
      app().rows(desk.project.tenantId, `UPDATE api_keys SET expires_at = ${time} WHERE id = $1`, [key.id]);
    await end("now() + interval '6 days'");
    await app().composition.jobs.notify();
    expect((await read(owner)).data).toMatchObject([
      { kind: 'key_expiring', title: 'Robot', subjectId: key.id, environment: null, entryId: null },
    ]);
    await end("now() - interval '1 second'");
    await app().composition.jobs.notify();
    await app().composition.jobs.notify();
    expect(await kinds(owner)).toEqual(['orphaned', 'key_expiring']);
    expect(await kinds(ada)).toEqual([]);
  });

  it('are listed by page, filtered by unread, and marked as read by their owner only', async () => {
    const desk = await openDesk(app());
    const [ada, ben] = [await editor(desk), await editor(desk, 'Ben')];
    const { id } = await article(desk);
    for (const text of ['One', 'Two', 'Three']) await said(desk, id, `@[${ada.id}] ${text}`);
    const all = await read(ada);
    expect(all.data.map(({ quote }) => quote)).toEqual(['@Ada Three', '@Ada Two', '@Ada One']);
    expect(all.meta).toMatchObject({ total: 3, unreadCount: 3 });
    const ids = [all.data[0]?.id];
    expect((await call(ben, 'POST', 'notifications/read', { ids })).body.data).toEqual({ marked: 0 });
    expect((await call(ada, 'POST', 'notifications/read', { ids })).body.data).toEqual({ marked: 1 });
    expect((await read(ada, '?unread=true&limit=1&page=2')).data).toMatchObject([{ quote: '@Ada One' }]);
    expect((await read(ada, '?unread=false')).data).toMatchObject([{ quote: '@Ada Three' }]);
    expect((await call(ada, 'POST', 'notifications/read', { all: true })).body.data).toEqual({ marked: 2 });
    expect((await read(ada)).meta.unreadCount).toBe(0);
    expect(outcome(await call(ada, 'POST', 'notifications/read', {}))).toEqual([422, 'validation_failed']);
  });

  it('are deleted after ninety days', async () => {
    const desk = await openDesk(app());
    const ada = await editor(desk);
    const { id } = await article(desk);
    await said(desk, id, `@[${ada.id}] Old`);
    await read(ada);
    const age = "UPDATE notifications SET at = now() - interval '91 days' WHERE user_id = $1";
    await app().rows(desk.project.tenantId, age, [ada.id]);
    await said(desk, id, `@[${ada.id}] New`);
    await read(ada);
    await app().composition.jobs.prune();
    expect((await read(ada)).data.map(({ quote }) => quote)).toEqual(['@Ada New']);
  });
});

describe('What the user may no longer read', () => {
  verifies('access/notification-rights');

  it('is left out: deleted entries and comments, removed rights, and projects that were left', async () => {
    const desk = await openDesk(app());
    const limited = await createRole(app(), desk.project, [
      { resource: 'entries', action: 'read', scope: { contentTypes: ['article'] } },
      { resource: 'entries', action: 'update', scope: { contentTypes: ['article'] } },
    ]);
    const ada = await createMember(app(), desk.project, [limited], 'Ada');
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'A' },
    });
    await said(desk, author.id, `@[${ada.id}] hidden`);
    const { id } = await article(desk);
    const deleted = await said(desk, id, `@[${ada.id}] deleted`);
    await said(desk, id, `@[${ada.id}] shown`);
    await read(ada);
    await desk.delete(`/entries/${id}/comments/${deleted.id}`);
    const shown = await read(ada);
    expect(shown.data.map(({ quote }) => quote)).toEqual(['@Ada shown']);
    expect(shown.meta).toMatchObject({ total: 1, unreadCount: 1 });
    await desk.delete(`/entries/${id}`);
    expect((await read(ada)).data).toEqual([]);
    const second = await article(desk, { title: 'Second' });
    await said(desk, second.id, `@[${ada.id}] again`);
    expect((await read(ada)).meta.unreadCount).toBe(1);
    const admin = desk.as(await superAdmin(app()));
    const authors = await createRole(app(), desk.project, [
      { resource: 'entries', action: 'read', scope: { contentTypes: ['author'] } },
    ]);
    await admin.put(`/users/${ada.id}`, { roleIds: [authors] });
    expect((await read(ada)).data.map(({ quote }) => quote)).toEqual(['@Ada hidden']);
    await admin.delete(`/users/${ada.id}`);
    expect((await read(ada)).data).toEqual([]);
  });
});

describe('The event stream of a user', () => {
  verifies('access/notifications');

  it('reports new and read notifications in every process, and only to their user', async () => {
    const desk = await openDesk(app());
    const [ada, ben] = [await editor(desk), await editor(desk, 'Ben')];
    const [stream, quiet] = [await liveEvents(other, ada.token), await liveEvents(other, ben.token)];
    const { id } = await article(desk);
    await said(desk, id, `@[${ada.id}] Look`);
    await app().composition.jobs.deliverWebhooks();
    await waitFor('a notification arrives', () => stream.seen.length === 1);
    expect(stream.seen).toEqual([{ event: 'notifications', data: {} }]);
    await call(ada, 'POST', 'notifications/read', { all: true });
    await waitFor('what was read arrives', () => stream.seen.length === 2);
    expect(quiet.seen).toEqual([]);
    stream.close();
    quiet.close();
  });

  it('needs a session of a user and the media type of event streams', async () => {
    const desk = await openDesk(app());
    const ada = await editor(desk);
    const open = (key: string | undefined, accept: string) => {
      const request = app().request.get('/api/v1/me/events').set('Accept', accept);
      return key === undefined ? request : request.set('Authorization', `Bearer ${key}`);
    };
    const stream = 'text/event-stream';
    expect(outcome(await open(undefined, stream))).toEqual([401, 'unauthorized']);
    expect(outcome(await open(desk.project.keys.management, stream))).toEqual([403, 'wrong_key_type']);
    expect(outcome(await open(ada.token, 'application/json'))).toEqual([406, 'not_acceptable']);
    const posted = await app().request.post('/api/v1/me/events').set('Authorization', `Bearer ${ada.token}`);
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET']);
  });
});
