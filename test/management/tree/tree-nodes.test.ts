import { beforeEach, describe, expect, test } from '@jest/globals';
import { must, send } from '../../support/call.js';
import { createArticleTypes, createEntry, publish } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import {
  createFolder,
  createLivePage,
  createPage,
  createPageType,
  flatTree,
  onTree,
  type TestNode,
} from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

verifies('routing/tree', 'routing/tree-nodes');

const app = useApp();
let project: TestProject;
beforeEach(async () => {
  project = await createProject(app());
});

const stranger = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const create = (body: object) => onTree(app(), project, { method: 'POST', path: '/nodes', body });
const update = (id: string, body: object) =>
  onTree(app(), project, { method: 'PUT', path: `/nodes/${id}`, body });
const remove = (id: string, query = '') =>
  onTree(app(), project, { method: 'DELETE', path: `/nodes/${id}${query}` });
const article = async () => {
  await createArticleTypes(app(), project);
  return createEntry(app(), project, { contentTypeApiName: 'article', fields: { title: 'Locks' } });
};

describe('POST tree/nodes', () => {
  test('creates a folder, a link and a page and returns their Location', async () => {
    const { id: entryId } = await article();
    const folder = await create({ siteId: project.siteId, name: 'About us' });
    expect(folder.status).toBe(201);
    expect(folder.headers.location).toBe(`${project.management}/tree/nodes/${String(folder.body.data.id)}`);
    expect(folder.body.data).toEqual({
      id: expect.any(String),
      siteId: project.siteId,
      parentId: null,
      entryId: null,
      entryStatus: null,
      type: 'folder',
      name: 'About us',
      slug: 'about-us',
      url: null,
      position: 0,
      depth: 0,
      path: { en: '/about-us', de: '/about-us', fr: '/about-us' },
      hideInMenu: false,
      childCount: 0,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const link = await create({
      siteId: project.siteId,
      name: 'Shop',
      url: 'https://example.com',
      position: 0,
    });
    expect(link.body.data).toMatchObject({ type: 'link', slug: null, position: 0, path: {} });
    const page = await create({ parentId: folder.body.data.id, entryId });
    expect(page.body.data).toMatchObject({
      type: 'page',
      siteId: project.siteId,
      name: 'Locks',
      slug: 'locks',
      depth: 1,
      path: { en: '/about-us/locks' },
    });
    const entry = await send(app(), {
      method: 'GET',
      path: `${project.management}/entries/${entryId}`,
      key: project.keys.management,
    });
    expect(entry.body.data).toMatchObject({
      treeNodeId: page.body.data.id,
      treeParentId: folder.body.data.id,
    });
  });

  test('accepts entries of any site in the global tree and gives them no paths', async () => {
    const { id: entryId } = await article();
    const node = await create({ siteId: null, entryId });
    expect(node.body.data).toMatchObject({ siteId: null, path: {} });
    const global = await onTree(app(), project, { method: 'GET', path: '/global' });
    expect(global.body).toMatchObject({ data: [{ entryId, children: [] }] });
    expect(await flatTree(app(), project)).toEqual([]);
  });

  test('returns 404 when an id in the body does not exist', async () => {
    const answers = [
      await create({ siteId: stranger, slug: 'a' }),
      await create({ parentId: stranger, slug: 'a' }),
      await create({ entryId: stranger }),
    ];
    expect(answers.map(({ status, body }) => [status, body.error, body.details.path])).toEqual([
      [404, 'site_not_found', ['siteId']],
      [404, 'tree_node_not_found', ['parentId']],
      [404, 'entry_not_found', ['entryId']],
    ]);
  });

  test('returns 409 when the entry is already in a tree or the path is taken', async () => {
    const { id: entryId } = await article();
    await create({ siteId: project.siteId, entryId });
    expect((await create({ siteId: null, entryId })).body.error).toBe('entry_in_tree');
    expect((await create({ siteId: project.siteId, slug: 'locks' })).body.error).toBe('slug_conflict');
    expect((await create({ siteId: project.siteId, name: 'Locks' })).body.data.slug).toBe('locks-2');
    await create({ siteId: null, slug: 'a' });
    expect((await create({ siteId: null, slug: 'a' })).body.error).toBe('slug_conflict');
  });

  test('returns 409 when an entry leaves the tree and its slug is taken by type', async () => {
    const first = await article();
    const node = await create({ siteId: project.siteId, entryId: first.id });
    await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'Locks' },
      slug: 'locks',
    });
    expect((await remove(node.body.data.id)).body.error).toBe('slug_conflict');
  });

  test('returns 422 for conflicting keys, invalid URLs and a tree too deep', async () => {
    const { siteId } = project;
    const link = (await create({ siteId, name: 'L', type: 'link' })).body.data as TestNode;
    const wrong = [
      { siteId },
      { siteId, type: 'page', name: 'P' },
      { siteId, type: 'link' },
      { siteId, slug: 'a', url: '/b' },
      { siteId, name: 'L', url: 'javascript:alert(1)' },
      { siteId, slug: 'a/b' },
      { siteId, slug: 'a', position: -1 },
      { siteId, slug: 'a', version: 3 },
      { parentId: link.id, slug: 'a' },
      { siteId: null, parentId: link.id, slug: 'a' },
    ];
    for (const body of wrong)
      expect([body, (await create(body)).body.error]).toEqual([body, 'validation_failed']);
    let parentId: string | null = null;
    for (let depth = 0; depth < 50; depth += 1) {
      const node = (await create({ siteId, parentId, slug: 'd' })).body.data as TestNode;
      parentId = node.id;
    }
    expect((await create({ parentId, slug: 'd' })).body.error).toBe('limit_reached');
  });

  test('returns 422 for a path too long to index', async () => {
    let parentId: string | null = null;
    const outcomes: string[] = [];
    for (let depth = 0; depth < 4; depth += 1) {
      const answer = await create({ siteId: project.siteId, parentId, slug: '漢'.repeat(200) });
      outcomes.push(String(answer.status));
      parentId = (answer.body.data as TestNode | undefined)?.id ?? parentId;
    }
    expect(outcomes).toEqual(['201', '201', '201', '422']);
  });
});

