import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { must, send } from '../../support/call.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, createType, publish, type TestEntry } from '../../support/factories/content.js';
import {
  createFolder,
  createLivePage,
  createPage,
  createPageType,
  flatTree,
} from '../../support/factories/tree.js';
import type { TestProject } from '../../support/factories/project.js';
import { Caller, projectWithArticle } from './articles.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let main: TestProject;
let branch: TestProject & { environment: string };
let article: TestEntry;

beforeEach(async () => {
  ({ main, article } = await projectWithArticle(app()));
  await createPageType(app(), main);
  await publish(app(), main, article.id);
});

const by = new Caller(() => app());

const ask = (body: object, source = branch.environment) =>
  send(app(), {
    method: 'POST',
    path: `${main.management}/environments/${source}/promote`,
    key: main.keys.management,
    body,
  });

async function promote(body: object = { mode: 'full' }, source = branch.environment): Promise<Promotion> {
  const response = await ask(body, source);
  expect(response.body).toMatchObject({ data: expect.anything() });
  return (response.body as { data: Promotion }).data;
}

async function differences(): Promise<unknown[]> {
  const path = `${main.management}/environments/${branch.environment}/diff`;
  return must<unknown[]>(app(), { method: 'GET', path, key: main.keys.management });
}

describe('merge', () => {
  it('carries values by field and locale and keeps what only the target changed', async () => {
    branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two', code: 'd' });
    await by.edit(branch, article.id, { title: 'Zwei' }, 'de');
    await by.edit(main, article.id, { teaser: 'U' });
    const promotion = await promote();
    expect(promotion).toMatchObject({
      status: 'succeeded',
      target: 'main',
      summary: { updated: 1, created: 0 },
    });
    expect((await by.read(main, article.id)).fields).toMatchObject({ title: 'Two', teaser: 'U', code: 'd' });
    expect((await by.read(main, article.id, 'de')).fields).toMatchObject({ title: 'Zwei' });
    expect((await by.read(main, article.id)).status).toBe('changed');
    expect(await differences()).toMatchObject([{ change: 'none', values: [{ field: 'teaser' }] }]);
    expect((await promote()).summary).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 });
    await promote({ mode: 'full', target: branch.environment }, 'main');
    expect(await differences()).toEqual([]);
  });

  it('creates, moves and deletes items of every kind and publishes on request', async () => {
    const [about, old] = [
      await createLivePage(app(), main, { slug: 'about' }),
      await createLivePage(app(), main, { slug: 'old' }),
    ];
    branch = await branchOf(app(), main);
    const folder = await createFolder(app(), branch, { slug: 'company' });
    await by.call(branch, 'POST', `/tree/nodes/${about.treeNodeId}/move`, { parentId: folder.id });
    const fresh = await createPage(app(), branch, { slug: 'team', treeParentId: folder.id });
    await publish(app(), branch, fresh.id);
    await by.call(branch, 'DELETE', `/entries/${old.id}`);
    await by.call(branch, 'POST', '/redirects', {
      siteId: main.siteId,
      source: '/x',
      target: '/company/team',
    });
    await createType(app(), branch, { apiName: 'event', fields: [{ apiName: 'day', type: 'date' }] });
    await createEntry(app(), branch, { contentTypeApiName: 'event', fields: { day: '2026-01-01' } });
    await promote({ mode: 'full', publish: true });
    const [inMain, inBranch] = [await flatTree(app(), main), await flatTree(app(), branch)];
    const shape = (nodes: typeof inMain) =>
      nodes.map(({ id, parentId, slug, path, position }) => ({ id, parentId, slug, path, position }));
    expect(shape(inMain)).toEqual(shape(inBranch));
    const route = await send(app(), {
      method: 'GET',
      path: `${main.delivery}/routes?path=/company/team`,
      key: main.keys.delivery,
    });
    expect(route.body).toMatchObject({ data: { kind: 'entry', entry: { _id: fresh.id } } });
    const moved = await send(app(), {
      method: 'GET',
      path: `${main.delivery}/routes?path=/about`,
      key: main.keys.delivery,
    });
    expect(moved.body).toMatchObject({ data: { kind: 'redirect', target: '/company/about' } });
    expect(await differences()).toEqual([]);
  });

  it('carries renames as renames', async () => {
    branch = await branchOf(app(), main);
    await by.call(branch, 'POST', '/content-types/author/rename', { apiName: 'writer' });
    await by.call(branch, 'POST', '/content-types/article/fields/title/rename', { apiName: 'headline' });
    await by.call(branch, 'DELETE', '/content-types/article/fields/code?force=true');
    await by.edit(branch, article.id, { headline: 'Two' });
    const other = await createEntry(app(), main, {
      contentTypeApiName: 'article',
      fields: { title: 'Only here' },
    });
    await promote();
    expect((await by.read(main, article.id)).fields).toMatchObject({
      headline: 'Two',
      author: { _type: 'writer' },
    });
    expect((await by.read(main, other.id)).fields).toEqual({ headline: 'Only here' });
    expect(await differences()).toMatchObject([{ kind: 'entry', id: other.id, change: 'none' }]);
    const live = await send(app(), {
      method: 'GET',
      path: `${main.delivery}/entries/${article.id}`,
      key: main.keys.delivery,
    });
    expect(live.body).toMatchObject({ data: { fields: { headline: 'One' } } });
  });
});

