import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { createEntry } from '../../support/factories/content.js';
import { createProject, unique } from '../../support/factories/project.js';
import { BulkScene, MISSING, type Result } from './bulk-scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: BulkScene;

beforeAll(async () => {
  scene = await BulkScene.open(app());
});

const newKey = async (body: object): Promise<string> => {
  const { secret } = await scene.post<{ secret: string }>('/api-keys', {
    name: 'Key',
    type: 'management',
    ...body,
  });
  return secret;
};

describe('unpublish and delete', () => {
  it('unpublishes fifty entries in as many statements as five', async () => {
    const counts: number[] = [];
    for (const action of ['unpublish', 'delete']) {
      for (const count of [5, 50]) {
        const entryIds = (await scene.articles(count)).map(({ id }) => id);
        await scene.outcome({ action: 'publish', entryIds });
        const { result, statements } = await app().recordStatements(() =>
          scene.outcome({ action, entryIds }),
        );
        expect(result.succeeded).toBe(count);
        counts.push(statements.length);
      }
    }
    expect([counts[1], counts[3]]).toEqual([counts[0], counts[2]]);
  });

  it('keeps entries that a published entry restricts, unless it is unpublished too', async () => {
    const target = await scene.article();
    const holder = await createEntry(app(), scene.project, {
      contentTypeApiName: 'menu',
      fields: { title: 'Menu', keeps: { _ref: target.id } },
    });
    await scene.outcome({ action: 'publish', entryIds: [target.id, holder.id] });
    const alone = await scene.outcome({ action: 'unpublish', entryIds: [target.id] });
    expect(alone.results).toMatchObject([{ ok: false, error: 'entry_in_use' }]);
    const together = await scene.outcome({ action: 'delete', entryIds: [target.id, holder.id] });
    expect(together).toMatchObject({ succeeded: 2 });
  });

  it('reports a deleted entry as not found', async () => {
    const { id } = await scene.article();
    await scene.outcome({ action: 'delete', entryIds: [id] });
    for (const action of ['publish', 'unpublish', 'delete', 'duplicate'])
      expect((await scene.outcome({ action, entryIds: [id] })).results).toMatchObject([
        { ok: false, error: 'entry_not_found' },
      ]);
  });
});

describe('duplicate and move', () => {
  it('copies each entry into a new draft', async () => {
    const source = await scene.article({ title: 'Original' });
    const response = await scene.bulk({ action: 'duplicate', entryIds: [source.id, MISSING] });
    const { results } = (response.body as { data: Result }).data;
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
    const copy = await scene.read(String(results[0]?.newEntryId));
    expect([copy.status, copy.fields.title]).toEqual(['draft', 'Original (copy)']);
    const records = await scene.records(response);
    expect(records.map(({ action }) => action)).toEqual(['entry.duplicate', 'entry.bulk']);
  });

  it('copies nothing with atomic when one entry is missing', async () => {
    const source = await scene.article({ title: `Once ${unique()}` });
    const body = { action: 'duplicate', entryIds: [source.id, MISSING], params: { atomic: true } };
    expect((await scene.bulk(body)).status).toBe(422);
    const title = `${String(source.fields.title)} (copy)`;
    expect(
      await app().rows(scene.project.tenantId, 'SELECT 1 FROM entry_locales WHERE title = $1', [title]),
    ).toEqual([]);
  });

  it('reports entries outside trees and unknown nodes as not found', async () => {
    const { id } = await scene.article();
    const params = { treeParentId: MISSING };
    expect((await scene.outcome({ action: 'move', entryIds: [id, MISSING], params })).results).toMatchObject([
      { ok: false, error: 'tree_node_not_found' },
      { ok: false, error: 'entry_not_found' },
    ]);
  });

  it('moves the nodes of entries in the given order', async () => {
    const [a, b] = await scene.articles(2);
    const node = (body: object) => scene.post('/tree/nodes', body);
    const folder = await node({
      siteId: scene.project.siteId,
      type: 'folder',
      name: 'F',
      slug: `f-${unique()}`,
    });
    await node({ siteId: scene.project.siteId, entryId: a?.id });
    await node({ siteId: scene.project.siteId, entryId: b?.id });
    const params = { treeParentId: folder.id, position: 0 };
    const result = await scene.outcome({ action: 'move', entryIds: [b?.id, a?.id], params });
    expect(result).toMatchObject({ succeeded: 2, failed: 0 });
    expect(result.results).toEqual([b?.id, a?.id].map((entryId) => ({ entryId, ok: true, version: 1 })));
    const rows = await app().rows<{ entry_id: string }>(
      scene.project.tenantId,
      'SELECT entry_id FROM tree_nodes WHERE parent_id = $1 ORDER BY rank',
      [folder.id],
    );
    expect(rows.map(({ entry_id }) => entry_id)).toEqual([b?.id, a?.id]);
  });
});

describe('permission', () => {
  it('checks the permission of the action and the key’s sites for each entry', async () => {
    const { id } = await scene.article();
    const reader = await newKey({ permissions: ['read', 'publish'] });
    expect((await scene.outcome({ action: 'delete', entryIds: [id] }, reader)).results).toMatchObject([
      { ok: false, error: 'permission_denied', details: { action: 'delete' } },
    ]);
    expect((await scene.outcome({ action: 'publish', entryIds: [id] }, reader)).succeeded).toBe(1);
    const site = await scene.post('/sites', { slug: `s-${unique()}`, name: 'Other' });
    const elsewhere = await newKey({ siteIds: [site.id] });
    expect((await scene.outcome({ action: 'unpublish', entryIds: [id] }, elsewhere)).results).toMatchObject([
      { ok: false, error: 'permission_denied', details: { siteId: scene.project.siteId } },
    ]);
    expect((await scene.read(id)).status).toBe('published');
  });

  it('reports entries of another tenant as not found', async () => {
    const { id } = await scene.article();
    const theirs = await createProject(app());
    const response = await send(app(), {
      method: 'POST',
      path: `${theirs.management}/entries/bulk`,
      key: theirs.keys.management,
      body: { action: 'delete', entryIds: [id] },
    });
    expect(response.body).toMatchObject({ data: { results: [{ ok: false, error: 'entry_not_found' }] } });
    expect((await scene.read(id)).status).toBe('draft');
  });
});

describe('422', () => {
  const id = MISSING;
  const many = Array.from(
    { length: 101 },
    (_, index) => MISSING.slice(0, -3) + String(index).padStart(3, '0'),
  );

  it.each([
    ['no ids', { action: 'publish', entryIds: [] }],
    ['more than a hundred', { action: 'publish', entryIds: many }],
    ['an ill-formed id', { action: 'publish', entryIds: ['x'] }],
    ['an unknown action', { action: 'explode', entryIds: [id] }],
    ['workflowTransition without a state', { action: 'workflowTransition', entryIds: [id] }],
    ['assign without an assignee', { action: 'assign', entryIds: [id] }],
    ['a param of another action', { action: 'delete', entryIds: [id], params: { locale: 'en' } }],
    ['an unknown param', { action: 'delete', entryIds: [id], params: { force: true } }],
    ['move without a parent', { action: 'move', entryIds: [id] }],
    ['a past time', { action: 'publish', entryIds: [id], params: { scheduledAt: '2020-01-01T00:00:00Z' } }],
  ])('returns 422 for a bulk call with %s', async (_what, body) => {
    const response = await scene.bulk(body);
    expect([response.status, (response.body as { error: string }).error]).toEqual([422, 'validation_failed']);
  });
});
