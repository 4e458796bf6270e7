import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createRole, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now } from '../entries/history.js';
import { actions, editorial, editorRole, member, moveTo, newWorkflow, stateOf, step } from './definitions.js';

const app = useApp();

describe('A workflow transition', () => {
  verifies('workflows/states', 'workflows/transitions');

  it('changes the state, keeps its history and lists what is possible next', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const before = (await desk.get(`/entries/${id}/workflow`)).body.data;
    expect(before).toMatchObject({
      entryId: id,
      version: 1,
      workflowSlug: 'default',
      locale: null,
      state: 'draft',
      assigneeId: null,
      dueAt: null,
      availableTransitions: [{ to: 'in_review', name: 'Send to review', requiredApprovals: 0 }],
      unavailableTransitions: [],
      pendingApprovals: [],
      history: [],
    });
    const user = await member(desk, await editorRole(desk));
    const dueAt = '2030-05-01T08:00:00.000Z';
    const moved = await moveTo(desk, id, 'in_review', { comment: 'Please', assigneeId: user.id, dueAt });
    expect([moved.status, moved.body.data.state]).toEqual([200, 'in_review']);
    await moveTo(user.desk, id, 'approved');
    const { data } = (await desk.get(`/entries/${id}/workflow`)).body;
    expect(data).toMatchObject({ state: 'approved', assigneeId: user.id, dueAt, enteredBy: { id: user.id } });
    expect(data.history).toEqual([
      expect.objectContaining({ from: 'in_review', to: 'approved', comment: null, approvals: [] }),
      expect.objectContaining({ from: 'draft', to: 'in_review', comment: 'Please' }),
    ]);
    expect(await now(desk, id)).toMatchObject({ version: 1, assigneeId: user.id });
    expect(await actions(desk, id)).toEqual(['entry.create', 'entry.transition', 'entry.transition']);
    const events = await app().rows<{ type: string }>(
      desk.project.tenantId,
      "SELECT type FROM outbox_events WHERE payload -> 'data' ->> 'entryId' = $1 ORDER BY created_at, type",
      [id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'entry.created',
      'entry.assigned',
      'entry.workflow_changed',
      'entry.workflow_changed',
    ]);
  });

  it('is refused from the wrong state, to an unknown one, and at a stale version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const wrong = await moveTo(desk, id, 'approved');
    expect(outcome(wrong)).toEqual([409, 'invalid_transition']);
    expect(wrong.body.details).toEqual({ state: 'draft', allowed: ['in_review'] });
    expect(outcome(await moveTo(desk, id, 'gone'))).toEqual([409, 'invalid_transition']);
    await change(desk, id, { fields: { title: 'Changed' } });
    expect(outcome(await moveTo(desk, id, 'in_review', { version: 1 }))).toEqual([409, 'version_conflict']);
    expect(outcome(await moveTo(desk, id, 'in_review', { locale: 'it' }))).toEqual([404, 'locale_not_found']);
    expect(await stateOf(desk, id)).toBe('draft');
  });

  it('is made by one of two editors who try at once', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const both = await Promise.all([moveTo(desk, id, 'in_review'), moveTo(desk, id, 'in_review')]);
    expect(both.map(outcome).sort(([a], [b]) => a - b)).toEqual([
      [200, undefined],
      [409, 'invalid_transition'],
    ]);
    expect((await desk.get(`/entries/${id}/workflow`)).body.data.history).toHaveLength(1);
  });

  it('of an entry is made by others when its assignee was removed from the project', async () => {
    const desk = await openDesk(app());
    const user = await member(desk, await editorRole(desk));
    const { id } = await article(desk);
    await moveTo(desk, id, 'in_review', { assigneeId: user.id });
    expect((await desk.get(`/entries/${id}/workflow`)).body.data.assigneeId).toBe(user.id);
    expect((await desk.delete(`/users/${user.id}`)).status).toBe(200);
    expect((await desk.get(`/entries/${id}/workflow`)).body.data).toMatchObject({
      state: 'in_review',
      assigneeId: user.id,
    });
    expect((await moveTo(desk, id, 'approved')).body.data.state).toBe('approved');
  });

  it('takes a comment, an assignee and a role where the workflow requires them', async () => {
    const desk = await openDesk(app());
    const reviewer = await createRole(app(), desk.project, []);
    const user = await member(desk, await editorRole(desk), reviewer);
    const other = await member(desk, await editorRole(desk));
    const transitions = [
      step('draft', 'review', { requireComment: true, requireAssignee: true }),
      step('review', 'approved', { roleIds: [reviewer] }),
    ];
    await newWorkflow(desk, editorial({ transitions }));
    const { id } = await article(desk);
    expect((await desk.get(`/entries/${id}/workflow`)).body.data.availableTransitions).toEqual([
      { to: 'review', name: 'review', requireComment: true, requireAssignee: true, requiredApprovals: 0 },
    ]);
    expect(issues(await moveTo(desk, id, 'review', { comment: ' ' }))).toEqual([['comment', 'required']]);
    expect(issues(await moveTo(desk, id, 'review', { comment: 'x' }))).toEqual([['assigneeId', 'required']]);
    const foreign = await moveTo(desk, id, 'review', {
      comment: 'x',
      assigneeId: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a00',
    });
    expect(outcome(foreign)).toEqual([404, 'user_not_found']);
    await moveTo(desk, id, 'review', { comment: 'x', assigneeId: user.id });
    for (const caller of [desk, other.desk]) {
      expect(outcome(await moveTo(caller, id, 'approved'))).toEqual([403, 'permission_denied']);
      const { data } = (await caller.get(`/entries/${id}/workflow`)).body;
      expect(data.unavailableTransitions).toEqual([
        { to: 'approved', name: 'approved', reason: 'role_required' },
      ]);
    }
    expect((await moveTo(user.desk, id, 'approved')).body.data.state).toBe('approved');
  });

  it('is refused to viewers, who see why', async () => {
    const desk = await openDesk(app());
    const viewer = await member(desk, await systemRoleId(app(), desk.project, 'viewer'));
    const { id } = await article(desk);
    expect(outcome(await moveTo(viewer.desk, id, 'in_review'))).toEqual([403, 'permission_denied']);
    const { data } = (await viewer.desk.get(`/entries/${id}/workflow`)).body;
    expect(data.unavailableTransitions).toMatchObject([{ to: 'in_review', reason: 'permission_denied' }]);
  });
});

