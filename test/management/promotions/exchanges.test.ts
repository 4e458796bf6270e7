import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { send } from '../../support/call.js';
import { useApp } from '../../support/desk.js';
import { stateOf } from '../../support/environment-state.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, publish, type TestEntry } from '../../support/factories/content.js';
import { createLivePage, createFolder, createPageType } from '../../support/factories/tree.js';
import type { TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { Caller, projectWithArticle } from './articles.js';

const app = useApp();
const by = new Caller(app);

let main: TestProject;
let branch: TestProject & { environment: string };

beforeEach(async () => {
  ({ main } = await projectWithArticle(app()));
  await createPageType(app(), main);
});

const article = (at: TestProject, slug: string) =>
  createEntry(app(), at, { contentTypeApiName: 'article', fields: { title: slug }, slug });

async function rename(at: TestProject, id: string, slug: string, locale?: string): Promise<void> {
  const { version } = await by.read(at, id, locale);
  await by.call(at, 'PUT', `/entries/${id}`, { version, slug, ...(locale && { locale }) });
}

/** @param isLive a published page keeps its path until its new slug is published */
async function swap(
  at: TestProject,
  [a, b]: readonly [TestEntry, TestEntry],
  { locale, isLive = false }: { locale?: string; isLive?: boolean } = {},
): Promise<void> {
  const [first, second] = [await by.read(at, a.id, locale), await by.read(at, b.id, locale)];
  const steps = [
    [a, 'aside'],
    [b, first.slug],
    [a, second.slug],
  ] as const;
  for (const [{ id }, slug] of steps) {
    await rename(at, id, slug, locale);
    if (isLive) await publish(app(), at, id);
  }
}

async function identify(
  at: TestProject,
  pair: readonly TestEntry[],
  externalIds: readonly (string | null)[],
): Promise<void> {
  for (const [index, { id }] of pair.entries()) {
    const { version } = await by.read(at, id);
    await by.call(at, 'PUT', `/entries/${id}`, { version, externalId: externalIds[index] });
  }
}

const promote = (body: object = {}) =>
  by.call<Promotion>(main, 'POST', `/environments/${branch.environment}/promote`, { mode: 'full', ...body });

const differences = () =>
  by.call<{ kind: string }[]>(main, 'GET', `/environments/${branch.environment}/diff`);

const slugs = async (ids: readonly TestEntry[], locale?: string) =>
  Promise.all(ids.map(async ({ id }) => (await by.read(main, id, locale)).slug));

const route = async (path: string): Promise<unknown> => {
  const at = `${main.delivery}/routes?path=${path}`;
  const { body } = await send(app(), { method: 'GET', path: at, key: main.keys.delivery });
  const { data } = body as { data: { kind: string; entry?: { _id: string }; target?: string } };
  return data.entry?._id ?? data.target;
};

describe('values that items of one promotion exchange', () => {
  verifies('environments/promotion-merge');

  it('are slugs and external ids of entries, and a rollback gives them back', async () => {
    const pair = [await article(main, 'x'), await article(main, 'y')] as const;
    await Promise.all(pair.map(({ id }) => publish(app(), main, id)));
    await identify(main, pair, ['1', '2']);
    branch = await branchOf(app(), main);
    await swap(branch, pair);
    await identify(branch, pair, [null, null]);
    await identify(branch, pair, ['2', '1']);
    const before = await stateOf(app(), main, 'main');
    const { promotionId } = await promote({ publish: true });
    expect(await slugs(pair)).toEqual(['y', 'x']);
    expect(await differences()).toEqual([]);
    await by.call(main, 'POST', '/environments/main/rollback', { promotionId });
    expect(await stateOf(app(), main, 'main')).toEqual(before);
  });

  it('are slugs of one locale, whose entries have others in common', async () => {
    const pair = [await article(main, 'x'), await article(main, 'y')] as const;
    for (const [index, { id }] of pair.entries()) {
      await by.edit(main, id, { title: 'Titel' }, 'de');
      await rename(main, id, `de-${index}`, 'de');
    }
    branch = await branchOf(app(), main);
    await swap(branch, pair, { locale: 'de' });
    await swap(branch, pair);
    const items = pair.map(({ id }) => ({ kind: 'entry', id, locales: ['de'] }));
    await promote({ mode: 'cherryPick', items });
    expect([await slugs(pair, 'de'), await slugs(pair)]).toEqual([
      ['de-1', 'de-0'],
      ['x', 'y'],
    ]);
  });

  it('are slugs of entries that are deleted or enter the tree', async () => {
    const [gone, home] = [await article(main, 'gone'), await article(main, 'home')];
    branch = await branchOf(app(), main);
    await by.call(branch, 'DELETE', `/entries/${gone.id}`);
    await by.call(branch, 'POST', '/tree/nodes', { siteId: main.siteId, entryId: home.id });
    const fresh = [await article(branch, 'gone'), await article(branch, 'home')];
    await promote();
    expect(await slugs(fresh)).toEqual(['gone', 'home']);
    expect(await differences()).toEqual([]);
  });

  it('are paths of pages that are published, with their redirects', async () => {
    const folder = await createFolder(app(), main, { slug: 'more' });
    const [a, b] = [
      await createLivePage(app(), main, { slug: 'a' }),
      await createLivePage(app(), main, { slug: 'b' }),
    ];
    const c = await createLivePage(app(), main, { slug: 'a', treeParentId: folder.id });
    branch = await branchOf(app(), main);
    await swap(branch, [a, b], { isLive: true });
    await rename(branch, c.id, 'd');
    await publish(app(), branch, c.id);
    await by.call(branch, 'POST', `/tree/nodes/${b.treeNodeId}/move`, { parentId: folder.id });
    const before = await stateOf(app(), main, 'main');
    const { promotionId } = await promote({ publish: true });
    const routes = await Promise.all(['/b', '/more/a', '/more/d', '/a'].map(route));
    expect(routes).toEqual([a.id, b.id, c.id, '/more/a']);
    expect((await differences()).filter(({ kind }) => kind !== 'redirect')).toEqual([]);
    await by.call(main, 'POST', '/environments/main/rollback', { promotionId });
    expect(await stateOf(app(), main, 'main')).toEqual(before);
  });

  it('are sources of redirects', async () => {
    const { siteId } = main;
    const pair = [];
    for (const source of ['/x', '/y'])
      pair.push(await by.call(main, 'POST', '/redirects', { siteId, source, target: '/end' }));
    branch = await branchOf(app(), main);
    for (const [index, source] of [
      [0, '/aside'],
      [1, '/x'],
      [0, '/y'],
    ] as const)
      await by.call(branch, 'PUT', `/redirects/${pair[index]?.id ?? ''}`, { source });
    const before = await stateOf(app(), main, 'main');
    const { promotionId } = await promote();
    const found = await Promise.all(
      pair.map(async ({ id }) => (await by.call<{ source: string }>(main, 'GET', `/redirects/${id}`)).source),
    );
    expect(found).toEqual(['/y', '/x']);
    await by.call(main, 'POST', '/environments/main/rollback', { promotionId });
    expect(await stateOf(app(), main, 'main')).toEqual(before);
  });

  it('are refused where one of them stays', async () => {
    const pair = [await article(main, 'x'), await article(main, 'y')] as const;
    branch = await branchOf(app(), main);
    await swap(branch, pair);
    const path = `${main.management}/environments/${branch.environment}/promote`;
    const body = { mode: 'cherryPick', items: [{ kind: 'entry', id: pair[0].id }] };
    const refused = await send(app(), { method: 'POST', path, key: main.keys.management, body });
    expect([refused.status, refused.body]).toMatchObject([409, { error: 'slug_conflict' }]);
    expect(await slugs(pair)).toEqual(['x', 'y']);
  });
});
