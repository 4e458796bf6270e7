import { beforeEach, describe, expect, test } from '@jest/globals';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { createFolder, flatTree, onTree, type TestNode } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

verifies('routing/tree', 'routing/tree-moves');

const app = useApp();
let project: TestProject;
beforeEach(async () => {
  project = await createProject(app());
});

const move = (id: string, body: object) =>
  onTree(app(), project, { method: 'POST', path: `/nodes/${id}/move`, body });
const folders = async (...slugs: string[]): Promise<TestNode[]> => {
  const made: TestNode[] = [];
  for (const slug of slugs) made.push(await createFolder(app(), project, { slug }));
  return made;
};
const order = async () =>
  (await flatTree(app(), project)).map(({ slug, position, depth }) => [depth, position, slug]);

describe('POST tree/nodes/{id}/move', () => {
  test('moves a branch and updates its paths', async () => {
    const [a, b] = (await folders('a', 'b')) as [TestNode, TestNode];
    const child = await createFolder(app(), project, { slug: 'c', parentId: b.id });
    const response = await move(b.id, { parentId: a.id });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      data: {
        parentId: a.id,
        position: 0,
        depth: 1,
        version: 2,
        path: { en: '/a/b', de: '/a/b', fr: '/a/b' },
      },
      meta: { affected: 2, redirectsCreated: 0 },
    });
    const nodes = await flatTree(app(), project);
    expect(nodes.find(({ id }) => id === child.id)?.path).toEqual({
      en: '/a/b/c',
      de: '/a/b/c',
      fr: '/a/b/c',
    });
  });

  test('places a node by position, beforeId or afterId', async () => {
    const [a, b, c] = (await folders('a', 'b', 'c')) as [TestNode, TestNode, TestNode];
    await move(c.id, { parentId: null, position: 0 });
    expect(await order()).toEqual([
      [0, 0, 'c'],
      [0, 1, 'a'],
      [0, 2, 'b'],
    ]);
    await move(c.id, { parentId: null, afterId: a.id });
    expect(await order()).toEqual([
      [0, 0, 'a'],
      [0, 1, 'c'],
      [0, 2, 'b'],
    ]);
    await move(b.id, { parentId: null, beforeId: c.id });
    expect(await order()).toEqual([
      [0, 0, 'a'],
      [0, 1, 'b'],
      [0, 2, 'c'],
    ]);
    await move(a.id, { parentId: null });
    expect(await order()).toEqual([
      [0, 0, 'b'],
      [0, 1, 'c'],
      [0, 2, 'a'],
    ]);
    expect((await move(a.id, { parentId: null, position: 2 })).body.data.version).toBe(2);
  });

  test('keeps the order through forty moves into one gap', async () => {
    const [first, second] = (await folders('a', 'z')) as [TestNode, TestNode];
    for (let turn = 0; turn < 20; turn += 1) {
      expect((await move(second.id, { parentId: null, position: 0 })).status).toBe(200);
      expect((await move(first.id, { parentId: null, position: 0 })).status).toBe(200);
    }
    const third = await createFolder(app(), project, { slug: 'm' });
    for (let turn = 0; turn < 40; turn += 1) {
      const one = turn % 2 === 0 ? third : second;
      const response = await move(one.id, { parentId: null, afterId: first.id });
      expect(response.body.data.position).toBe(1);
    }
  });

  test('returns 409 when a branch would move below itself', async () => {
    const [a] = (await folders('a')) as [TestNode];
    const b = await createFolder(app(), project, { slug: 'b', parentId: a.id });
    for (const parentId of [a.id, b.id]) {
      const response = await move(a.id, { parentId });
      expect([response.status, response.body.error]).toEqual([409, 'tree_cycle']);
    }
  });

  test('returns 409 when the new path is taken', async () => {
    const [a, b] = (await folders('a', 'b')) as [TestNode, TestNode];
    await createFolder(app(), project, { slug: 'b', parentId: a.id });
    const response = await move(b.id, { parentId: a.id });
    expect([response.status, response.body.error]).toEqual([409, 'slug_conflict']);
  });

  test('returns 409 for an outdated version', async () => {
    const [a, b] = (await folders('a', 'b')) as [TestNode, TestNode];
    await move(b.id, { parentId: a.id });
    const response = await move(b.id, { parentId: null, version: 1 });
    expect([response.status, response.body.error]).toEqual([409, 'version_conflict']);
  });

  test('returns 404 for unknown nodes and 422 for conflicting keys', async () => {
    const [a, b] = (await folders('a', 'b')) as [TestNode, TestNode];
    const stranger = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
    const answers = await Promise.all([
      move(stranger, { parentId: null }),
      move('x', { parentId: null }),
      move(a.id, { parentId: stranger }),
      move(a.id, { parentId: null, beforeId: stranger }),
      move(a.id, {}),
      move(a.id, { parentId: null, position: 0, afterId: b.id }),
      move(a.id, { parentId: b.id, afterId: b.id }),
      move(a.id, { parentId: null, afterId: a.id }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [404, 'tree_node_not_found'],
      [404, 'tree_node_not_found'],
      [404, 'tree_node_not_found'],
      [404, 'tree_node_not_found'],
      ...Array.from({ length: 4 }, () => [422, 'validation_failed']),
    ]);
    expect(answers[2]?.body.details).toEqual({ path: ['parentId'] });
  });

  test('keeps a valid tree through two hundred concurrent moves', async () => {
    const nodes = await folders(...Array.from({ length: 12 }, (_, index) => `n${String(index)}`));
    const pick = () => nodes[Math.floor(Math.random() * nodes.length)] ?? nodes[0]!;
    const anywhere = () => ({
      parentId: Math.random() < 0.3 ? null : pick().id,
      position: Math.floor(Math.random() * 4),
    });
    const outcomes = new Set<string>();
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let turn = 0; turn < 10; turn += 1) {
          const { status, body } = await move(pick().id, anywhere());
          outcomes.add(`${String(status)} ${body.error ?? ''}`);
        }
      }),
    );
    expect([...outcomes].sort()).toEqual(['200 ', '409 tree_cycle']);
    const after = await flatTree(app(), project);
    expect(after.map(({ id }) => id).sort()).toEqual(nodes.map(({ id }) => id).sort());
    for (const siblings of Map.groupBy(after, ({ parentId }) => parentId).values())
      expect(siblings.map(({ position }) => position)).toEqual(siblings.map((_, index) => index));
  }, 120_000);
});
