import { beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { blocksAnother } from '../../support/blocks-another.js';
import { must, send } from '../../support/call.js';
import { createEntry, createType } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import {
  createFolder,
  createPage,
  createPageType,
  flatTree,
  onTree,
  type TestNode,
} from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let project: TestProject;
beforeEach(async () => {
  project = await createProject(app());
});

const move = (id: string, body: object) =>
  onTree(app(), project, { method: 'POST', path: `/nodes/${id}/move`, body });

/** Asserts parents before children, no duplicates, gapless positions and matching paths. */
function expectTree(nodes: readonly TestNode[]): void {
  const seen = new Map<string, TestNode>();
  for (const node of nodes) {
    const parent = node.parentId === null ? undefined : seen.get(node.parentId);
    expect([node.parentId === null, seen.has(node.id)]).toEqual([parent === undefined, false]);
    expect(node.path.en).toBe(`${parent?.path.en ?? ''}/${node.slug ?? ''}`);
    seen.set(node.id, node);
  }
  for (const siblings of Map.groupBy(nodes, ({ parentId }) => parentId).values())
    expect(siblings.map(({ position }) => position)).toEqual(siblings.map((_, index) => index));
  expect(new Set(nodes.map(({ path }) => path.en)).size).toBe(nodes.length);
}

describe('Concurrent tree changes', () => {
  verifies('routing/tree-concurrent-writes');

  test('remains a tree through 200 concurrent moves, creations and deletions', async () => {
    await createPageType(app(), project);
    const known: string[] = [];
    for (let index = 0; index < 10; index += 1)
      known.push((await createFolder(app(), project, { slug: `n${String(index)}` })).id);
    const pick = () => known[Math.floor(Math.random() * known.length)] ?? '';
    const parent = () => (Math.random() < 0.3 ? null : pick());
    const position = () => Math.floor(Math.random() * 4);
    let count = 0;
    const create = async () => {
      const slug = `c${String((count += 1))}`;
      if (count % 2 === 0) {
        const entry = { contentTypeApiName: 'page', siteId: project.siteId, slug, treeParentId: parent() };
        const path = `${project.management}/entries`;
        return send(app(), { method: 'POST', path, key: project.keys.management, body: entry });
      }
      const body = { siteId: project.siteId, slug, parentId: parent(), position: position() };
      const made = await onTree(app(), project, { method: 'POST', path: '/nodes', body });
      if (made.status === 201) known.push((made.body as { data: { id: string } }).data.id);
      return made;
    };
    const remove = () => {
      const children = Math.random() < 0.5 ? 'lift' : 'delete';
      return onTree(app(), project, { method: 'DELETE', path: `/nodes/${pick()}?children=${children}` });
    };
    const act = () => {
      const dice = Math.random();
      if (dice < 0.25) return create();
      return dice < 0.35 ? remove() : move(pick(), { parentId: parent(), position: position() });
    };
    const outcomes = new Set<string>();
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let turn = 0; turn < 10; turn += 1) {
          const { status, body } = await act();
          outcomes.add(`${String(status)} ${(body as { error?: string }).error ?? ''}`.trim());
        }
      }),
    );
    const allowed = ['200', '201', '404 tree_node_not_found', '409 tree_cycle', '409 slug_conflict'];
    expect([...outcomes].filter((outcome) => !allowed.includes(outcome))).toEqual([]);
    expectTree(await flatTree(app(), project));
  });

  test('rejects one of two concurrent moves that would form a cycle', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = await Promise.all([
        createFolder(app(), project, { slug: `a${String(round)}` }),
        createFolder(app(), project, { slug: `b${String(round)}` }),
      ]);
      const answers = await Promise.all([move(a.id, { parentId: b.id }), move(b.id, { parentId: a.id })]);
      expect(
        answers.map(({ status, body }) => `${String(status)} ${body.error ?? ''}`.trim()).sort(),
      ).toEqual(['200', '409 tree_cycle']);
    }
    expectTree(await flatTree(app(), project));
  });

  test('keeps a valid tree when a page moves below its child while the child moves away', async () => {
    await createPageType(app(), project);
    const top = await createPage(app(), project, { slug: 'top' });
    const child = await createPage(app(), project, { slug: 'child', treeParentId: top.treeNodeId });
    const answers = await Promise.all([
      move(top.treeNodeId, { parentId: child.treeNodeId }),
      move(child.treeNodeId, { parentId: null }),
      move(top.treeNodeId, { parentId: child.treeNodeId }),
    ]);
    for (const { status, body } of answers) expect(status === 200 || body.error === 'tree_cycle').toBe(true);
    expectTree(await flatTree(app(), project));
  });
});