describe('PUT tree/nodes/{id}', () => {
  test('updates all paths below a renamed folder and creates redirects', async () => {
    await createPageType(app(), project);
    const folder = await createFolder(app(), project, { slug: 'old' });
    await createLivePage(app(), project, { slug: 'p', treeParentId: folder.id });
    const response = await update(folder.id, { slug: 'new', name: 'New', hideInMenu: true, version: 1 });
    expect(response.body).toMatchObject({
      data: { slug: 'new', name: 'New', hideInMenu: true, version: 2, path: { en: '/new' } },
      meta: { affected: 2, redirectsCreated: 1 },
    });
    const path = `${project.delivery}/routes?path=/old/p`;
    expect((await send(app(), { method: 'GET', path })).body.data.target).toBe('/new/p');
  });

  test('changes nothing for equal values and shows the entry’s title for a page without a name', async () => {
    const { id: entryId } = await article();
    const { body } = await create({ siteId: project.siteId, entryId, name: 'Own' });
    expect((await update(body.data.id, { name: 'Own' })).body.data.version).toBe(1);
    expect((await update(body.data.id, { name: null })).body.data).toMatchObject({
      name: 'Locks',
      version: 2,
    });
  });

  test('returns 404, 409 or 422 for invalid updates of a node', async () => {
    const { id: entryId } = await article();
    const page = (await create({ siteId: project.siteId, entryId })).body.data as TestNode;
    const folder = await createFolder(app(), project, { slug: 'f' });
    const answers = [
      await update(stranger, { name: 'x' }),
      await update(folder.id, { name: 'x', version: 9 }),
      await update(folder.id, { slug: 'locks' }),
      await update(folder.id, {}),
      await update(folder.id, { version: 1 }),
      await update(page.id, { slug: 'x' }),
      await update(folder.id, { url: '/x' }),
      await update(folder.id, { name: null }),
    ];
    expect(answers.map(({ body }) => body.error)).toEqual([
      'tree_node_not_found',
      'version_conflict',
      'slug_conflict',
      'no_update_fields',
      'no_update_fields',
      'validation_failed',
      'validation_failed',
      'validation_failed',
    ]);
  });
});

