import { describe, expect, it } from '@jest/globals';
import { useOwnApp } from '../support/desk.js';
import { sampled } from '../support/extent.js';
import { textFile, uploadAsset } from '../support/factories/media.js';
import { fc } from '../support/properties.js';
import { verifies } from '../support/verifies.js';
import { entryItem } from '../management/releases/release-desk.js';
import { differences, FutureDesk } from './future-desk.js';

const app = useOwnApp();
/** Every answer is read several times. */
const TIMEOUT_MS = 300_000;

describe('release= on delivery', () => {
  verifies('publication/future');

  it(
    'returns on every surface what is returned once the release is published, and changes nothing',
    async () => {
      const desk = await FutureDesk.open(app());
      const { scene, project } = desk;
      const redirect = (name: string) =>
        scene.data<{ id: string }>(
          scene.desk.post('/redirects', { siteId: project.siteId, source: `/${name}`, target: '/old' }),
          201,
        );
      const [updated, deleted] = [await redirect('updated'), await redirect('deleted')];
      const [folder, page, other] = [
        await desk.livePage('folder'),
        await desk.livePage('page'),
        await desk.livePage('other'),
      ];
      const below = await desk.livePage('below', page);
      await scene.edit(other, { slug: 'renamed', fields: { title: 'Renamed' } });
      const [asset, replacement] = [
        await uploadAsset(app(), project, { file: textFile() }),
        await uploadAsset(app(), project, { file: textFile() }),
      ];
      desk.watchAsset(asset);
      const [kept, leaving, pinned, shown] = [
        await desk.article({ title: 'Kept', rank: 1 }),
        await desk.article({ title: 'Leaving', rank: 2 }),
        await desk.article({ title: 'Version one', rank: 3, intro: 'new words' }),
        await desk.article({ title: 'Never', rank: 4 }),
      ];
      for (const article of [kept, leaving]) await scene.publishEntry(article);
      await scene.edit(pinned, { fields: { title: 'Version two' } });
      const article = await desk.article({
        title: 'A new article',
        intro: 'Introduction',
        rank: 5,
        picture: { _ref: asset.id },
        related: [{ _ref: kept.id }, { _ref: leaving.id }, { _ref: shown.id }, { _ref: other.id }],
      });
      await scene.edit(article, { locale: 'de', fields: { title: 'Ein neuer Artikel' } });
      desk.watch(below, '/page', '/page/below', '/folder/page', '/folder/page/below', '/other', '/renamed');
      desk.watch(page, '/updated', '/deleted', '/created', '/de/page');
      const { id } = await scene.release([
        entryItem(article),
        entryItem(article, { locale: 'de' }),
        entryItem(pinned, { pinnedVersion: 1 }),
        entryItem(leaving, { action: 'unpublish' }),
        entryItem(other),
        { kind: 'treeMove', nodeId: page.treeNodeId, parentId: folder.treeNodeId },
        { kind: 'media', assetId: asset.id, replacementAssetId: replacement.id },
        {
          kind: 'redirect',
          action: 'create',
          redirect: { siteId: project.siteId, source: '/created', target: '/b' },
        },
        { kind: 'redirect', action: 'update', redirectId: updated.id, redirect: { target: '/c' } },
        { kind: 'redirect', action: 'delete', redirectId: deleted.id },
      ]);
      const before = await desk.answers();
      const preview = await desk.answers({ release: id });
      expect(differences(await desk.answers(), before)).toEqual({});
      await scene.published(id);
      const after = await desk.answers();
      expect(differences(preview, after)).toEqual({});
      const changed = Object.keys(differences(before, after)).filter((request) => request.includes('en'));
      expect(changed.length).toBeGreaterThan(10);
      expect(differences(await desk.answers({ release: id }), after)).toEqual({});
    },
    TIMEOUT_MS,
  );

  it(
    'returns what random releases publish',
    async () => {
      const step = fc.record({
        of: fc.nat(),
        change: fc.constantFrom('edit', 'translate', 'rename', 'publish', 'nothing'),
        item: fc.constantFrom('publish', 'pin', 'unpublish', 'translation', 'move', 'none'),
        below: fc.nat(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
          const desk = await FutureDesk.open(app());
          const id = await randomRelease(desk, steps);
          const preview = await desk.answers({ release: id });
          const { status } = await desk.scene.publish(id);
          fc.pre(status === 200);
          expect(differences(preview, await desk.answers())).toEqual({});
        }),
        { numRuns: sampled(3, 100) },
      );
    },
    TIMEOUT_MS,
  );
});

interface RandomStep {
  readonly of: number;
  readonly change: string;
  readonly item: string;
  readonly below: number;
}

/** A release of random items, after random changes of articles and pages. */
async function randomRelease(desk: FutureDesk, steps: readonly RandomStep[]): Promise<string> {
  const { scene } = desk;
  const articles = [
    await desk.article({ title: 'One new', rank: 1 }),
    await desk.article({ title: 'Two', rank: 2, intro: 'Intro' }),
  ];
  const top = [await desk.livePage('a'), await desk.livePage('b')];
  const pages = [...top, await desk.livePage('c', top[0]), await desk.livePage('d', top[1])];
  await scene.publishEntry(articles[0]!);
  desk.watch(top[0]!, '/a', '/b', '/a/c', '/b/d', '/b/a', '/a/b', '/b/a/c', '/r0', '/r1', '/r1/c', '/r0/c');
  const entries = [...articles, ...pages];
  const items = new Map<string, object>();
  for (const [at, { of, change, item, below }] of steps.entries()) {
    const entry = entries[of % entries.length]!;
    if (change === 'edit') await scene.edit(entry, { fields: { title: `Edit ${String(at)} new` } });
    if (change === 'translate')
      await scene.edit(entry, { locale: 'de', fields: { title: `Neu ${String(at)}` } });
    if (change === 'rename') await scene.edit(entry, { slug: `r${String(at)}` });
    if (change === 'publish') await scene.publishEntry(entry);
    const key = `${entry.id} en`;
    if (item === 'publish') items.set(key, entryItem(entry));
    if (item === 'pin') items.set(key, entryItem(entry, { pinnedVersion: 1 }));
    if (item === 'unpublish') items.set(key, entryItem(entry, { action: 'unpublish' }));
    if (item === 'translation' && change === 'translate')
      items.set(`${entry.id} de`, entryItem(entry, { locale: 'de' }));
    const [page, parent] = [pages[of % pages.length]!, top[below % top.length]!];
    if (item === 'move' && page !== parent)
      items.set(page.treeNodeId, { kind: 'treeMove', nodeId: page.treeNodeId, parentId: parent.treeNodeId });
  }
  const given = items.size > 0 ? [...items.values()] : [entryItem(articles[1]!)];
  return (await scene.release(given)).id;
}
