import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { createFolder, createLivePage, createPage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

interface Cause {
  readonly requestId: string;
  readonly action: string;
}

interface Trace {
  /** `action name-or-id` of each record, in order. */
  readonly records: string[];
  readonly events: string[];
  /** `requestId action` of the distinct causes. */
  readonly causes: (string | null)[];
}

/** The records and events of a call, as audit-events and webhooks show them. */
async function traceOf(desk: Desk, { headers }: Response): Promise<Trace> {
  const requestId = String(headers['x-request-id']);
  const { body } = await desk.get('/audit-events?limit=100');
  const all = (body as { data: AuditEvent[] }).data;
  const records = all.filter(({ context }) => context.requestId === requestId).reverse();
  const events = await app().rows<{ type: string; id: string; cause: Cause | null }>(
    desk.project.tenantId,
    `SELECT type, coalesce(payload -> 'data' ->> 'entryId', payload -> 'data' ->> 'nodeId', payload -> 'data' ->> 'source') AS id,
       payload -> 'cause' AS cause FROM outbox_events WHERE payload ->> 'requestId' = $1 ORDER BY id`,
    [requestId],
  );
  const causes = [...records, ...events].map(({ cause }) =>
    cause ? `${cause.requestId} ${cause.action}` : null,
  );
  return {
    records: records.map(({ action, target }) => `${action} ${target.id}`).sort(),
    events: events.map(({ type, id }) => `${type} ${id}`).sort(),
    causes: [...new Set(causes)],
  };
}

interface AuditEvent {
  readonly action: string;
  readonly target: { readonly id: string };
  readonly context: object & { readonly requestId: string };
  readonly cause: Cause | null;
}

async function openTree(): Promise<Desk> {
  const desk = await openDesk(app());
  await createPageType(app(), desk.project);
  return desk;
}

const article = (desk: Desk, fields: object) =>
  createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { ...fields } });

const causeOf = ({ headers }: Response, action: string): string[] => [
  `${String(headers['x-request-id'])} ${action}`,
];

