import { beforeAll, describe, expect, it } from '@jest/globals';
import { textFile, uploadAsset } from '../../support/factories/media.js';
import { createLivePage } from '../../support/factories/tree.js';
import { unique } from '../../support/factories/project.js';
import { outcome, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { entryItem, ReleaseDesk } from './release-desk.js';

const app = useApp();
let scene: ReleaseDesk;

beforeAll(async () => {
  scene = await ReleaseDesk.open(app());
});

/** Titles of the items that refuse a rollback. */
async function changedItems(id: string): Promise<unknown[]> {
  const response = await scene.rollback(id);
  const { details } = response.body as { details?: { items?: { title: string | null }[] } };
  return [...outcome(response), details?.items?.map(({ title }) => title)];
}

describe('rolling back a release', () => {
  verifies('publication/release-rollback');

  it('puts back exactly what was live, and keeps drafts and versions', async () => {
    const [changed, fresh, leaving] = [
      await scene.article({ title: 'Before' }),
      await scene.article({ title: 'Fresh' }),
      await scene.article({ title: 'Leaving' }),
    ];
    await scene.publishEntry(changed);
    await scene.publishEntry(leaving);
    const before = await Promise.all([changed, fresh, leaving].map((one) => scene.live(one)));
    const slug = `after-${unique()}`;
    await scene.edit(changed, { slug, fields: { title: 'After' } });
    const { id } = await scene.release([
      entryItem(changed),
      entryItem(fresh),
      entryItem(leaving, { action: 'unpublish' }),
    ]);
    await scene.published(id);
    expect(await scene.live(changed)).toMatchObject({ _slug: slug, fields: { title: 'After' } });
    const rolledBack = await scene.data(scene.rollback(id));
    expect(rolledBack).toMatchObject({ status: 'rolled_back', rolledBackAt: expect.any(String) });
    expect(await Promise.all([changed, fresh, leaving].map((one) => scene.live(one)))).toEqual(before);
    expect(await scene.data(scene.desk.get(`/entries/${changed.id}`))).toMatchObject({
      version: 2,
      status: 'changed',
      slug,
      fields: { title: 'After' },
    });
    expect(await scene.data(scene.rollback(id))).toEqual(rolledBack);
  });

  it('can be opened and published again', async () => {
    const article = await scene.article({ title: 'Again' });
    const { id } = await scene.release([entryItem(article)]);
    await scene.published(id);
    await scene.data(scene.rollback(id));
    expect(outcome(await scene.publish(id))).toEqual([409, 'release_closed']);
    expect(await scene.data(scene.desk.post(`/releases/${id}/reopen`))).toMatchObject({
      status: 'open',
      publishedAt: null,
      rolledBackAt: null,
    });
    await scene.published(id);
    expect(await scene.title(article)).toBe('Again');
  });

  it('refuses a release that is not published', async () => {
    const { id } = await scene.release([entryItem(await scene.article())]);
    expect(outcome(await scene.rollback(id))).toEqual([409, 'release_not_published']);
  });

  it('refuses with the items that another publication has changed since, and changes nothing', async () => {
    const [changed, unpublished, same] = [
      await scene.article({ title: 'Changed' }),
      await scene.article({ title: 'Unpublished' }),
      await scene.article({ title: 'Same' }),
    ];
    const { id } = await scene.release([changed, unpublished, same].map((one) => entryItem(one)));
    await scene.published(id);
    await scene.edit(changed, { fields: { title: 'Changed later' } });
    await scene.edit(same, { fields: { title: 'Draft only' } });
    await scene.publishEntry(changed);
    await scene.data(scene.desk.post(`/entries/${unpublished.id}/unpublish`));
    expect(await changedItems(id)).toEqual([409, 'release_changed', ['Changed later', 'Unpublished']]);
    expect(await scene.title(same)).toBe('Same');
    expect((await scene.read(id)).status).toBe('published');
  });

  it('refuses where a published entry was deleted', async () => {
    const [deleted, kept] = [await scene.article(), await scene.article({ title: 'Kept' })];
    const { id } = await scene.release([entryItem(deleted), entryItem(kept)]);
    await scene.published(id);
    await scene.data(scene.desk.delete(`/entries/${deleted.id}`));
    expect(await changedItems(id)).toEqual([409, 'release_changed', [null]]);
    expect(await scene.title(kept)).toBe('Kept');
  });

  it('undoes a later release before an earlier one, and then leaves what was there first', async () => {
    const article = await scene.article({ title: 'Zero' });
    await scene.publishEntry(article);
    const before = await scene.live(article);
    const ids: string[] = [];
    for (const title of ['One', 'Two']) {
      await scene.edit(article, { fields: { title } });
      const { id } = await scene.release([entryItem(article)]);
      await scene.published(id);
      ids.push(id);
    }
    const [first = '', second = ''] = ids;
    expect(await changedItems(first)).toEqual([409, 'release_changed', ['Two']]);
    await scene.data(scene.rollback(second));
    expect(await scene.title(article)).toBe('One');
    await scene.data(scene.rollback(first));
    expect(await scene.live(article)).toEqual(before);
  });

  it('does not undo what an item found as it is', async () => {
    const article = await scene.article({ title: 'Live before' });
    await scene.publishEntry(article);
    const { id } = await scene.release([entryItem(article)]);
    expect((await scene.published(id)).meta.changes).toEqual([]);
    await scene.edit(article, { fields: { title: 'Live since' } });
    await scene.publishEntry(article);
    await scene.data(scene.rollback(id));
    expect(await scene.title(article)).toBe('Live since');
  });

  it('puts back redirects, nodes and files', async () => {
    const { project } = scene.desk;
    const base = unique();
    const redirects = async () => {
      const { data } = await scene.ok<{ data: { id: string; source: string; target: string }[] }>(
        scene.desk.get(`/redirects?q=${base}-r&orderBy=source:asc`),
      );
      return data.map(({ id, source, target }) => [id, source, target]);
    };
    const make = (name: string) =>
      scene.data<{ id: string }>(
        scene.desk.post('/redirects', { siteId: project.siteId, source: `/${base}-r-${name}`, target: '/a' }),
        201,
      );
    const [updated, deleted] = [await make('updated'), await make('deleted')];
    const [folder, page, sibling] = [
      await createLivePage(app(), project, { slug: `${base}-folder` }),
      await createLivePage(app(), project, { slug: `${base}-page` }),
      await createLivePage(app(), project, { slug: `${base}-sibling` }),
    ];
    const [asset, other] = [
      await uploadAsset(app(), project, { file: textFile() }),
      await uploadAsset(app(), project, { file: textFile() }),
    ];
    const places = async () => {
      const { data } = await scene.ok<{ data: { id: string; parentId: string | null }[] }>(
        scene.desk.get(`/tree/${project.siteSlug}?flat=true`),
      );
      return data.map(({ id, parentId }) => [id, parentId]);
    };
    const before = [await redirects(), await places()];
    const { id } = await scene.release([
      {
        kind: 'redirect',
        action: 'create',
        redirect: { siteId: project.siteId, source: `/${base}-r-new`, target: '/b' },
      },
      { kind: 'redirect', action: 'update', redirectId: updated.id, redirect: { target: '/c' } },
      { kind: 'redirect', action: 'delete', redirectId: deleted.id },
      { kind: 'treeMove', nodeId: page.treeNodeId, parentId: folder.treeNodeId },
      { kind: 'media', assetId: asset.id, replacementAssetId: other.id },
    ]);
    await scene.published(id);
    expect([await redirects(), await places()]).not.toEqual(before);
    await scene.data(scene.rollback(id));
    expect([await redirects(), await places()]).toEqual(before);
    expect(await scene.route(`/${base}-page`)).toBe(page.id);
    expect(await scene.route(`/${base}-sibling`)).toBe(sibling.id);
    const { checksum } = await scene.data<{ checksum: string }>(scene.desk.get(`/media/${asset.id}`));
    expect(checksum).toBe(asset.checksum);
  });

  it('refuses where redirects, nodes or files have changed since', async () => {
    const { project } = scene.desk;
    const base = unique();
    const [folder, page] = [
      await createLivePage(app(), project, { slug: `${base}-folder` }),
      await createLivePage(app(), project, { slug: `${base}-page` }),
    ];
    const [asset, other, third] = [
      await uploadAsset(app(), project, { file: textFile() }),
      await uploadAsset(app(), project, { file: textFile() }),
      await uploadAsset(app(), project, { file: textFile() }),
    ];
    const source = `/${base}-r`;
    const { id } = await scene.release([
      { kind: 'redirect', action: 'create', redirect: { siteId: project.siteId, source, target: '/b' } },
      { kind: 'treeMove', nodeId: page.treeNodeId, parentId: folder.treeNodeId },
      { kind: 'media', assetId: asset.id, replacementAssetId: other.id },
    ]);
    await scene.published(id);
    const [redirect] = await scene.data<{ id: string }[]>(scene.desk.get(`/redirects?q=${base}-r`));
    await scene.data(scene.desk.put(`/redirects/${redirect?.id ?? ''}`, { target: '/d' }));
    await scene.data(scene.desk.post(`/tree/nodes/${page.treeNodeId}/move`, { parentId: null }));
    const later = await scene.release([{ kind: 'media', assetId: asset.id, replacementAssetId: third.id }]);
    await scene.published(later.id);
    expect(await changedItems(id)).toEqual([
      409,
      'release_changed',
      [source, `Page ${base}-page`, third.fileName],
    ]);
    expect(await scene.route(source)).toBe('→ /d');
  });
});