async function manyArticles(desk: Desk, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const made = await Promise.all(
      Array.from({ length: Math.min(25, count - ids.length) }, () => article(desk)),
    );
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

describe('Bulk calls', () => {
  verifies('workflows/bulk');

  it('make a transition and assign entries, each with its record, event and outcome', async () => {
    const desk = await openDesk(app());
    const user = await member(desk, await editorRole(desk));
    const made = await Promise.all([article(desk), article(desk), article(desk)]);
    const entryIds = made.map(({ id }) => id);
    await moveTo(desk, entryIds[0]!, 'in_review');
    const params = { to: 'in_review', comment: 'All' };
    const { body } = await desk.post('/entries/bulk', { action: 'workflowTransition', entryIds, params });
    expect(body.data).toMatchObject({ total: 3, succeeded: 2, failed: 1 });
    expect(body.data.results[0]).toMatchObject({ ok: false, error: 'invalid_transition' });
    for (const id of entryIds) expect(await stateOf(desk, id)).toBe('in_review');
    const assign = { action: 'assign', entryIds, params: { assigneeId: user.id } };
    expect((await desk.post('/entries/bulk', assign)).body.data).toMatchObject({ succeeded: 3 });
    expect((await now(desk, entryIds[1]!)).assigneeId).toBe(user.id);
    expect(await actions(desk, entryIds[1]!)).toEqual(['entry.create', 'entry.transition', 'entry.assign']);
    const cleared = await change(desk, entryIds[1]!, { assigneeId: null });
    expect([cleared.body.data.assigneeId, cleared.body.data.version]).toEqual([null, 1]);
    const unknown = { ...assign, params: { assigneeId: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a00' } };
    expect(outcome(await desk.post('/entries/bulk', unknown))).toEqual([404, 'user_not_found']);
  });

  it('run as many statements for 100 entries as for one', async () => {
    const desk = await openDesk(app());
    const [one, ...others] = await manyArticles(desk, 101);
    const count = async (body: object) => {
      const { result, statements } = await app().recordStatements(() => desk.post('/entries/bulk', body));
      expect((result.body as { data: { failed: number } }).data.failed).toBe(0);
      const first = statements.findIndex((sql) => sql.startsWith('BEGIN'));
      return statements.filter((sql, index) => index >= first && !sql.includes('note_api_key_uses')).length;
    };
    const step1 = { action: 'workflowTransition', params: { to: 'in_review' } };
    const single = await count({ ...step1, entryIds: [one] });
    expect(await count({ ...step1, entryIds: others })).toBe(single);
  });
});
