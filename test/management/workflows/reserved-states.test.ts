import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createPage, createPageType } from '../../support/factories/tree.js';
import { createMember, createRole, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { Agents, useTool } from '../../mcp/agents.js';
import { article, change, now } from '../entries/history.js';
import { editorial, moveTo, newWorkflow, state } from './definitions.js';

const app = useOwnApp();

/** States, of which one role may change entries in review. */
const reserved = (roleId: string) => [
  state('draft', { isInitial: true }),
  state('review', { editableBy: [roleId] }),
  state('approved', { allowsPublish: true }),
];

async function openReserved(rest: object = {}) {
  const desk = await openDesk(app());
  const editor = await systemRoleId(app(), desk.project, 'editor');
  const roleId = await createRole(app(), desk.project, []);
  const users = await Promise.all([
    createMember(app(), desk.project, [editor, roleId]),
    createMember(app(), desk.project, [editor]),
  ]);
  const [reviewer, other] = users.map(({ token }) => desk.as(token)) as [Desk, Desk];
  await newWorkflow(desk, editorial({ states: reserved(roleId), ...rest }));
  return { desk, reviewer, other };
}

describe('A state that is reserved for a role', () => {
  verifies('workflows/editable-by');

  it('refuses every change of others and of keys, and lets the role make it', async () => {
    const { desk, reviewer, other } = await openReserved();
    const { id, version } = await article(desk);
    await moveTo(desk, id, 'review');
    const entry = `/entries/${id}`;
    const item = async (call: Promise<Response>): Promise<[number, string | undefined]> => {
      const { status, body } = await call;
      const [result] = (body.data?.results ?? []) as { error?: string }[];
      return [status === 200 ? 403 : status, result?.error ?? body.error];
    };
    for (const caller of [desk, other]) {
      const refused = [
        caller.put(entry, { version, fields: { title: 'No' } }),
        caller.post(`${entry}/restore`, { versionNum: 1 }),
        caller.post(`${entry}/versions/1/restore`, {}),
        caller.post(`${entry}/copy-locale`, { fromLocale: 'en', toLocale: 'de' }),
        caller.delete(entry),
        caller.post('/entries/bulk', { action: 'delete', entryIds: [id] }),
      ];
      for (const call of refused) expect(await item(call)).toEqual([403, 'permission_denied']);
    }
    const { body } = await other.put(entry, { version, fields: { title: 'No' } });
    expect(body.details).toEqual({ resource: 'entries', action: 'update', state: 'review' });
    expect((await change(reviewer, id, { fields: { title: 'Reviewed' } })).status).toBe(200);
    expect((await reviewer.post(`${entry}/copy-locale`, { fromLocale: 'en', toLocale: 'de' })).status).toBe(
      200,
    );
    expect((await reviewer.delete(entry)).status).toBe(200);
    expect(outcome(await desk.post(`${entry}/undelete`, {}))).toEqual([403, 'permission_denied']);
    expect((await reviewer.post(`${entry}/undelete`, {})).status).toBe(200);
  });

  it('refuses tools of agents, and lets everyone publish and make transitions', async () => {
    const { desk, other } = await openReserved();
    const { id, version } = await article(desk, { title: 'T', body: { type: 'doc', content: [] } });
    await moveTo(desk, id, 'review');
    const agents = new Agents(app(), desk.project);
    const client = await agents.connect(desk.project.keys.management);
    const refused = await useTool(client, 'update_entry', { id, version, fields: { title: 'No' } });
    expect(refused.structuredContent.error).toBe('api_key_permission_denied');
    const tool = await useTool(client, 'delete_entry', { id });
    expect(tool.structuredContent.error).toBe('api_key_permission_denied');
    expect((await other.post(`/entries/${id}/publish`, {})).status).toBe(200);
    expect((await moveTo(other, id, 'draft')).body.data.state).toBe('draft');
    await agents.close();
  });

  it('refuses placing, moving and removing its page', async () => {
    const { desk, reviewer, other } = await openReserved({ contentTypes: [], isDefault: true });
    await createPageType(app(), desk.project);
    const parent = await createPage(app(), desk.project, { slug: 'parent' });
    const page = await createPage(app(), desk.project, { slug: 'page' });
    await moveTo(desk, page.id, 'review');
    const node = `/tree/nodes/${page.treeNodeId}`;
    const to = { parentId: parent.treeNodeId };
    const move = { action: 'move', entryIds: [page.id], params: { treeParentId: parent.treeNodeId } };
    expect(outcome(await other.post(`${node}/move`, to))).toEqual([403, 'permission_denied']);
    expect(outcome(await other.delete(node))).toEqual([403, 'permission_denied']);
    const update = { version: 1, treeParentId: parent.treeNodeId };
    expect(outcome(await other.put(`/entries/${page.id}`, update))).toEqual([403, 'permission_denied']);
    expect((await other.post('/entries/bulk', move)).body.data.results[0].error).toBe('permission_denied');
    expect((await reviewer.post(`${node}/move`, to)).status).toBe(200);
    expect((await reviewer.delete(node)).status).toBe(200);
    const body = { entryId: page.id };
    expect(outcome(await other.post('/tree/nodes', body))).toEqual([403, 'permission_denied']);
    expect((await reviewer.post('/tree/nodes', body)).status).toBe(201);
  });

  it('guards the locales in that state, and shared values, where states are per locale', async () => {
    const { desk, other } = await openReserved({ perLocale: true });
    const { id } = await article(desk);
    await change(desk, id, { locale: 'de', fields: { title: 'Titel' } });
    await moveTo(desk, id, 'review', { locale: 'de' });
    expect((await change(other, id, { fields: { title: 'English' } })).status).toBe(200);
    expect(outcome(await change(other, id, { locale: 'de', fields: { title: 'Nein' } }))).toEqual([
      403,
      'permission_denied',
    ]);
    expect(outcome(await other.delete(`/entries/${id}`))).toEqual([403, 'permission_denied']);
  });
});

describe('Publishing', () => {
  verifies('workflows/strict');

  it('from a state that does not allow it is refused by a strict workflow, and by no other', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'T', body: { type: 'doc', content: [] } });
    await newWorkflow(desk);
    expect((await desk.post(`/entries/${id}/publish`, {})).status).toBe(200);
    await change(desk, id, { fields: { title: 'Changed' } });
    await desk.put('/workflows/editorial', { enforcement: 'strict' });
    const refused = await desk.post(`/entries/${id}/publish`, {});
    expect(outcome(refused)).toEqual([409, 'workflow_not_approved']);
    expect(refused.body.details).toEqual({ workflow: 'editorial', state: 'draft', allowed: ['approved'] });
    const later = { scheduledAt: '2099-01-01T00:00:00Z' };
    expect(outcome(await desk.post(`/entries/${id}/publish`, later))).toEqual([409, 'workflow_not_approved']);
    const bulk = await desk.post('/entries/bulk', { action: 'publish', entryIds: [id] });
    expect(bulk.body.data.results[0].error).toBe('workflow_not_approved');
    await moveTo(desk, id, 'review');
    await moveTo(desk, id, 'approved');
    expect((await desk.post(`/entries/${id}/publish`, {})).status).toBe(200);
    expect((await desk.post(`/entries/${id}/unpublish`, {})).status).toBe(200);
    expect((await now(desk, id)).workflow?.state).toBe('approved');
  });
});

describe('Publishing later', () => {
  it('is refused when the job runs and the entry is not approved any more', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'T', body: { type: 'doc', content: [] } });
    await newWorkflow(desk, editorial({ enforcement: 'strict' }));
    await moveTo(desk, id, 'review');
    await moveTo(desk, id, 'approved');
    await desk.post(`/entries/${id}/publish`, { scheduledAt: '2099-01-01T00:00:00Z' });
    await change(desk, id, { fields: { title: 'Changed' } });
    await app().rows(
      desk.project.tenantId,
      "UPDATE scheduled_jobs SET scheduled_at = now() - interval '1 hour', next_attempt_at = now() - interval '1 hour' WHERE entry_id = $1",
      [id],
    );
    await app().composition.jobs.runDue();
    const { body } = await desk.get(`/entries/${id}/schedules?status=failed`);
    expect(body.data).toMatchObject([{ status: 'failed', error: { code: 'workflow_not_approved' } }]);
  });
});
