import { describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createRole, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article } from '../entries/history.js';
import { editorRole, member } from '../workflows/definitions.js';
import { read, said, say } from './threads.js';

const app = useApp();
const unknownId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a00';

const role = (desk: Desk, slug: string) => systemRoleId(desk.app, desk.project, slug);

describe('Comments on an entry', () => {
  verifies('entries/comments');

  it('form threads that are listed, resolved, and reopened by a reply', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const first = await said(desk, id, ' Is this right? ');
    expect(first).toMatchObject({
      entryId: id,
      parentId: null,
      text: 'Is this right?',
      mentions: [],
      anchor: null,
    });
    const editor = await member(desk, await editorRole(desk));
    const reply = await said(editor.desk, id, 'Yes', { parentId: first.id });
    const other = await said(desk, id, 'Another thread');
    const path = `/entries/${id}/comments`;
    expect(column(await desk.get(path), 'id')).toEqual([first.id, reply.id, other.id]);
    expect(column(await desk.get(`${path}?orderBy=createdAt:desc&limit=1&page=3`), 'id')).toEqual([first.id]);
    expect(column(await desk.get(`${path}?parentId=${first.id}`), 'id')).toEqual([reply.id]);

    const resolved = await editor.desk.post(`${path}/${reply.id}/resolve`);
    expect(resolved.body.data).toMatchObject({ id: first.id, resolvedBy: { type: 'user', id: editor.id } });
    expect(resolved.body.data.resolvedAt).toEqual(expect.any(String));
    expect(column(await desk.get(`${path}?resolved=true`), 'id')).toEqual([first.id, reply.id]);
    expect(column(await desk.get(`${path}?resolved=false`), 'id')).toEqual([other.id]);
    expect((await desk.post(`${path}/${first.id}/resolve`)).body.data).toEqual(resolved.body.data);

    await said(desk, id, 'Not quite', { parentId: first.id });
    expect(await read(desk, id, first.id)).toMatchObject({ resolvedAt: null, resolvedBy: null });
    await desk.post(`${path}/${first.id}/resolve`);
    expect((await desk.post(`${path}/${first.id}/reopen`)).body.data.resolvedAt).toBeNull();
  });

  it('have their Location, audit records and events', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const made = await say(desk, id, 'One');
    const { id: commentId } = made.body.data;
    const path = `/entries/${id}/comments/${commentId}`;
    expect(made.headers.location).toBe(`${desk.project.management}${path}`);
    await desk.put(path, { text: 'Two' });
    await desk.put(path, { text: 'Two' });
    await desk.post(`${path}/resolve`);
    await desk.post(`${path}/reopen`);
    await desk.delete(path);
    const { body } = await desk.get(`/audit-events?targetId=${commentId}`);
    expect(body.data.map(({ action }: { action: string }) => action).reverse()).toEqual([
      'comment.create',
      'comment.update',
      'comment.resolve',
      'comment.reopen',
      'comment.delete',
    ]);
    const events = await app().rows<{ type: string; text: string }>(
      desk.project.tenantId,
      `SELECT type, payload -> 'data' ->> 'text' AS text FROM outbox_events
       WHERE payload -> 'data' ->> 'commentId' = $1 ORDER BY created_at`,
      [commentId],
    );
    expect(events.map(({ type, text }) => [type, text])).toEqual([
      ['comment.created', 'One'],
      ['comment.updated', 'Two'],
      ['comment.resolved', 'Two'],
      ['comment.reopened', 'Two'],
      ['comment.deleted', 'Two'],
    ]);
  });

  it('are changed and deleted by their author, and by those who may manage the entry', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const [one, two] = [
      await member(desk, await role(desk, 'translator')),
      await member(desk, await role(desk, 'translator')),
    ];
    const mine = await said(one.desk, id, 'Mine');
    const path = `/entries/${id}/comments/${mine.id}`;
    for (const refused of [await two.desk.put(path, { text: 'x' }), await two.desk.delete(path)])
      expect(outcome(refused)).toEqual([403, 'not_comment_author']);
    expect((await one.desk.put(path, { text: 'Mine, changed' })).body.data.text).toBe('Mine, changed');
    expect((await desk.put(path, { text: 'Moderated' })).status).toBe(200);
    const reply = await said(two.desk, id, 'Reply', { parentId: mine.id });
    expect(outcome(await one.desk.delete(path))).toEqual([409, 'comment_has_replies']);
    const editor = await member(desk, await editorRole(desk));
    expect((await editor.desk.delete(path)).body.data).toEqual({ id: mine.id, deleted: true });
    expect(outcome(await desk.get(`/entries/${id}/comments/${reply.id}`))).toEqual([
      404,
      'comment_not_found',
    ]);
    const { body } = await desk.get(`/audit-events?targetId=${reply.id}`);
    expect(body.data[0]).toMatchObject({ action: 'comment.delete', cause: { action: 'comment.delete' } });
  });

  it('are written by those who may update the entry or make its transitions, and read by all who may read it', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const viewer = await member(desk, await role(desk, 'viewer'));
    const commenter = await member(
      desk,
      await role(desk, 'viewer'),
      await createRole(app(), desk.project, [{ resource: 'entries', action: 'transition' }]),
    );
    const comment = await said(commenter.desk, id, 'Seen');
    expect(outcome(await say(viewer.desk, id, 'x'))).toEqual([403, 'permission_denied']);
    expect((await viewer.desk.get(`/entries/${id}/comments/${comment.id}`)).status).toBe(200);
    const author = await member(desk, await role(desk, 'author'));
    expect(outcome(await say(author.desk, id, 'x'))).toEqual([403, 'permission_denied']);
  });

  it('are written by drafts-only keys on live entries, and not by keys of other sites', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.post(`/entries/${id}/publish`, {});
    const drafts = await desk.newKey({ type: 'management', draftOnly: true });
    expect((await say(desk.as(drafts.secret), id, 'Fine')).status).toBe(201);
    const site = await desk.post('/sites', { slug: 'other', name: 'Other' });
    const elsewhere = await desk.newKey({ type: 'management', siteIds: [site.body.data.id] });
    const refused = await say(desk.as(elsewhere.secret), id, 'x');
    expect(outcome(refused)).toEqual([403, 'permission_denied']);
    expect(refused.body.details).toMatchObject({ siteId: desk.project.siteId });
    const reading = await desk.newKey({ type: 'management', permissions: ['read'] });
    expect(outcome(await say(desk.as(reading.secret), id, 'x'))).toEqual([403, 'permission_denied']);
  });

  it('are hidden from delivery, and go and return with their entry', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const comment = await said(desk, id, 'Nobody outside reads this');
    await desk.post(`/entries/${id}/publish`, {});
    const { slug, siteSlug, keys } = desk.project;
    const delivered = await app()
      .request.get(`/api/delivery/projects/${slug}/sites/${siteSlug}/entries/${id}`)
      .set('Authorization', `Bearer ${keys.preview}`);
    expect(delivered.status).toBe(200);
    expect(delivered.text).not.toContain('Nobody outside');
    await desk.post(`/entries/${id}/unpublish`, {});
    await desk.delete(`/entries/${id}`);
    const path = `/entries/${id}/comments/${comment.id}`;
    expect(outcome(await desk.get(path))).toEqual([404, 'entry_not_found']);
    expect(outcome(await say(desk, id, 'x'))).toEqual([404, 'entry_not_found']);
    await desk.post(`/entries/${id}/undelete`, {});
    expect((await desk.get(path)).body.data.text).toBe('Nobody outside reads this');
  });

  it('are refused when they are empty, nested, or reply to nothing', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const other = await article(desk);
    const first = await said(desk, id, 'First');
    const reply = await said(desk, id, 'Reply', { parentId: first.id.toUpperCase() });
    expect(reply.parentId).toBe(first.id);
    const refused = (body: object) => desk.post(`/entries/${id}/comments`, body);
    expect(issues(await refused({ text: '  ' }))).toEqual([['text', 'too_small']]);
    expect(issues(await refused({ text: 'x', parentId: reply.id }))).toEqual([['parentId', 'nested_reply']]);
    const anchor = { field: 'title', locale: 'en' };
    expect(issues(await refused({ text: 'x', parentId: first.id, anchor }))).toEqual([
      ['anchor', 'anchored_reply'],
    ]);
    expect(outcome(await refused({ text: 'x', parentId: unknownId }))).toEqual([404, 'comment_not_found']);
    expect(outcome(await say(desk, other.id, 'x', { parentId: first.id }))).toEqual([
      404,
      'comment_not_found',
    ]);
    expect(outcome(await desk.get(`/entries/${other.id}/comments/${first.id}`))).toEqual([
      404,
      'comment_not_found',
    ]);
    expect(outcome(await desk.get(`/entries/${id}/comments/nothing`))).toEqual([404, 'comment_not_found']);
    expect(outcome(await desk.put(`/entries/${id}/comments/${first.id}`, {}))).toEqual([
      422,
      'no_update_fields',
    ]);
  });

  it('do not exist for another tenant', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const comment = await said(desk, id, 'Ours');
    const foreign = await openDesk(app());
    const theirs = await article(foreign);
    for (const entryId of [id, theirs.id]) {
      const path = `/entries/${entryId}/comments/${comment.id}`;
      for (const answer of [
        await foreign.get(path),
        await foreign.put(path, { text: 'x' }),
        await foreign.delete(path),
        await foreign.post(`${path}/resolve`),
      ])
        expect(answer.status).toBe(404);
    }
  });
});

describe('A mention', () => {
  verifies('entries/comment-mentions');

  it('names an active member of the project once, whatever its case', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const [one, two] = [
      await member(desk, await editorRole(desk)),
      await member(desk, await editorRole(desk)),
    ];
    const made = await said(desk, id, `@[${one.id}] and @[${one.id.toUpperCase()}], not @[them]`);
    expect(made.mentions).toEqual([one.id]);
    const changed = await desk.put(`/entries/${id}/comments/${made.id}`, { text: `@[${two.id}]` });
    expect(changed.body.data.mentions).toEqual([two.id]);
  });

  it('of someone else is refused', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const elsewhere = await openDesk(app());
    const stranger = await member(elsewhere, await editorRole(elsewhere));
    for (const userId of [unknownId, stranger.id])
      expect(issues(await say(desk, id, `Hello @[${userId}]`))).toEqual([['text', 'unknown_user']]);
    const many = Array.from(
      { length: 51 },
      (_, index) => `@[019a3b5e-7c1a-7f00-8000-${String(index).padStart(12, '0')}]`,
    );
    expect(issues(await say(desk, id, many.join(' ')))).toEqual([['text', 'too_many']]);
  });
});
