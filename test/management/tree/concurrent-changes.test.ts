import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { send } from '../../support/call.js';
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

let app: TestApp;
let project: TestProject;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  project = await createProject(app);
});

const move = (id: string, body: object) =>
  onTree(app, project, { method: 'POST', path: `/nodes/${id}/move`, body });

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
  verifies('dec-2.12-concurrent');

  test('remains a tree through 200 concurrent moves, creations and deletions', async () => {
    await createPageType(app, project);
    const known: string[] = [];
    for (let index = 0; index < 10; index += 1)
      known.push((await createFolder(app, project, { slug: `n${String(index)}` })).id);
    const pick = () => known[Math.floor(Math.random() * known.length)] ?? '';
    const parent = () => (Math.random() < 0.3 ? null : pick());
    const position = () => Math.floor(Math.random() * 4);
    let count = 0;
    const create = async () => {
      const slug = `c${String((count += 1))}`;
      if (count % 2 === 0) {
        const entry = { contentTypeApiName: 'page', siteId: project.siteId, slug, treeParentId: parent() };
        const path = `${project.management}/entries`;
        return send(app, { method: 'POST', path, key: project.keys.management, body: entry });
      }
      const body = { siteId: project.siteId, slug, parentId: parent(), position: position() };
      const made = await onTree(app, project, { method: 'POST', path: '/nodes', body });
      if (made.status === 201) known.push((made.body as { data: { id: string } }).data.id);
      return made;
    };
    const remove = () => {
      const children = Math.random() < 0.5 ? 'lift' : 'delete';
      return onTree(app, project, { method: 'DELETE', path: `/nodes/${pick()}?children=${children}` });
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
    expectTree(await flatTree(app, project));
  });

  test('rejects one of two concurrent moves that would form a cycle', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = await Promise.all([
        createFolder(app, project, { slug: `a${String(round)}` }),
        createFolder(app, project, { slug: `b${String(round)}` }),
      ]);
      const answers = await Promise.all([move(a.id, { parentId: b.id }), move(b.id, { parentId: a.id })]);
      expect(
        answers.map(({ status, body }) => `${String(status)} ${body.error ?? ''}`.trim()).sort(),
      ).toEqual(['200', '409 tree_cycle']);
    }
    expectTree(await flatTree(app, project));
  });

  test('keeps a valid tree when a page moves below its child while the child moves away', async () => {
    await createPageType(app, project);
    const top = await createPage(app, project, { slug: 'top' });
    const child = await createPage(app, project, { slug: 'child', treeParentId: top.treeNodeId });
    const answers = await Promise.all([
      move(top.treeNodeId, { parentId: child.treeNodeId }),
      move(child.treeNodeId, { parentId: null }),
      move(top.treeNodeId, { parentId: child.treeNodeId }),
    ]);
    for (const { status, body } of answers) expect(status === 200 || body.error === 'tree_cycle').toBe(true);
    expectTree(await flatTree(app, project));
  });
});