/** Holds a content type, so that no entry of it can be written until `release`. */
async function holdType(
  apiName: string,
): Promise<{ stopsAnother(): Promise<boolean>; release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [project.tenantId]);
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM content_types WHERE api_name = $1 FOR UPDATE', [apiName]);
  return {
    stopsAnother: () => blocksAnother(client),
    release: async () => {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}

describe('A duplicate that is still being written', () => {
  verifies('routing/tree-concurrent-writes', 'entries/duplicate');

  const duplicateOf = (id: string, body: object) =>
    send(app(), {
      method: 'POST',
      path: `${project.management}/entries/${id}/duplicate`,
      key: project.keys.management,
      body,
    });

  /** Runs `during` while the rows of the duplicate wait. */
  async function duplicateDuring(id: string, body: object, during: () => Promise<unknown>) {
    const held = await holdType('page');
    const made = duplicateOf(id, body);
    try {
      await waitFor('the duplicate waits for the content type', held.stopsAnother);
      await during();
    } finally {
      await held.release();
    }
    return made;
  }

  beforeEach(async () => {
    await createPageType(app(), project);
    await createType(app(), project, {
      apiName: 'post',
      isPage: true,
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'related', type: 'reference', isList: true },
      ],
    });
  });

  test('lets other changes of the tree through, with its slugs numbered past those that they take', async () => {
    const page = await createPage(app(), project, { slug: 'start' });
    const moved = await createFolder(app(), project, { slug: 'moved' });
    const { status, body } = await duplicateDuring(page.id, {}, async () => {
      await createEntry(app(), project, { contentTypeApiName: 'post', slug: 'start-2' });
      const { id } = await createFolder(app(), project, { slug: 'folder' });
      expect((await move(moved.id, { parentId: id })).status).toBe(200);
    });
    expect([status, body.data.slug]).toEqual([201, 'start-3']);
    const nodes = await flatTree(app(), project);
    expectTree(nodes);
    expect(nodes.map((node) => node.path.en)).toEqual([
      '/start',
      '/start-2',
      '/folder',
      '/folder/moved',
      '/start-3',
    ]);
  });

  test('places every page of a deep copy when one of their slugs is taken concurrently', async () => {
    const folder = await createFolder(app(), project, { slug: 'folder' });
    const [first, second] = [
      await createPage(app(), project, { slug: 'same' }),
      await createPage(app(), project, { slug: 'same', treeParentId: folder.id }),
    ];
    const related = [first, second].map(({ id }) => ({ _ref: id }));
    const post = { contentTypeApiName: 'post', slug: 'post', fields: { title: 'Post', related } };
    const { id } = await createEntry(app(), project, post);
    // Entries of one content type may share a counter, and would wait for the duplicate.
    await createType(app(), project, {
      apiName: 'note',
      isPage: true,
      fields: [{ apiName: 'title', type: 'text' }],
    });
    const { status } = await duplicateDuring(id, { deep: true }, async () => {
      await createEntry(app(), project, { contentTypeApiName: 'note', slug: 'same-3' });
    });
    expect(status).toBe(201);
    const nodes = await flatTree(app(), project);
    expectTree(nodes);
    const paths = ['/same', '/same-2', '/same-3', '/same-4', '/folder', '/folder/same', '/post', '/post-2'];
    expect(nodes.map((node) => node.path.en).sort()).toEqual(paths.sort());
  });

  test('returns 404 and copies nothing when its parent is deleted concurrently', async () => {
    const parent = await createFolder(app(), project, { slug: 'parent' });
    const page = await createPage(app(), project, { slug: 'start' });
    const made = await duplicateDuring(page.id, { treeParentId: parent.id }, async () => {
      const gone = await onTree(app(), project, { method: 'DELETE', path: `/nodes/${parent.id}` });
      expect(gone.status).toBe(200);
    });
    expect([made.status, made.body.error]).toEqual([404, 'tree_node_not_found']);
    const path = `${project.management}/entries`;
    const entries = await must<unknown[]>(app(), { method: 'GET', path, key: project.keys.management });
    expect(entries).toHaveLength(1);
  });
});
