import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { RestOperations } from '../../src/cli/client/rest-operations.js';
import { runExportCommand } from '../../src/cli/export/export-command.js';
import { runProjectImport } from '../../src/cli/export/import-project.js';
import { outputOf, silent } from '../support/demo-export.js';
import { useOwnApp } from '../support/desk.js';
import { createProject, superAdmin, type TestProject } from '../support/factories/project.js';

const app = useOwnApp();
const createdAt = '2020-05-04T10:00:00.000Z';
/** More than a batch of an import has. */
const COUNT = 130;

/** Names of the entries in the orders of lists, and of the siblings at each place of the tree. */
async function ordersOf(client: RestOperations, { slug: projectSlug }: TestProject) {
  const names: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, meta } = await client.call('entries', 'list', {
      projectSlug,
      orderBy: 'createdAt:asc',
      limit: 50,
      page,
    });
    names.push(...data.map(({ externalId }) => externalId ?? ''));
    pages = meta.pages ?? 1;
  }
  const { data: nodes } = await client.call('tree', 'get', { projectSlug, siteSlug: 'main', flat: true });
  return { names, nodes: nodes.map(({ name, depth }) => `${String(depth)} ${name}`) };
}

it('Entries of one time keep their order, whatever their places in the tree are', async () => {
  const key = await superAdmin(app());
  const client = new RestOperations(app().baseUrl, key);
  const [from, to] = [await createProject(app()), await createProject(app())];
  const of = { projectSlug: from.slug };
  const { siteId } = from;
  for (const type of [
    { apiName: 'page', name: 'Page', isPage: true },
    { apiName: 'note', name: 'Note', isPage: false },
  ])
    await client.call('contentTypes', 'create', { ...of, ...type, fields: [] });
  const write = async (names: readonly string[], placeOf: (index: number) => object) => {
    const items = names.map((name, index) => ({
      action: 'create' as const,
      contentTypeApiName: 'page',
      siteId,
      externalId: name,
      slug: name,
      fields: {},
      createdAt,
      ...placeOf(index),
    }));
    const { data } = await client.call('entries', 'batch', { ...of, items, atomic: true });
    return data.results.map(({ entryId, treeNodeId }) => ({ entryId, node: treeNodeId ?? '' }));
  };
  const [above, folded] = await write(['above', 'folded'], () => ({}));
  const names = Array.from({ length: COUNT }, (_, index) => `e${String((index * 37) % COUNT)}`);
  const made: { node: string }[] = [];
  for (let start = 0; start < COUNT; start += 50)
    made.push(
      ...(await write(names.slice(start, start + 50), (index) =>
        index % 3 === 0
          ? { contentTypeApiName: 'note' }
          : { treeParentId: index % 3 === 1 ? null : (above?.node ?? null) },
      )),
    );
  const { data: folder } = await client.call('tree', 'createNode', {
    ...of,
    siteId,
    type: 'folder',
    name: 'Folder',
    slug: 'folder',
  });
  await client.call('tree', 'moveNode', { ...of, id: folded?.node ?? '', parentId: folder.id });
  await client.call('tree', 'moveNode', { ...of, id: made[1]?.node ?? '', parentId: null, position: 9 });
  await client.call('tree', 'moveNode', {
    ...of,
    id: made[5]?.node ?? '',
    parentId: above?.node ?? null,
    position: 9,
  });
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-order-'));
  const service = ['--url', app().baseUrl, '--key', key];
  await outputOf((print) =>
    runExportCommand([...service, '--project', from.slug, '--out', 'one'], {
      directory,
      print,
      progress: silent,
    }),
  );
  const output = await outputOf((print) =>
    runProjectImport(['one', ...service, '--into', to.slug], { directory, print, progress: silent }),
  );
  expect(output).toMatch(new RegExp(`^entry +${String(COUNT + 2)} `, 'm'));
  const was = await ordersOf(client, from);
  expect(was.names).toEqual(['above', 'folded', ...names]);
  expect(await ordersOf(client, to)).toEqual(was);
  await rm(directory, { recursive: true });
}, 120_000);
