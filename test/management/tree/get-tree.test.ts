import { beforeEach, describe, expect, test } from '@jest/globals';
import { send } from '../../support/call.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import {
  createFolder,
  createLivePage,
  createPage,
  createPageType,
  onTree,
  type TestNode,
} from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

verifies('routing/tree', 'routing/tree-read');

const app = useApp();
let project: TestProject;
beforeEach(async () => {
  project = await createProject(app());
});

describe('GET tree', () => {
  test('returns the tree nested by default, flat, to a depth and in a locale', async () => {
    await createPageType(app(), project);
    const folder = await createFolder(app(), project, { slug: 'f' });
    const page = await createPage(app(), project, { slug: 'p', treeParentId: folder.id });
    await send(app(), {
      method: 'PUT',
      path: `${project.management}/entries/${page.id}`,
      key: project.keys.management,
      body: { version: 1, locale: 'de', slug: 'seite', fields: { title: 'Seite' } },
    });
    const read = async (query = '') => {
      const { body } = await onTree(app(), project, { method: 'GET', path: `/main${query}` });
      return body.data as TestNode[];
    };
    const [root, ...others] = await read();
    expect(others).toEqual([]);
    expect(root).toMatchObject({
      id: folder.id,
      childCount: 1,
      children: [{ name: 'Page p', children: [] }],
    });
    expect((await read('?locale=de'))[0]?.children?.[0]).toMatchObject({ name: 'Seite', slug: 'seite' });
    expect((await read('?flat=true')).map(({ depth, children }) => [depth, children])).toEqual([
      [0, undefined],
      [1, undefined],
    ]);
    expect((await read('?depth=1'))[0]).toMatchObject({ childCount: 1, children: [] });
  });

  test('returns the nodes below one node, to a depth, with the status of their entries', async () => {
    await createPageType(app(), project);
    const top = await createFolder(app(), project, { slug: 'top' });
    const draft = await createPage(app(), project, { slug: 'draft', treeParentId: top.id });
    await createLivePage(app(), project, { slug: 'live', treeParentId: top.id });
    const below = await createFolder(app(), project, { slug: 'below', parentId: draft.treeNodeId });
    const read = async (query: string) => {
      const { body } = await onTree(app(), project, { method: 'GET', path: `/main${query}` });
      return (body.data as (TestNode & { entryStatus: unknown })[]).map(
        ({ slug, entryStatus, depth, position }) => ({ slug, entryStatus, depth, position }),
      );
    };
    const level = [
      { slug: 'draft', entryStatus: 'draft', depth: 1, position: 0 },
      { slug: 'live', entryStatus: 'published', depth: 1, position: 1 },
    ];
    expect(await read(`?parentId=${top.id}&depth=1`)).toEqual(level);
    expect(await read(`?parentId=${top.id}`)).toEqual(level);
    expect(await read(`?parentId=${draft.treeNodeId}&flat=true`)).toEqual([
      { slug: 'below', entryStatus: null, depth: 2, position: 0 },
    ]);
    expect(await read(`?parentId=${below.id}`)).toEqual([]);
    const elsewhere = await onTree(app(), project, { method: 'GET', path: `/global?parentId=${top.id}` });
    expect([elsewhere.status, elsewhere.body.error]).toEqual([404, 'tree_node_not_found']);
  });

  test('returns 404 for an unknown site or locale and 422 for invalid input', async () => {
    const read = async (path: string) => (await onTree(app(), project, { method: 'GET', path })).body.error;
    expect([await read('/none'), await read('/main?locale=xx'), await read('/main?depth=0')]).toEqual([
      'site_not_found',
      'locale_not_found',
      'validation_failed',
    ]);
  });
});
