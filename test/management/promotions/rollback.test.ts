import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { StoredFileRepository } from '../../../src/features/media/media/index.js';
import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { send } from '../../support/call.js';
import { stateOf } from '../../support/environment-state.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import { uploadAsset } from '../../support/factories/media.js';
import type { TestProject } from '../../support/factories/project.js';
import { createFolder, createLivePage, createPage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { Caller, projectWithArticle } from './articles.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let main: TestProject;
let branch: TestProject & { environment: string };
let article: TestEntry;

beforeEach(async () => {
  ({ main, article } = await projectWithArticle(app(), { unique: true }));
  await createPageType(app(), main);
  await publish(app(), main, article.id);
});

const by = new Caller(() => app());
const read = (id: string) => by.read(main, id);

const promote = (body: object = {}) =>
  by.call<Promotion>(main, 'POST', `/environments/${branch.environment}/promote`, { mode: 'full', ...body });

const differences = () => by.call<unknown[]>(main, 'GET', `/environments/${branch.environment}/diff`);

const rollback = (promotionId: string | null, slug = 'main') =>
  send(app(), {
    method: 'POST',
    path: `${main.management}/environments/${slug}/rollback`,
    key: main.keys.management,
    body: { promotionId },
  });

const rolledBack = { data: { status: 'rolled_back', target: 'main' } };
const delivered = async () =>
  (
    await send(app(), {
      method: 'GET',
      path: `${main.delivery}/entries/${article.id}`,
      key: main.keys.delivery,
    })
  ).body;

/** Whether a sweep of the storage keeps the file of the asset, which the branch of the default environment deleted. */
async function isNamed(assetId: string): Promise<boolean> {
  const [row] = await app().rows<{ key: string }>(
    main.tenantId,
    "SELECT before ->> 'storage_key' AS key FROM promoted_rows WHERE table_name = 'media_assets' AND key ->> 'id' = $1",
    [assetId],
  );
  const key = row?.key ?? '';
  const scope = { ...systemScope({ command: 'tests' }), tenantId: main.tenantId };
  const request = { scope, isReadOnly: true, lock: 'none' } as const;
  const named = await app().composition.services.units.run(request, (work) =>
    work.use(StoredFileRepository).named([key]),
  );
  return named.has(key);
}

/** Created, moved, renamed, deleted and published items of every kind. */
async function redesign(): Promise<{ fileId: string }> {
  const about = await createLivePage(app(), main, { slug: 'about' });
  const old = await createLivePage(app(), main, { slug: 'old' });
  await createPage(app(), main, { slug: 'team', treeParentId: about.treeNodeId });
  const files = await by.call(main, 'POST', '/media/folders', { name: 'files' });
  const file = await uploadAsset(app(), main);
  const gone = await by.call(main, 'POST', '/redirects', {
    siteId: main.siteId,
    source: '/g',
    target: '/old',
  });
  branch = await branchOf(app(), main);
  const folder = await createFolder(app(), branch, { slug: 'company' });
  await by.call(branch, 'POST', `/tree/nodes/${about.treeNodeId}/move`, { parentId: folder.id });
  await by.call(branch, 'DELETE', `/entries/${old.id}`);
  await createLivePage(app(), branch, { slug: 'old' });
  await by.call(branch, 'POST', '/redirects', { siteId: main.siteId, source: '/x', target: '/company/team' });
  await by.call(branch, 'DELETE', `/redirects/${gone.id}`);
  await by.call(branch, 'DELETE', `/media/${file.id}`);
  const above = await by.call(branch, 'POST', '/media/folders', { name: 'above' });
  await by.call(branch, 'PUT', `/media/folders/${files.id}`, { parentId: above.id });
  await by.call(branch, 'POST', '/content-types/author/rename', { apiName: 'writer' });
  await by.call(branch, 'POST', '/content-types/article/fields/title/rename', { apiName: 'headline' });
  await by.call(branch, 'DELETE', '/content-types/article/fields/code?force=true');
  await createType(app(), branch, { apiName: 'event', fields: [{ apiName: 'day', type: 'date' }] });
  const event = await createEntry(app(), branch, {
    contentTypeApiName: 'event',
    fields: { day: '2026-01-01' },
  });
  await by.edit(branch, article.id, { headline: 'Two' });
  await publish(app(), branch, article.id);
  await publish(app(), branch, event.id);
  return { fileId: file.id };
}

describe('rollback', () => {
  verifies('environments/rollback');

  it('restores read model, tree, paths, redirects and schema byte for byte', async () => {
    const { fileId } = await redesign();
    const [before, ahead, shown] = [
      await stateOf(app(), main, 'main'),
      await differences(),
      await delivered(),
    ];
    const { promotionId, rollbackAvailable } = await promote({ publish: true });
    expect(rollbackAvailable).toBe(true);
    expect(await stateOf(app(), main, 'main')).not.toEqual(before);
    expect(await delivered()).not.toEqual(shown);
    expect(await isNamed(fileId)).toBe(true);
    expect((await rollback(promotionId)).body).toMatchObject(rolledBack);
    expect(await stateOf(app(), main, 'main')).toEqual(before);
    expect(await delivered()).toEqual(shown);
    expect(await differences()).toEqual(ahead);
    expect((await rollback(promotionId)).body).toMatchObject({ error: 'promotion_rolled_back' });
    await by.edit(main, article.id, { title: 'Later' });
    expect((await read(article.id)).fields).toMatchObject({ title: 'Later', code: 'c' });
    await by.edit(main, article.id, { title: 'One' });
    await promote({ publish: true });
    expect((await read(article.id)).fields).toMatchObject({ headline: 'Two' });
  });

  it('goes back through several promotions, the last first', async () => {
    branch = await branchOf(app(), main);
    const before = await stateOf(app(), main, 'main');
    await by.edit(branch, article.id, { title: 'Two' });
    const first = await promote({ publish: true });
    await by.edit(branch, article.id, { title: 'Three' });
    const second = await promote();
    expect((await rollback(first.promotionId)).body).toMatchObject({
      error: 'rollback_conflict',
      details: { items: [{ kind: 'entry', id: article.id }] },
    });
    expect((await rollback(second.promotionId)).body).toMatchObject(rolledBack);
    expect((await read(article.id)).fields).toMatchObject({ title: 'Two' });
    expect((await rollback(first.promotionId)).body).toMatchObject(rolledBack);
    expect(await stateOf(app(), main, 'main')).toEqual(before);
  });

  it('happens once if it is called twice at once', async () => {
    branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two' });
    const { promotionId } = await promote();
    const both = await Promise.all([rollback(promotionId), rollback(promotionId)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'promotion_rolled_back' });
  });

  it('leaves no way back after a dry run', async () => {
    branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two' });
    expect(await promote({ dryRun: true })).toMatchObject({ promotionId: null, rollbackAvailable: false });
    expect((await rollback('0195d0a0-0000-7000-8000-000000000000')).status).toBe(404);
  });
});

describe('refusal', () => {
  it('lists what changed since and what uses what was created, and changes nothing', async () => {
    branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two' });
    const author = await createEntry(app(), branch, {
      contentTypeApiName: 'author',
      fields: { name: 'Bob' },
    });
    const { promotionId } = await promote();
    const user = await createEntry(app(), main, {
      contentTypeApiName: 'article',
      fields: { title: 'Uses it', author: { _ref: author.id } },
    });
    expect((await rollback(promotionId)).body).toMatchObject({
      error: 'rollback_conflict',
      details: { items: [{ kind: 'entry', id: user.id }], total: 1 },
    });
    await by.edit(main, article.id, { teaser: 'Later' });
    const before = await stateOf(app(), main, 'main');
    expect((await rollback(promotionId)).body).toMatchObject({ details: { total: 2 } });
    expect(await stateOf(app(), main, 'main')).toEqual(before);
    expect((await rollback(promotionId, branch.environment)).body).toMatchObject({
      error: 'promotion_not_found',
    });
  });

  it('lists entries with values of fields that were renamed, and with values that became free', async () => {
    branch = await branchOf(app(), main);
    await by.call(branch, 'POST', '/content-types/article/fields/title/rename', { apiName: 'headline' });
    const renamed = await promote();
    const since = await createEntry(app(), main, {
      contentTypeApiName: 'article',
      fields: { headline: 'New' },
    });
    expect((await rollback(renamed.promotionId)).body).toMatchObject({
      details: { items: [{ kind: 'entry', id: since.id }], total: 1 },
    });
    await by.edit(branch, article.id, { code: 'd' });
    await publish(app(), branch, article.id);
    const freed = await promote({ publish: true });
    await by.edit(main, since.id, { code: 'c' });
    await publish(app(), main, since.id);
    expect((await rollback(freed.promotionId)).body).toMatchObject({
      details: { items: [{ kind: 'entry', id: since.id }], total: 1 },
    });
  });

  it('lists nodes whose former parent is gone', async () => {
    const parent = await createFolder(app(), main, { slug: 'parent' });
    const page = await createPage(app(), main, { slug: 'page', treeParentId: parent.id });
    branch = await branchOf(app(), main);
    await by.call(branch, 'POST', `/tree/nodes/${page.treeNodeId}/move`, { parentId: null });
    const { promotionId } = await promote();
    await by.call(main, 'DELETE', `/tree/nodes/${parent.id}`);
    expect((await rollback(promotionId)).body).toMatchObject({
      error: 'rollback_conflict',
      details: { items: [{ kind: 'treeNode', id: page.treeNodeId }], total: 1 },
    });
  });

  it('restores a branch that was brought up to date', async () => {
    branch = await branchOf(app(), main);
    await by.edit(main, article.id, { title: 'Two' });
    const { environment } = branch;
    const body = { mode: 'full', target: environment };
    const { promotionId } = await by.call<Promotion>(main, 'POST', '/environments/main/promote', body);
    expect((await rollback(promotionId, environment)).body).toMatchObject({
      data: { promotionId, source: 'main', target: environment },
    });
    expect(await differences()).toHaveLength(1);
  });

  it('asks for confirmation in a protected environment', async () => {
    branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two' });
    const { promotionId } = await promote();
    await by.call(main, 'PUT', '/environments/main', { isProtected: true });
    expect((await rollback(promotionId)).body).toMatchObject({ error: 'confirmation_required' });
    expect((await read(article.id)).fields).toMatchObject({ title: 'Two' });
  });
});
