import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { createFolder, createLivePage, createPage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

interface Pages {
  readonly desk: Desk;
  readonly drafts: Desk;
  /** A draft page. */
  readonly above: { readonly id: string; readonly treeNodeId: string };
  /** A live page below it. */
  readonly below: { readonly id: string };
  readonly folderId: string;
}

async function openPages(): Promise<Pages> {
  const desk = await openDesk(app());
  const { project } = desk;
  await createPageType(app(), project);
  const above = await createPage(app(), project, { slug: 'above' });
  const below = await createLivePage(app(), project, { slug: 'below', treeParentId: above.treeNodeId });
  const folder = await createFolder(app(), project, { slug: 'folder' });
  const drafts = desk.as((await desk.newKey({ type: 'management', draftOnly: true })).secret);
  return { desk, drafts, above, below, folderId: folder.id };
}

/** Live paths, as visitors see them. */
const livePaths = async ({ project }: Desk): Promise<unknown> =>
  app().rows(
    project.tenantId,
    `SELECT r.path, r.locale FROM routes r JOIN environments e ON e.id = r.environment_id
     WHERE e.tenant_id = $1 AND r.is_live ORDER BY r.path, r.locale`,
    [project.tenantId],
  );

describe('A draft-only key', () => {
  verifies('access/key-limits', 'access/key-bounds');

  it('moves no live page, alone, in bulk or with an update', async () => {
    const { desk, drafts, below, folderId } = await openPages();
    const paths = await livePaths(desk);
    const nodeId = String((await desk.get(`/entries/${below.id}`)).body.data.treeNodeId);
    const refused = [
      await drafts.put(`/entries/${below.id}`, { version: 1, treeParentId: folderId }),
      await drafts.post(`/tree/nodes/${nodeId}/move`, { parentId: folderId }),
    ];
    for (const answer of refused) expect(outcome(answer)).toEqual([403, 'permission_denied']);
    const params = { treeParentId: folderId };
    const bulk = await drafts.post('/entries/bulk', { action: 'move', entryIds: [below.id], params });
    expect(bulk.body.data.results).toMatchObject([{ ok: false, error: 'permission_denied' }]);
    expect(await livePaths(desk)).toEqual(paths);
  });

  it('schedules nothing, alone or in bulk', async () => {
    const { drafts, below } = await openPages();
    const scheduledAt = '2031-01-01T00:00:00Z';
    for (const action of ['publish', 'unpublish']) {
      const single = await drafts.post(`/entries/${below.id}/${action}`, { scheduledAt });
      expect(outcome(single)).toEqual([403, 'permission_denied']);
      const body = { action, entryIds: [below.id], params: { scheduledAt } };
      const bulk = await drafts.post('/entries/bulk', body);
      expect(bulk.body.data.results).toMatchObject([{ ok: false, error: 'permission_denied' }]);
    }
  });

  it('changes the slug of a live page in the draft only', async () => {
    const { desk, drafts, below } = await openPages();
    const paths = await livePaths(desk);
    expect((await drafts.put(`/entries/${below.id}`, { version: 1, slug: 'renamed' })).status).toBe(200);
    expect((await drafts.post(`/entries/${below.id}/restore`, { versionNum: 1 })).status).toBe(200);
    expect(await livePaths(desk)).toEqual(paths);
  });

  it('returns 403 when the slug of a draft page would move a live page below it', async () => {
    const { desk, drafts, above } = await openPages();
    const paths = await livePaths(desk);
    const path = `/entries/${above.id}`;
    const answer = await drafts.put(path, { version: 1, slug: 'renamed' });
    expect(outcome(answer)).toEqual([403, 'permission_denied']);
    expect(answer.body.details).toMatchObject({ draftOnly: true });
    expect(await livePaths(desk)).toEqual(paths);
    expect((await drafts.put(path, { version: 1, fields: { title: 'Renamed' } })).status).toBe(200);
    expect((await desk.put(path, { version: 2, slug: 'renamed' })).status).toBe(200);
    const restored = await drafts.post(`${path}/restore`, { versionNum: 1 });
    expect(outcome(restored)).toEqual([403, 'permission_denied']);
  });

  it('returns 403 when the removal of a draft page would move a live page below it', async () => {
    const { desk, drafts, above } = await openPages();
    const paths = await livePaths(desk);
    expect(outcome(await drafts.delete(`/entries/${above.id}`))).toEqual([403, 'permission_denied']);
    const bulk = await drafts.post('/entries/bulk', { action: 'delete', entryIds: [above.id] });
    expect(outcome(bulk)).toEqual([403, 'permission_denied']);
    expect(await livePaths(desk)).toEqual(paths);
    expect((await desk.delete(`/entries/${above.id}`)).status).toBe(200);
  });

  it('duplicates a live entry as a draft', async () => {
    const { desk, drafts } = await openPages();
    const fields = { title: 'Live' };
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
    await publish(app(), desk.project, id);
    const copy = await drafts.post(`/entries/${id}/duplicate`);
    expect([copy.status, copy.body.data.status]).toEqual([201, 'draft']);
  });
});
