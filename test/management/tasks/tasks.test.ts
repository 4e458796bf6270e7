import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { createRole, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { said } from '../comments/threads.js';
import { article, change } from '../entries/history.js';
import { editorial, editorRole, member, moveTo, newWorkflow, state, step } from '../workflows/definitions.js';

const app = useApp();
const unknownId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a00';

interface Task {
  readonly kind: string;
  readonly entryId: string;
  readonly locale: string | null;
  readonly state: string | null;
  readonly dueAt: string | null;
  readonly commentId: string | null;
}

const tasksOf = async (desk: Desk, query = ''): Promise<Task[]> =>
  (await desk.get(`/tasks?assigneeId=me${query}`)).body.data as Task[];
const kindsOf = async (desk: Desk, query = '') => (await tasksOf(desk, query)).map(({ kind }) => kind);

/** draft → review → approved, the last step with an approval of a role. */
const reviewed = (reviewer: string, rest: object = {}) =>
  editorial({
    transitions: [
      step('draft', 'review'),
      step('review', 'approved', { approvals: { required: 2, roleIds: [reviewer] } }),
      step('review', 'draft'),
    ],
    ...rest,
  });

describe('The tasks that an API key lists without a user', () => {
  verifies('entries/tasks');

  it('are those of every user, each once', async () => {
    const desk = await openDesk(app());
    const reviewer = await createRole(app(), desk.project, []);
    await newWorkflow(desk, reviewed(reviewer));
    const [one, two] = [
      await member(desk, await editorRole(desk), reviewer),
      await member(desk, await editorRole(desk)),
    ];
    const { id } = await article(desk);
    await moveTo(desk, id, 'review', { assigneeId: one.id, dueAt: '2030-02-01T00:00:00Z' });
    await desk.put(`/translations/${id}/de`, { assigneeId: two.id, dueAt: '2030-01-01T00:00:00Z' });
    const comment = await said(desk, id, `@[${one.id}] and @[${two.id}], please`);
    const { body } = await desk.get('/tasks');
    expect(body.data).toMatchObject([
      { kind: 'translation', entryId: id, locale: 'de' },
      { kind: 'approval', entryId: id, state: 'review' },
      { kind: 'transition', entryId: id, state: 'review' },
      { kind: 'mention', entryId: id, commentId: comment.id },
    ]);
    expect(body.meta.total).toBe(4);
    const kinds = (await desk.get('/tasks?kind=mention,transition')).body.data as Task[];
    expect(kinds.map(({ kind }) => kind)).toEqual(['transition', 'mention']);
    const ofTwo = (await desk.get(`/tasks?assigneeId=${two.id}`)).body.data as Task[];
    expect(ofTwo.map(({ kind }) => kind)).toEqual(['translation', 'mention']);
    const own = (await one.desk.get('/tasks')).body.data as Task[];
    expect(own.map(({ kind }) => kind)).toEqual(['approval', 'transition', 'mention']);
  });

  it('are only of what the key can read', async () => {
    const desk = await openDesk(app());
    const user = await member(desk, await editorRole(desk));
    const { id } = await article(desk);
    await said(desk, id, `@[${user.id}], please`);
    const writer = desk.as((await desk.newKey({ type: 'management', permissions: ['create'] })).secret);
    expect(outcome(await writer.get('/tasks'))).toEqual([403, 'permission_denied']);
    const reader = desk.as((await desk.newKey({ type: 'management', permissions: ['read'] })).secret);
    expect((await reader.get('/tasks')).body.data).toMatchObject([{ kind: 'mention', entryId: id }]);
  });
});

describe('The tasks of a user', () => {
  verifies('entries/tasks');

  it('name the content type of their entry', async () => {
    const desk = await openDesk(app());
    const user = await member(desk, await editorRole(desk));
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ann' },
    });
    await said(desk, author.id, `@[${user.id}], is this you?`);
    expect((await user.desk.get('/tasks?assigneeId=me')).body.data).toMatchObject([
      { kind: 'mention', contentTypeApiName: 'author' },
    ]);
  });

  it('are assigned entries and translations, approvals and mentions, soonest due first', async () => {
    const desk = await openDesk(app());
    const reviewer = await createRole(app(), desk.project, []);
    await newWorkflow(desk, reviewed(reviewer));
    const user = await member(desk, await editorRole(desk), reviewer);
    const { id } = await article(desk);
    await moveTo(desk, id, 'review', { assigneeId: user.id, dueAt: '2030-02-01T00:00:00Z' });
    const other = await article(desk, { title: 'Other' });
    await desk.put(`/translations/${other.id}/de`, { assigneeId: user.id, dueAt: '2030-01-01T00:00:00Z' });
    const comment = await said(desk, other.id, `@[${user.id}], please`);
    const { body } = await user.desk.get('/tasks?assigneeId=me');
    const shown = { title: 'Other', contentTypeApiName: 'article', siteId: desk.project.siteId };
    expect(body.data).toMatchObject([
      {
        ...shown,
        kind: 'translation',
        entryId: other.id,
        locale: 'de',
        state: 'missing',
        dueAt: '2030-01-01T00:00:00.000Z',
      },
      { kind: 'approval', entryId: id, locale: null, state: 'review', dueAt: '2030-02-01T00:00:00.000Z' },
      { kind: 'transition', entryId: id, locale: null, state: 'review', commentId: null },
      { ...shown, kind: 'mention', entryId: other.id, state: null, dueAt: null, commentId: comment.id },
    ]);
    expect(body.meta).toMatchObject({ total: 4, pages: 1 });
    const kinds = ['translation', 'approval', 'transition', 'mention'];
    expect(await kindsOf(user.desk, '&orderBy=dueAt:desc')).toEqual([...kinds].reverse());
    expect(await kindsOf(user.desk, '&limit=2&page=2')).toEqual(['transition', 'mention']);
    expect(await kindsOf(user.desk, '&limit=2&page=3')).toEqual([]);
    expect(await kindsOf(user.desk, '&kind=mention,approval')).toEqual(['approval', 'mention']);
    const seen = await desk.get(`/tasks?assigneeId=${user.id}`);
    expect(seen.body.data).toEqual(body.data);
  });

  it('end when the work is done', async () => {
    const desk = await openDesk(app());
    const user = await member(desk, await editorRole(desk));
    const { id } = await article(desk);
    await change(desk, id, { locale: 'de', fields: { title: 'Titel' }, assigneeId: user.id });
    await desk.put(`/translations/${id}/de`, { assigneeId: user.id });
    const comment = await said(desk, id, 'Look');
    const reply = await said(desk, id, `@[${user.id}]`, { parentId: comment.id });
    expect((await kindsOf(user.desk)).sort()).toEqual(['mention', 'transition', 'translation']);
    await desk.post(`/entries/${id}/comments/${comment.id}/resolve`);
    await desk.put(`/translations/${id}/de`, { status: 'complete' });
    expect(await kindsOf(user.desk)).toEqual(['transition']);
    await desk.post(`/entries/${id}/comments/${comment.id}/reopen`);
    expect(await tasksOf(user.desk, '&kind=mention')).toMatchObject([{ commentId: reply.id }]);
    await desk.put(`/entries/${id}/comments/${reply.id}`, { text: 'Never mind' });
    await moveTo(desk, id, 'in_review');
    await moveTo(desk, id, 'approved');
    expect(await tasksOf(user.desk)).toMatchObject([{ kind: 'transition', state: 'approved' }]);
    await desk.post(`/entries/${id}/publish`, {});
    expect(await tasksOf(user.desk)).toEqual([]);
    await change(desk, id, { fields: { title: 'Changed' } });
    expect(await tasksOf(user.desk)).toMatchObject([{ kind: 'transition', state: 'draft' }]);
    await desk.post(`/entries/${id}/unpublish`, {});
    await desk.delete(`/entries/${id}`);
    expect(await tasksOf(user.desk)).toEqual([]);
  });

  it('include approvals until they are given, except of own work', async () => {
    const desk = await openDesk(app());
    const reviewer = await createRole(app(), desk.project, []);
    await newWorkflow(desk, reviewed(reviewer));
    const [one, two] = [
      await member(desk, await editorRole(desk), reviewer),
      await member(desk, await editorRole(desk), reviewer),
    ];
    const outsider = await member(desk, await editorRole(desk));
    const { id } = await article(desk);
    expect(await kindsOf(one.desk)).toEqual([]);
    await change(one.desk, id, { fields: { title: 'Mine' } });
    await moveTo(desk, id, 'review');
    expect(await kindsOf(one.desk)).toEqual([]);
    expect(await kindsOf(two.desk)).toEqual(['approval']);
    expect(await kindsOf(outsider.desk)).toEqual([]);
    await moveTo(two.desk, id, 'approved');
    expect(await kindsOf(two.desk)).toEqual([]);
    await change(desk, id, { fields: { title: 'Changed' } });
    expect(await kindsOf(two.desk)).toEqual(['approval']);
    expect(await kindsOf(one.desk)).toEqual([]);
  });

  it('name the locale where each has its own state', async () => {
    const desk = await openDesk(app());
    const reviewer = await createRole(app(), desk.project, []);
    await newWorkflow(
      desk,
      reviewed(reviewer, {
        perLocale: true,
        states: [
          state('draft', { isInitial: true }),
          state('review'),
          state('approved', { allowsPublish: true }),
        ],
      }),
    );
    const user = await member(desk, await editorRole(desk), reviewer);
    const { id } = await article(desk);
    await change(desk, id, { locale: 'de', fields: { title: 'Titel' } });
    await moveTo(desk, id, 'review', { locale: 'de', assigneeId: user.id });
    expect(await tasksOf(user.desk)).toMatchObject([
      { kind: 'approval', locale: 'de', state: 'review' },
      { kind: 'transition', locale: 'de', state: 'review' },
    ]);
  });

  it('are those that the caller may read', async () => {
    const desk = await openDesk(app());
    const scope = { contentTypes: ['author'] };
    const limited = await createRole(app(), desk.project, [{ resource: 'entries', action: 'read', scope }]);
    const user = await member(desk, limited);
    const { id } = await article(desk);
    await said(desk, id, `@[${user.id}]`);
    await desk.put(`/translations/${id}/de`, { assigneeId: user.id });
    expect(await tasksOf(user.desk)).toEqual([]);
    const viewer = await member(desk, await systemRoleId(app(), desk.project, 'viewer'));
    expect((await viewer.desk.get(`/tasks?assigneeId=${user.id}`)).body.meta.total).toBe(2);
  });

  it('are of a member; an API key has none', async () => {
    const desk = await openDesk(app());
    expect(issues(await desk.get('/tasks?assigneeId=me'))).toEqual([['assigneeId', 'user_required']]);
    expect(outcome(await desk.get(`/tasks?assigneeId=${unknownId}`))).toEqual([404, 'user_not_found']);
    expect(outcome(await desk.get('/tasks?assigneeId=you'))).toEqual([422, 'validation_failed']);
  });
});