describe('Records and events of one call', () => {
  verifies('events/records-with-cause');

  it('have no cause when the call changes only what it names', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One' });
    const response = await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Two' } });
    expect(await traceOf(desk, response)).toEqual({
      records: [`entry.update ${id}`],
      events: [`entry.updated ${id}`],
      causes: [null],
    });
    const { body } = await desk.get(`/audit-events?targetId=${id}&limit=1`);
    expect((body as { data: AuditEvent[] }).data[0]?.context).not.toHaveProperty('cause');
  });

  it.each(['publish', 'unpublish', 'delete', 'duplicate'])(
    'exist per entry of a bulk %s, with its summary, and share the cause',
    async (action) => {
      const desk = await openDesk(app());
      const ids = [(await article(desk, { title: 'One' })).id, (await article(desk, { title: 'Two' })).id];
      if (action === 'unpublish') for (const id of ids) await publish(app(), desk.project, id);
      const response = await desk.post('/entries/bulk', { action, entryIds: ids });
      const { results } = (response.body as { data: { results: { newEntryId?: string }[] } }).data;
      const changed = action === 'duplicate' ? results.map(({ newEntryId }) => newEntryId) : ids;
      const { records, causes, events } = await traceOf(desk, response);
      expect(records).toEqual(
        [
          expect.stringMatching(/^entry\.bulk /),
          ...changed.map((id) => `entry.${action} ${String(id)}`),
        ].sort((a, b) => (String(a) < String(b) ? -1 : 1)),
      );
      expect(events).toHaveLength(2);
      expect(causes).toEqual(causeOf(response, 'entry.bulk'));
    },
  );

  it('exist for every node and redirect of a bulk move', async () => {
    const desk = await openTree();
    const page = await createLivePage(app(), desk.project, { slug: 'page' });
    const folder = await createFolder(app(), desk.project, { slug: 'folder' });
    const params = { treeParentId: folder.id };
    const response = await desk.post('/entries/bulk', { action: 'move', entryIds: [page.id], params });
    const { records, events, causes } = await traceOf(desk, response);
    expect(records.map((record) => record.split(' ')[0])).toEqual([
      'entry.bulk',
      'redirect.create',
      'tree_node.move',
    ]);
    expect(events.map((event) => event.split(' ')[0])).toEqual(['redirect.created', 'tree.node_moved']);
    expect(causes).toEqual(causeOf(response, 'entry.bulk'));
  });

  it('leave nothing of an entry that a bulk move could not move', async () => {
    const desk = await openTree();
    const page = await createLivePage(app(), desk.project, { slug: 'page' });
    const below = await createPage(app(), desk.project, { slug: 'below', treeParentId: page.treeNodeId });
    const params = { treeParentId: below.treeNodeId };
    const response = await desk.post('/entries/bulk', { action: 'move', entryIds: [page.id], params });
    expect((response.body as { data: { failed: number } }).data.failed).toBe(1);
    expect(await traceOf(desk, response)).toEqual({ records: [], events: [], causes: [] });
  });

  it('exist for each entry published along', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const { id } = await article(desk, { title: 'One', author: { _ref: author.id } });
    const response = await desk.post(`/entries/${id}/publish`, { withDependencies: true });
    expect(await traceOf(desk, response)).toEqual({
      records: [`entry.publish ${author.id}`, `entry.publish ${id}`].sort(),
      events: [`entry.published ${author.id}`, `entry.published ${id}`].sort(),
      causes: causeOf(response, 'entry.publish'),
    });
  });

  it('exist for the node of a new page, and of a deleted one', async () => {
    const desk = await openTree();
    const { siteId } = desk.project;
    const body = { contentTypeApiName: 'page', siteId, fields: { title: 'A' } };
    const made = await desk.post('/entries', body);
    const { id, treeNodeId } = (made.body as { data: { id: string; treeNodeId: string } }).data;
    expect(await traceOf(desk, made)).toEqual({
      records: [`entry.create ${id}`, `tree_node.create ${treeNodeId}`],
      events: [`entry.created ${id}`, `tree.node_created ${id}`],
      causes: causeOf(made, 'entry.create'),
    });
    const deleted = await desk.delete(`/entries/${id}`);
    expect(await traceOf(desk, deleted)).toEqual({
      records: [`entry.delete ${id}`, `tree_node.delete ${treeNodeId}`],
      events: [`entry.deleted ${id}`, `tree.node_deleted ${id}`],
      causes: causeOf(deleted, 'entry.delete'),
    });
  });

  it('exist for every node deleted with its parent', async () => {
    const desk = await openTree();
    const top = await createFolder(app(), desk.project, { slug: 'top' });
    const middle = await createFolder(app(), desk.project, { slug: 'middle', parentId: top.id });
    const page = await createPage(app(), desk.project, { slug: 'page', treeParentId: middle.id });
    const response = await desk.delete(`/tree/nodes/${top.id}?children=delete`);
    const { records, events, causes } = await traceOf(desk, response);
    expect(records).toEqual(
      [top.id, middle.id, page.treeNodeId].map((id) => `tree_node.delete ${id}`).sort(),
    );
    expect(events).toEqual([top.id, middle.id, page.id].map((id) => `tree.node_deleted ${id}`).sort());
    expect(causes).toEqual(causeOf(response, 'tree_node.delete'));
  });

  it('exist for every node that moves up when its parent is deleted, with its entry or alone', async () => {
    const desk = await openTree();
    const top = await createFolder(app(), desk.project, { slug: 'top' });
    const page = await createPage(app(), desk.project, { slug: 'page', treeParentId: top.id });
    const below = await createPage(app(), desk.project, { slug: 'below', treeParentId: page.treeNodeId });
    const response = await desk.delete(`/tree/nodes/${top.id}?children=lift`);
    expect(await traceOf(desk, response)).toEqual({
      records: [`tree_node.delete ${top.id}`, `tree_node.move ${page.treeNodeId}`].sort(),
      events: [`tree.node_deleted ${top.id}`, `tree.node_moved ${page.id}`].sort(),
      causes: causeOf(response, 'tree_node.delete'),
    });
    const deleted = await desk.delete(`/entries/${page.id}`);
    expect((await traceOf(desk, deleted)).records).toEqual(
      [
        `entry.delete ${page.id}`,
        `tree_node.delete ${page.treeNodeId}`,
        `tree_node.move ${below.treeNodeId}`,
      ].sort(),
    );
    const { body } = await desk.get(`/audit-events?targetId=${below.treeNodeId}&action=tree_node.move`);
    expect(body.data[0]).toMatchObject({
      before: { parentId: page.treeNodeId, version: 1 },
      after: { parentId: null, version: 2 },
    });
    expect((await desk.get(`/tree/nodes/${below.treeNodeId}`)).body.data.version).toBe(2);
  });

  it('of nodes that are deleted together name no moves', async () => {
    const desk = await openTree();
    const top = await createPage(app(), desk.project, { slug: 'top' });
    const middle = await createPage(app(), desk.project, { slug: 'middle', treeParentId: top.treeNodeId });
    const low = await createPage(app(), desk.project, { slug: 'low', treeParentId: middle.treeNodeId });
    const entryIds = [top.id, middle.id];
    const response = await desk.post('/entries/bulk', { action: 'delete', entryIds });
    const { records } = await traceOf(desk, response);
    expect(records.filter((record) => record.startsWith('tree_node'))).toEqual(
      [
        `tree_node.delete ${top.treeNodeId}`,
        `tree_node.delete ${middle.treeNodeId}`,
        `tree_node.move ${low.treeNodeId}`,
      ].sort(),
    );
    const { body } = await desk.get(`/audit-events?targetId=${low.treeNodeId}&action=tree_node.move`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      before: { parentId: middle.treeNodeId },
      after: { parentId: null },
    });
  });

  it('runs as many statements to delete twenty child nodes as for two', async () => {
    const counts: number[] = [];
    for (const count of [2, 20]) {
      const desk = await openTree();
      const top = await createFolder(app(), desk.project, { slug: 'top' });
      for (let index = 0; index < count; index += 1)
        await createFolder(app(), desk.project, { slug: `f${String(index)}`, parentId: top.id });
      const { statements } = await app().recordStatements(() =>
        desk.delete(`/tree/nodes/${top.id}?children=delete`),
      );
      counts.push(statements.length);
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it('exist for the automatic redirects of a renamed page', async () => {
    const desk = await openTree();
    const page = await createLivePage(app(), desk.project, { slug: 'old' });
    await desk.put(`/entries/${page.id}`, { version: 1, slug: 'new' });
    const response = await desk.post(`/entries/${page.id}/publish`, {});
    const { records, causes } = await traceOf(desk, response);
    expect(records.map((record) => record.split(' ')[0])).toEqual(['entry.publish', 'redirect.create']);
    expect(causes).toEqual(causeOf(response, 'entry.publish'));
  });
});
