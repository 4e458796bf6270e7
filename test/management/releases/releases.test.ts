import { beforeAll, describe, expect, it } from '@jest/globals';
import { createPage as newPage } from '../../support/factories/tree.js';
import { unique } from '../../support/factories/project.js';
import { createMember, createRole, sessionWith, systemRoleId } from '../../support/members.js';
import { outcome, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { entryItem, ReleaseDesk } from './release-desk.js';

const app = useApp();
let scene: ReleaseDesk;

const MISSING = '0198c0de-0000-7000-8000-000000000000';

const createPage = (slug: string) => newPage(app(), scene.desk.project, { slug });

beforeAll(async () => {
  scene = await ReleaseDesk.open(app());
});

describe('releases', () => {
  verifies('publication/releases');

  it('are created, listed by status and name, changed and deleted', async () => {
    const name = `Spring ${unique()}`;
    const made = await scene.data<{ id: string }>(
      scene.desk.post('/releases', { name, description: 'All' }),
      201,
    );
    expect(made).toMatchObject({ name, description: 'All', status: 'open', itemCount: 0, approvals: [] });
    const listed = await scene.ok(scene.desk.get(`/releases?status=open&q=${encodeURIComponent(name)}`));
    expect(listed).toMatchObject({ data: [{ id: made.id }], meta: { total: 1 } });
    const none = await scene.ok(scene.desk.get(`/releases?status=published&q=${encodeURIComponent(name)}`));
    expect(none).toMatchObject({ data: [], meta: { total: 0 } });
    const changed = await scene.data(
      scene.desk.put(`/releases/${made.id}`, { name: `${name}!`, description: null }),
    );
    expect(changed).toMatchObject({ name: `${name}!`, description: null });
    await scene.data(scene.desk.delete(`/releases/${made.id}`));
    expect(outcome(await scene.desk.get(`/releases/${made.id}`))).toEqual([404, 'release_not_found']);
  });

  it('have items of every kind, with titles and paths', async () => {
    const { siteId } = scene.desk.project;
    const [article, page] = [await scene.article({ title: 'Locks' }), await createPage('contact')];
    const items = [
      entryItem(article),
      entryItem(page, { action: 'unpublish' }),
      { kind: 'redirect', action: 'create', redirect: { siteId, source: '/old', target: '/new' } },
      { kind: 'treeMove', nodeId: page.treeNodeId, parentId: null, position: 0 },
    ];
    const { id, items: shown, itemCount } = await scene.release(items);
    expect(itemCount).toBe(4);
    expect(shown).toMatchObject([
      { ...entryItem(article), pinnedVersion: null, title: 'Locks', path: null, siteId },
      { ...entryItem(page), action: 'unpublish', title: 'Page contact', path: '/contact' },
      { kind: 'redirect', title: '/old', path: '/old', siteId, redirectId: null },
      { kind: 'treeMove', nodeId: page.treeNodeId, title: 'Page contact', path: '/contact' },
    ]);
    await scene.data(scene.desk.delete(`/releases/${id}/items/${shown[0]?.id ?? ''}`));
    expect((await scene.read(id)).items.map((item) => item.id)).toEqual(
      shown.slice(1).map((item) => item.id),
    );
    const again = await scene.desk.delete(`/releases/${id}/items/${shown[0]?.id ?? ''}`);
    expect(outcome(again)).toEqual([404, 'release_item_not_found']);
  });

  it('refuse what is there twice, what does not exist and what is incomplete, and then add nothing', async () => {
    const article = await scene.article();
    const { id } = await scene.release([entryItem(article)]);
    const { siteId } = scene.desk.project;
    const add = async (...items: object[]) => {
      const response = await scene.desk.post(`/releases/${id}/items`, { items });
      const { details } = response.body as { details?: { path?: unknown; issues?: { path: unknown }[] } };
      return [...outcome(response), details?.path ?? details?.issues?.[0]?.path];
    };
    const other = await scene.article();
    const twice = entryItem({ id: article.id.toUpperCase() }, { action: 'unpublish' });
    expect(await add(entryItem(other), twice)).toEqual([409, 'release_conflict', ['items', 1]]);
    expect(await add(entryItem(other), entryItem(other))).toEqual([409, 'release_conflict', ['items', 1]]);
    expect(await add(entryItem({ id: MISSING }))).toEqual([404, 'entry_not_found', ['items', 0, 'entryId']]);
    expect(await add(entryItem(other, { locale: 'xx' }))).toEqual([404, 'locale_not_found', ['locale']]);
    const pinned = entryItem(other, { pinnedVersion: 9 });
    expect(await add(pinned)).toEqual([404, 'version_not_found', ['items', 0, 'pinnedVersion']]);
    expect((await add(entryItem(other, { action: 'unpublish', pinnedVersion: 1 }))).slice(0, 2)).toEqual([
      422,
      'validation_failed',
    ]);
    expect(await add({ kind: 'redirect', action: 'update', redirect: { target: '/x' } })).toEqual([
      422,
      'validation_failed',
      ['items', 0, 'redirectId'],
    ]);
    expect(await add({ kind: 'redirect', action: 'delete', redirectId: MISSING })).toEqual([
      404,
      'redirect_not_found',
      ['items', 0, 'redirectId'],
    ]);
    expect(await add({ kind: 'redirect', action: 'create', redirect: { siteId, target: '/x' } })).toEqual([
      422,
      'validation_failed',
      ['items', 0, 'redirect.source'],
    ]);
    expect(await add({ kind: 'treeMove', nodeId: MISSING, parentId: null })).toEqual([
      404,
      'tree_node_not_found',
      ['items', 0, 'nodeId'],
    ]);
    expect(
      await add({ kind: 'media', assetId: MISSING, replacementAssetId: MISSING.replace('c0de', 'c0df') }),
    ).toEqual([404, 'media_not_found', ['items', 0, 'assetId']]);
    expect((await scene.read(id)).itemCount).toBe(1);
  });

  it('are published by callers who may publish each item, else not at all', async () => {
    const [article, author] = [await scene.article(), await scene.author()];
    const { id } = await scene.release([entryItem(article), entryItem(author)]);
    const token = await sessionWith(app(), scene.desk.project, [
      { resource: 'releases', action: '*' },
      { resource: 'entries', action: 'read' },
      { resource: 'entries', action: 'publish', scope: { contentTypes: ['article'] } },
    ]);
    const refused = await scene.desk.as(token).post(`/releases/${id}/publish`);
    expect([refused.status, refused.body]).toEqual([
      422,
      expect.objectContaining({
        error: 'release_invalid',
        details: { items: [expect.objectContaining({ code: 'permission_denied', title: 'Ann' })] },
      }),
    ]);
    expect(await scene.live(article)).toBeUndefined();
    const viewer = await sessionWith(app(), scene.desk.project, 'viewer');
    expect(outcome(await scene.desk.as(viewer).post(`/releases/${id}/publish`))).toEqual([
      403,
      'permission_denied',
    ]);
    expect((await scene.desk.as(viewer).get(`/releases/${id}`)).status).toBe(200);
  });

  it('hide titles of entries that the caller cannot read', async () => {
    const { id } = await scene.release([entryItem(await scene.article()), entryItem(await scene.author())]);
    const token = await sessionWith(app(), scene.desk.project, [
      { resource: 'releases', action: 'read' },
      { resource: 'entries', action: 'read', scope: { contentTypes: ['author'] } },
    ]);
    const seen = await scene.data<{ items: { title: string | null }[] }>(
      scene.desk.as(token).get(`/releases/${id}`),
    );
    expect(seen.items.map(({ title }) => title)).toEqual([null, 'Ann']);
  });
});

describe('approvals of releases', () => {
  verifies('publication/release-approvals');

  it('are needed to publish, and lapse with a new item or another draft', async () => {
    const { project } = scene.desk;
    const editor = await systemRoleId(app(), project, 'editor');
    const [first, second] = [
      await createMember(app(), project, [editor]),
      await createMember(app(), project, [editor]),
    ];
    const article = await scene.article({ title: 'One' });
    const { id } = await scene.release([entryItem(article)], { requiresApproval: { quorum: 2 } });
    const refused = async () => {
      const { status, body } = await scene.publish(id);
      return [status, (body as { error: string }).error, (body as { details: unknown }).details];
    };
    const approve = (token: string, body: object = {}) =>
      scene.desk.as(token).post(`/releases/${id}/approve`, body);
    expect(await refused()).toEqual([409, 'release_not_approved', { quorum: 2, approvals: 0 }]);
    expect((await scene.desk.post(`/releases/${id}/validate`)).body).toMatchObject({
      data: { isPublishable: false, issues: [{ itemId: null, code: 'release_not_approved' }] },
    });
    await scene.data(approve(first.token, { comment: 'Seen' }));
    await scene.data(approve(first.token));
    expect(await refused()).toEqual([409, 'release_not_approved', { quorum: 2, approvals: 1 }]);
    await scene.data(approve(second.token));
    await scene.edit(article, { fields: { title: 'Two' } });
    expect((await scene.read(id)).approvals.map(({ lapsed }) => lapsed)).toEqual([true, true]);
    expect(await refused()).toEqual([409, 'release_not_approved', { quorum: 2, approvals: 0 }]);
    for (const { token } of [first, second]) await scene.data(approve(token));
    await scene.data(scene.desk.post(`/releases/${id}/items`, { items: [entryItem(await scene.article())] }));
    expect(await refused()).toEqual([409, 'release_not_approved', { quorum: 2, approvals: 0 }]);
    for (const { token } of [first, second]) await scene.data(approve(token));
    await scene.published(id);
    expect(await scene.title(article)).toBe('Two');
  });

  it('are kept for pinned versions, whatever becomes of the draft', async () => {
    const editor = await systemRoleId(app(), scene.desk.project, 'editor');
    const { token } = await createMember(app(), scene.desk.project, [editor]);
    const article = await scene.article({ title: 'Pinned' });
    const items = [entryItem(article, { pinnedVersion: 1 })];
    const { id } = await scene.release(items, { requiresApproval: { quorum: 1 } });
    await scene.data(scene.desk.as(token).post(`/releases/${id}/approve`));
    await scene.edit(article, { fields: { title: 'Later' } });
    await scene.published(id);
    expect(await scene.title(article)).toBe('Pinned');
  });

  it('are given by users with one of the roles who are no authors, not by keys', async () => {
    const { project } = scene.desk;
    const approver = await createRole(app(), project, [
      { resource: 'releases', action: '*' },
      { resource: 'entries', action: '*' },
    ]);
    const editor = await systemRoleId(app(), project, 'editor');
    const [author, other] = [
      await createMember(app(), project, [approver]),
      await createMember(app(), project, [editor]),
    ];
    const body = { name: 'By the author', requiresApproval: { quorum: 1, roleIds: [approver] } };
    const { id } = await scene.data<{ id: string }>(scene.desk.as(author.token).post('/releases', body), 201);
    const approve = (token: string | undefined) => scene.desk.as(token).post(`/releases/${id}/approve`);
    expect((await approve(author.token)).body).toMatchObject({
      error: 'permission_denied',
      details: { reason: 'own_work' },
    });
    expect((await approve(other.token)).body).toMatchObject({
      error: 'permission_denied',
      details: { reason: 'role_required' },
    });
    expect(outcome(await approve(project.keys.management))).toEqual([403, 'permission_denied']);
  });
});