describe('conflicts', () => {
  it('fails with base, source and target and resolves by strategy', async () => {
    branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two' });
    await by.edit(main, article.id, { title: 'Three' });
    const refused = await ask({ mode: 'full' });
    expect(refused.body).toMatchObject({
      error: 'environment_conflict',
      details: {
        conflicts: [
          {
            id: article.id,
            values: [{ locale: 'en', field: 'title', base: 'One', source: 'Two', target: 'Three' }],
          },
        ],
      },
    });
    expect(await promote({ mode: 'full', dryRun: true })).toMatchObject({
      status: 'planned',
      conflicts: [{ id: article.id }],
    });
    expect((await promote({ mode: 'full', conflictStrategy: 'target' })).summary.updated).toBe(0);
    expect((await by.read(main, article.id)).fields).toMatchObject({ title: 'Three' });
    await by.edit(branch, article.id, { title: 'Four' });
    await promote({ mode: 'full', conflictStrategy: 'source' });
    expect((await by.read(main, article.id)).fields).toMatchObject({ title: 'Four' });
  });

  it('lists content types that both environments changed', async () => {
    branch = await branchOf(app(), main);
    await by.call(branch, 'PUT', '/content-types/author', { name: 'Writers' });
    await by.call(main, 'PUT', '/content-types/author', { name: 'People' });
    const { status, body } = await ask({ mode: 'full' });
    expect([status, body.details]).toMatchObject([
      409,
      {
        total: 1,
        conflicts: [
          {
            kind: 'contentType',
            name: 'Writers',
            values: [{ field: 'name', source: 'Writers', target: 'People' }],
          },
        ],
      },
    ]);
    const planned = await promote({ mode: 'full', conflictStrategy: 'source', dryRun: true });
    expect(planned.conflicts).toMatchObject([{ kind: 'contentType', name: 'Writers' }]);
  });

  it('changes nothing in a dry run', async () => {
    branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two' });
    const before = await differences();
    expect(await promote({ mode: 'full', dryRun: true })).toMatchObject({
      promotionId: null,
      summary: { updated: 1 },
    });
    expect((await by.read(main, article.id)).fields).toMatchObject({ title: 'One' });
    expect(await differences()).toEqual(before);
  });
});

describe('cherry-pick', () => {
  it('takes the items with what they need, and refuses without', async () => {
    branch = await branchOf(app(), main);
    const author = await createEntry(app(), branch, {
      contentTypeApiName: 'author',
      fields: { name: 'Bob' },
    });
    await by.edit(branch, article.id, { title: 'Two', author: { _ref: author.id } });
    const other = await createEntry(app(), branch, {
      contentTypeApiName: 'article',
      fields: { title: 'Left' },
    });
    const items = [{ kind: 'entry', id: article.id }];
    const refused = await ask({ mode: 'cherryPick', items, includeDependencies: false });
    expect(refused.body).toMatchObject({
      error: 'promotion_incomplete',
      details: { missing: [{ kind: 'entry', id: author.id, neededBy: { id: article.id } }] },
    });
    expect((await promote({ mode: 'cherryPick', items })).summary).toMatchObject({ created: 1, updated: 1 });
    expect((await by.read(main, article.id)).fields).toMatchObject({ author: { _ref: author.id } });
    expect(await differences()).toMatchObject([{ id: other.id, change: 'created' }]);
  });

  it('refuses unknown items, a slug that is taken and a type that differs', async () => {
    branch = await branchOf(app(), main);
    const unknown = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
    expect((await ask({ mode: 'cherryPick', items: [{ kind: 'entry', id: unknown }] })).body).toMatchObject({
      error: 'not_found',
    });
    expect((await ask({ mode: 'cherryPick' })).body).toMatchObject({ error: 'validation_failed' });
    await createEntry(app(), main, { contentTypeApiName: 'article', fields: { title: 'X' }, slug: 'same' });
    const twin = await createEntry(app(), branch, {
      contentTypeApiName: 'article',
      fields: { title: 'Y' },
      slug: 'same',
    });
    expect((await ask({ mode: 'full' })).body).toMatchObject({ error: 'slug_conflict' });
    await by.call(branch, 'DELETE', `/entries/${twin.id}`);
    await by.call(branch, 'POST', '/content-types/article/fields', { apiName: 'note', type: 'text' });
    await by.edit(branch, article.id, { note: 'new' });
    const items = [{ kind: 'entry', id: article.id }];
    expect((await ask({ mode: 'cherryPick', items, includeDependencies: false })).body).toMatchObject({
      error: 'promotion_type_differs',
    });
    await promote({ mode: 'cherryPick', items });
    expect((await by.read(main, article.id)).fields).toMatchObject({ note: 'new' });
  });
});