describe('DELETE tree/nodes/{id}', () => {
  test('keeps the entry of a deleted node so that it can be placed again', async () => {
    const { id: entryId } = await article();
    const { body } = await create({ siteId: project.siteId, entryId });
    expect((await remove(body.data.id)).body).toEqual({
      data: { id: body.data.id, deleted: true },
      meta: { affected: 0, redirectsCreated: 0 },
    });
    expect((await create({ siteId: project.siteId, entryId })).status).toBe(201);
  });

  test('returns 409 for a node with children unless they are deleted or moved up', async () => {
    await createPageType(app(), project);
    const [before, folder, after] = [
      await createFolder(app(), project, { slug: 'before' }),
      await createFolder(app(), project, { slug: 'f' }),
      await createFolder(app(), project, { slug: 'after' }),
    ];
    const children = [
      await createLivePage(app(), project, { slug: 'a', treeParentId: folder.id }),
      await createLivePage(app(), project, { slug: 'b', treeParentId: folder.id }),
    ];
    expect((await remove(folder.id)).body.error).toBe('node_has_children');
    expect((await remove(folder.id, '?children=lift')).body.meta).toEqual({
      affected: 2,
      redirectsCreated: 2,
    });
    const nodes = await flatTree(app(), project);
    expect(nodes.map(({ id, position, path }) => [id, position, path.en])).toEqual([
      [before.id, 0, '/before'],
      [children[0]?.treeNodeId, 1, '/a'],
      [children[1]?.treeNodeId, 2, '/b'],
      [after.id, 3, '/after'],
    ]);
    const inner = await createFolder(app(), project, { slug: 'in', parentId: before.id });
    await createPage(app(), project, { slug: 'deep', treeParentId: inner.id });
    expect((await remove(before.id, '?children=delete')).status).toBe(200);
    expect(await flatTree(app(), project)).toHaveLength(3);
    expect((await remove(before.id)).body.error).toBe('tree_node_not_found');
  });
});

test('limits a key to the tree of its site and excludes the global tree', async () => {
  const limited = await must<{ secret: string }>(app(), {
    method: 'POST',
    path: `${project.management}/api-keys`,
    key: project.keys.management,
    body: { name: 'limited', type: 'management', siteIds: [project.siteId] },
  });
  const nodes = `${project.management}/tree/nodes`;
  const make = (body: object) => send(app(), { method: 'POST', path: nodes, key: limited.secret, body });
  expect((await make({ siteId: project.siteId, slug: 'a' })).status).toBe(201);
  expect((await make({ siteId: null, slug: 'a' })).status).toBe(403);
  expect((await make({ slug: 'a' })).body.error).toBe('permission_denied');
});

test('deletes a site with its tree unless pages remain', async () => {
  await createPageType(app(), project);
  const { key, path } = { key: project.keys.management, path: `${project.management}/sites/main` };
  const folder = await createFolder(app(), project, { slug: 'f' });
  const page = await createPage(app(), project, { slug: 'p', treeParentId: folder.id });
  await publish(app(), project, page.id);
  expect((await send(app(), { method: 'DELETE', path, key })).body.error).toBe('site_not_empty');
  await send(app(), { method: 'DELETE', path: `${project.management}/entries/${page.id}`, key });
  expect((await send(app(), { method: 'DELETE', path, key })).status).toBe(200);
});
