import { describe, expect, it } from '@jest/globals';
import { useApp } from '../support/desk.js';
import { send } from '../support/call.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';

const app = useApp();

async function pages(count: number): Promise<{ project: TestProject; ids: string[] }> {
  const project = await createProject(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }] });
  const related = {
    apiName: 'related',
    type: 'reference',
    isList: true,
    settings: { contentTypes: ['page'] },
  };
  const fields = [{ apiName: 'title', type: 'text' }, related];
  await createType(app(), project, { apiName: 'page', isPage: true, fields });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const values = { title: `P${String(n)}`, related: ids.slice(-2).map((id) => ({ _ref: id })) };
    const { id } = await createEntry(app(), project, { contentTypeApiName: 'page', fields: values });
    ids.push(id);
  }
  for (const id of ids) await publish(app(), project, id);
  return { project, ids };
}

const ask = async (
  { slug, keys }: TestProject,
  query: string,
  key: keyof TestProject['keys'] = 'delivery',
) => {
  const { body } = await app()
    .request.post(`/api/graphql/${slug}`)
    .set('Authorization', `Bearer ${keys[key]}`)
    .send({ query });
  return (body as { data: Record<string, unknown> }).data;
};

describe('_path in GraphQL', () => {
  verifies('delivery/paths', 'delivery/paths-by-fallback');

  it.each([1, 25, 100])('is read with one statement per level of a query for %i entries', async (limit) => {
    const { project } = await pages(Math.min(limit, 12));
    const query = `{ pageCollection(site: "main", limit: ${String(limit)}) {
      items { _path related { _path related { _path } } } } }`;
    const { result, statements } = await app().recordStatements(() => ask(project, query));
    const { items } = result.pageCollection as { items: { _path: string; related: { _path: string }[] }[] };
    expect(items).toHaveLength(Math.min(limit, 12));
    for (const { _path } of items) expect(_path).toMatch(/^\/p\d+$/);
    expect(items[0]?.related.every(({ _path }) => _path.startsWith('/p'))).toBe(true);
    const reads = statements.filter((sql) => sql.includes('served_path')).length;
    expect(reads).toBeGreaterThan(0);
    // A path known from a level above is not read again.
    expect(reads).toBeLessThanOrEqual(3);
    const without = query.replaceAll('_path', '_id');
    const plain = await app().recordStatements(() => ask(project, without));
    expect(plain.statements.filter((sql) => sql.includes('routes'))).toEqual([]);
  });

  it('is that of the requested locale, through every root field, and follows a move', async () => {
    const { project, ids } = await pages(2);
    const [first = '', second = ''] = ids;
    const manage = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
      send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
    await manage('PUT', `/entries/${first}`, {
      version: 1,
      locale: 'de',
      slug: 'eins',
      fields: { title: 'Eins' },
    });
    await publish(app(), project, first, 'de');
    const node = async (id: string) => (await manage('GET', `/entries/${id}`)).body.data.treeNodeId as string;
    const query = `{ entry(id: "${second}") { _path }
      entryBySlug(slug: "p1", site: "main", locale: "de") { _path }
      pageCollection(site: "main", locale: "de") { items { _id _path } }
      all: pageCollection { items { _id _path } }
      resolveRoute(site: "main", locale: "de", path: "/eins/p1") { entry { _path _locale } target status }
      older: resolveRoute(site: "main", locale: "de", path: "/p0/p1") { target status } }`;
    expect(await ask(project, query)).toMatchObject({
      entry: { _path: '/p1' },
      entryBySlug: { _path: '/p1' },
      resolveRoute: null,
      older: null,
    });
    await manage('POST', `/tree/nodes/${await node(second)}/move`, { parentId: await node(first) });
    const moved = await ask(project, query);
    expect(moved).toMatchObject({
      entry: { _path: '/p0/p1' },
      entryBySlug: { _path: '/eins/p1' },
      resolveRoute: { entry: { _path: '/eins/p1', _locale: 'en' }, target: null, status: null },
      older: { target: '/eins/p1', status: 301 },
    });
    const paths = (collection: unknown) =>
      (collection as { items: { _path: string }[] }).items.map(({ _path }) => _path).sort();
    expect(paths(moved.pageCollection)).toEqual(['/eins', '/eins/p1']);
    expect(paths(moved.all)).toEqual(['/p0', '/p0/p1']);
  });
});
