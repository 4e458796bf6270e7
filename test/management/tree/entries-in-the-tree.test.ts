import { beforeEach, describe, expect, test } from '@jest/globals';
import { must, send } from '../../support/call.js';
import { createArticleTypes, createEntry, createType, publish } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import {
  createFolder,
  createLivePage,
  createPage,
  createPageType,
  flatTree,
} from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

verifies('routing/tree-paths');

const app = useApp();
let project: TestProject;
beforeEach(async () => {
  project = await createProject(app());
  await createPageType(app(), project);
});

const onEntry = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  send(app(), { method, path: `${project.management}/entries${path}`, key: project.keys.management, body });
const paths = async () =>
  Object.fromEntries((await flatTree(app(), project)).map(({ entryId, path }) => [entryId, path.en]));

describe('entries in the tree', () => {
  test('places a page last at the root of its site and no other entry', async () => {
    await createArticleTypes(app(), project);
    const article = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'A' },
    });
    expect(article).toMatchObject({ treeNodeId: null, treeParentId: null });
    await createFolder(app(), project, { slug: 'first' });
    const page = await createPage(app(), project, { slug: 'about' });
    const nodes = await flatTree(app(), project);
    expect(nodes).toHaveLength(2);
    expect(nodes[1]).toMatchObject({
      id: page.treeNodeId,
      entryId: page.id,
      type: 'page',
      name: 'Page about',
      slug: 'about',
      position: 1,
      path: { en: '/about', de: '/about', fr: '/about' },
    });
    expect((await onEntry('GET', `/${page.id}`)).body.data.treeNodeId).toBe(page.treeNodeId);
    expect((await onEntry('GET', '?contentTypeApiName=page')).body.data[0].treeNodeId).toBe(page.treeNodeId);
  });

  test('places any entry by treeParentId and moves it later; null is the root', async () => {
    await createArticleTypes(app(), project);
    const folder = await createFolder(app(), project, { slug: 'news' });
    const body = { contentTypeApiName: 'article', fields: { title: 'A' }, treeParentId: folder.id };
    const article = await createEntry(app(), project, body);
    expect(await paths()).toMatchObject({ [article.id]: '/news/a' });
    expect((await onEntry('GET', `?treeParentId=${folder.id}`)).body.meta.total).toBe(1);
    const moved = await onEntry('PUT', `/${article.id}`, { version: 1, treeParentId: null });
    expect(moved.body.data).toMatchObject({ version: 1, treeParentId: null });
    expect(await paths()).toMatchObject({ [article.id]: '/a' });
    const outside = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'B' },
    });
    await onEntry('PUT', `/${outside.id}`, { version: 1, treeParentId: folder.id, fields: { title: 'C' } });
    expect(await paths()).toMatchObject({ [outside.id]: '/news/b' });
  });

  test('returns 404 or 422 when the parent is unknown, on another site or a link', async () => {
    const other = await must(app(), {
      method: 'POST',
      path: `${project.management}/sites`,
      key: project.keys.management,
      body: { slug: 'other', name: 'Other' },
    });
    const node = (body: object) =>
      must(app(), {
        method: 'POST',
        path: `${project.management}/tree/nodes`,
        key: project.keys.management,
        body,
      });
    const elsewhere = await node({ siteId: other.id, slug: 'x' });
    const link = await node({
      siteId: project.siteId,
      type: 'link',
      name: 'Shop',
      url: 'https://example.com',
    });
    const create = (treeParentId: string) =>
      onEntry('POST', '', {
        contentTypeApiName: 'page',
        siteId: project.siteId,
        fields: { title: 'P' },
        treeParentId,
      });
    const answers = [
      await create('019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
      await create(elsewhere.id),
      await create(link.id),
      await create('x'),
    ];
    expect(answers.map(({ status, body }) => [status, body.error, body.details.path])).toEqual([
      [404, 'tree_node_not_found', ['treeParentId']],
      [422, 'validation_failed', undefined],
      [422, 'validation_failed', undefined],
      [422, 'validation_failed', undefined],
    ]);
  });

  test('allows the same slug under two parents and numbers a generated one', async () => {
    const folder = await createFolder(app(), project, { slug: 'a' });
    await createPage(app(), project, { slug: 'intro' });
    await createPage(app(), project, { slug: 'intro', treeParentId: folder.id });
    const body = { contentTypeApiName: 'page', siteId: project.siteId, fields: { title: 'Intro' } };
    expect((await onEntry('POST', '', { ...body, slug: 'intro' })).body.error).toBe('slug_conflict');
    expect((await onEntry('POST', '', { ...body, slug: 'a' })).body.error).toBe('slug_conflict');
    expect((await onEntry('POST', '', body)).body.data.slug).toBe('intro-2');
    expect((await onEntry('POST', '', { ...body, fields: { title: 'A' } })).body.data.slug).toBe('a-2');
  });

  test('uses a translated slug as segment of its locale and for the paths below', async () => {
    const about = await createPage(app(), project, { slug: 'about' });
    await createPage(app(), project, { slug: 'team', treeParentId: about.treeNodeId });
    await onEntry('PUT', `/${about.id}`, {
      version: 1,
      locale: 'de',
      slug: 'ueber-uns',
      fields: { title: 'Über' },
    });
    const [, team] = await flatTree(app(), project);
    expect(team?.path).toEqual({ en: '/about/team', de: '/ueber-uns/team', fr: '/about/team' });
  });

  test('lets another page use a borrowed slug in the locale that lacks it', async () => {
    const install = await createPage(app(), project, { slug: 'install' });
    const write = (id: string, slug: string) =>
      onEntry('PUT', `/${id}`, { version: 1, locale: 'de', slug, fields: { title: slug } });
    expect((await write(install.id, 'installation')).status).toBe(200);
    const other = await createPage(app(), project, { slug: 'installation' });
    expect((await write(other.id, 'installation')).body.error).toBe('slug_conflict');
    expect((await write(other.id, 'installieren')).status).toBe(200);
  });

  test('keeps the path of a published page until the new slug is published', async () => {
    const page = await createLivePage(app(), project, { slug: 'old' });
    await createLivePage(app(), project, { slug: 'child', treeParentId: page.treeNodeId });
    await onEntry('PUT', `/${page.id}`, { version: 1, slug: 'new' });
    expect(Object.values(await paths())).toEqual(['/old', '/old/child']);
    await publish(app(), project, page.id);
    expect(Object.values(await paths())).toEqual(['/new', '/new/child']);
    const redirects = await send(app(), {
      method: 'GET',
      path: `${project.management}/redirects?origin=auto&orderBy=createdAt:asc`,
      key: project.keys.management,
    });
    expect(
      redirects.body.data
        .map((one: Record<string, unknown>) => [one.source, one.target, one.status, one.locale])
        .sort(),
    ).toEqual([
      ['/old', '/new', 301, 'en'],
      ['/old/child', '/new/child', 301, 'en'],
    ]);
  });

  test('removes a deleted page from the tree, moves its children up and restores it at the root', async () => {
    const [a, b, c] = [
      await createPage(app(), project, { slug: 'a' }),
      await createPage(app(), project, { slug: 'b' }),
      await createPage(app(), project, { slug: 'c' }),
    ];
    const child = await createPage(app(), project, { slug: 'child', treeParentId: b.treeNodeId });
    const deleted = await onEntry('DELETE', `/${b.id}`);
    expect(deleted.body.meta.warnings).toEqual([
      { code: 'children_lifted', message: '1 tree node below it moved up in its place.' },
    ]);
    expect((await flatTree(app(), project)).map(({ entryId, position }) => [entryId, position])).toEqual([
      [a.id, 0],
      [child.id, 1],
      [c.id, 2],
    ]);
    expect(await paths()).toMatchObject({ [child.id]: '/child' });
    const back = await onEntry('POST', `/${b.id}/undelete`, {});
    expect(back.body.data).toMatchObject({ treeParentId: null });
    expect((await flatTree(app(), project)).at(-1)).toMatchObject({ entryId: b.id, position: 3 });
  });

  test('places a copy of a page at the root or at the requested place', async () => {
    const folder = await createFolder(app(), project, { slug: 'f' });
    const page = await createPage(app(), project, { slug: 'p', treeParentId: folder.id });
    const copy = await onEntry('POST', `/${page.id}/duplicate`, {});
    expect(copy.body.data).toMatchObject({ treeParentId: null, slug: 'p' });
    const beside = await onEntry('POST', `/${page.id}/duplicate`, { treeParentId: folder.id });
    expect(beside.body.data).toMatchObject({ treeParentId: folder.id, slug: 'p-2' });
  });

  test('places an entry of a single-entry type', async () => {
    await createType(app(), project, {
      apiName: 'home',
      isPage: true,
      isSingleton: true,
      fields: [{ apiName: 'title', type: 'text' }],
    });
    const home = await createEntry(app(), project, { contentTypeApiName: 'home', fields: { title: 'Home' } });
    const site = await send(app(), {
      method: 'PUT',
      path: `${project.management}/sites/main`,
      key: project.keys.management,
      body: { homeEntryId: home.id },
    });
    expect(site.status).toBe(200);
    expect(await paths()).toEqual({ [home.id]: '/' });
  });
});
