import { beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../../support/call.js';
import { createType } from '../../support/factories/content.js';
import { textFile, uploadAsset } from '../../support/factories/media.js';
import { createLivePage, createPage } from '../../support/factories/tree.js';
import { unique } from '../../support/factories/project.js';
import { useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { entryItem, failure, ReleaseDesk } from './release-desk.js';

const app = useApp();
let scene: ReleaseDesk;

beforeAll(async () => {
  scene = await ReleaseDesk.open(app());
  await createType(app(), scene.desk.project, {
    apiName: 'menu',
    fields: [
      { apiName: 'title', type: 'text' },
      {
        apiName: 'keeps',
        type: 'reference',
        settings: { contentTypes: ['article'], onTargetUnpublish: 'restrict' },
      },
    ],
  });
});

describe('changes of one release', () => {
  verifies('publication/release-publish');

  it('publishes together what cannot be published one by one', async () => {
    const code = unique();
    const [held, taker] = [
      await scene.article({ title: 'Held', code }),
      await scene.article({ title: 'Taker', code }),
    ];
    await scene.publishEntry(held);
    const kept = await scene.article({ title: 'Kept' });
    await scene.publishEntry(kept);
    const { project } = scene.desk;
    const menu = await must<{ id: string }>(app(), {
      method: 'POST',
      path: `${project.management}/entries`,
      key: project.keys.management,
      body: {
        contentTypeApiName: 'menu',
        siteId: project.siteId,
        fields: { title: 'M', keeps: { _ref: kept.id } },
      },
    });
    await scene.publishEntry(menu);
    await scene.edit(menu, { fields: { keeps: null } });
    const { id } = await scene.release([
      entryItem(taker),
      entryItem(kept, { action: 'unpublish' }),
      entryItem(menu),
      entryItem(held, { action: 'unpublish' }),
    ]);
    await scene.published(id);
    expect(await Promise.all([held, taker, kept].map((one) => scene.title(one)))).toEqual([
      undefined,
      'Taker',
      undefined,
    ]);
  });

  it('lets a page take the path that another leaves, and refuses two pages with one path', async () => {
    const { project } = scene.desk;
    const slug = unique();
    const page = await createLivePage(app(), project, { slug: `${slug}-a` });
    await scene.edit(page, { slug: `${slug}-c` });
    await scene.publishEntry(page);
    const other = await createLivePage(app(), project, { slug: `${slug}-b` });
    await scene.edit(other, { slug: `${slug}-a` });
    await scene.publishEntry(other);
    const alone = await scene.release([entryItem(page, { pinnedVersion: 1 })]);
    expect(failure(await scene.publish(alone.id))).toMatchObject({ status: 422, codes: ['slug_conflict'] });
    const { id } = await scene.release([page, other].map((one) => entryItem(one, { pinnedVersion: 1 })));
    const { meta } = await scene.published(id);
    expect(meta.changes.map(({ change, from, to }) => [change, from, to])).toEqual([
      ['moved', `/${slug}-c`, `/${slug}-a`],
      ['moved', `/${slug}-a`, `/${slug}-b`],
    ]);
    expect(await scene.route(`/${slug}-a`)).toBe(page.id);
    expect(await scene.route(`/${slug}-b`)).toBe(other.id);
    await scene.data(scene.rollback(id));
    expect(await scene.route(`/${slug}-c`)).toBe(page.id);
    expect(await scene.route(`/${slug}-a`)).toBe(other.id);
  });

  it('changes redirects, moves pages with those below them, and replaces files', async () => {
    const { project } = scene.desk;
    const base = unique();
    const make = (name: string) =>
      scene.data<{ id: string }>(
        scene.desk.post('/redirects', { siteId: project.siteId, source: `/${base}-${name}`, target: '/a' }),
        201,
      );
    const [updated, deleted] = [await make('updated'), await make('deleted')];
    const [folder, page] = [
      await createLivePage(app(), project, { slug: `${base}-folder` }),
      await createLivePage(app(), project, { slug: `${base}-page` }),
    ];
    const below = await createLivePage(app(), project, { slug: 'below', treeParentId: page.treeNodeId });
    const [asset, other] = [
      await uploadAsset(app(), project, { file: textFile() }),
      await uploadAsset(app(), project, { file: textFile() }),
    ];
    const source = `/${base}-created`;
    const { id } = await scene.release([
      { kind: 'redirect', action: 'create', redirect: { siteId: project.siteId, source, target: '/b' } },
      { kind: 'redirect', action: 'update', redirectId: updated.id, redirect: { target: '/c' } },
      { kind: 'redirect', action: 'delete', redirectId: deleted.id },
      { kind: 'treeMove', nodeId: page.treeNodeId, parentId: folder.treeNodeId },
      { kind: 'media', assetId: asset.id, replacementAssetId: other.id },
    ]);
    const moved = `/${base}-folder/${base}-page`;
    const plan = [
      ['redirect', 'added', source, '/b'],
      ['redirect', 'updated', `/${base}-updated`, '/c'],
      ['redirect', 'removed', `/${base}-deleted`, null],
      ['media', 'updated', null, null],
      ['entry', 'moved', `/${base}-page`, moved],
      ['entry', 'moved', `/${base}-page/below`, `${moved}/below`],
    ];
    const shown = ({ meta }: Awaited<ReturnType<typeof scene.published>>) =>
      meta.changes.map(({ kind, change, from, to }) => [kind, change, from, to]);
    const dry = await scene.published(id, { dryRun: true });
    expect([dry.data.status, shown(dry)]).toEqual(['open', plan]);
    expect(await scene.route(`/${base}-page`)).toBe(page.id);
    expect(await scene.route(source)).toBe('route_not_found');
    expect(shown(await scene.published(id))).toEqual(plan);
    expect(await scene.route(source)).toBe('→ /b');
    expect(await scene.route(`/${base}-updated`)).toBe('→ /c');
    expect(await scene.route(`/${base}-deleted`)).toBe('route_not_found');
    expect(await scene.route(`${moved}/below`)).toBe(below.id);
    expect(await scene.route(`/${base}-page/below`)).toBe(`→ ${moved}/below`);
    const replaced = await scene.data<{ checksum: string }>(scene.desk.get(`/media/${asset.id}`));
    expect(replaced.checksum).toBe(other.checksum);
  });

  it('refuses redirects, nodes and assets that cannot be changed any more, each by name', async () => {
    const { project } = scene.desk;
    const redirect = await scene.data<{ id: string }>(
      scene.desk.post('/redirects', { siteId: project.siteId, source: `/${unique()}`, target: '/a' }),
      201,
    );
    const page = await createPage(app(), project, { slug: unique() });
    const good = await scene.article();
    const { id, items } = await scene.release([
      entryItem(good),
      { kind: 'redirect', action: 'delete', redirectId: redirect.id },
      { kind: 'treeMove', nodeId: page.treeNodeId, parentId: null, position: 0 },
    ]);
    await scene.data(scene.desk.delete(`/redirects/${redirect.id}`));
    await scene.data(scene.desk.delete(`/entries/${page.id}`));
    const refused = await scene.publish(id);
    expect(failure(refused)).toMatchObject({ codes: ['tree_node_not_found', 'redirect_not_found'] });
    const { details } = refused.body as { details: { items: { itemId: string }[] } };
    expect(details.items.map(({ itemId }) => itemId)).toEqual([items[2]?.id, items[1]?.id]);
    expect(await scene.live(good)).toBeUndefined();
  });
});
