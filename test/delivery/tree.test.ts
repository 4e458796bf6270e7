import { beforeEach, describe, expect, it } from '@jest/globals';
import { surrogateKeys } from '../../src/infrastructure/cache-tags.js';
import { send } from '../support/call.js';
import { useApp } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import {
  createFolder,
  createLivePage,
  createPage,
  createPageType,
  onTree,
} from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';

verifies('delivery/tree');

const app = useApp();
let project: TestProject;

beforeEach(async () => {
  project = await createProject(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }, 'fr'] });
  await createPageType(app(), project);
});

interface Node {
  readonly id: string;
  readonly name: string;
  readonly path: string | null;
  readonly children: Node[];
}

const get = (query = '', key?: string) =>
  send(app(), { method: 'GET', path: `${project.delivery}/tree${query}`, key });
/** `name path` of nodes, with those below as a list. */
const shape = (nodes: readonly Node[]): unknown[] =>
  nodes.flatMap(({ name, path, children }) => [
    `${name} ${String(path)}`,
    ...(children.length > 0 ? [shape(children)] : []),
  ]);
const tree = async (query = '', key?: string) => shape((await get(query, key)).body.data as Node[]);
const manage = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
const nodes = (method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object) =>
  onTree(app(), project, { method, path: `/nodes${path}`, body });
const link = (name: string, url: string, parentId?: string) =>
  nodes('POST', '', { siteId: project.siteId, name, url, parentId });
const below = ({ treeNodeId }: { treeNodeId: string | null }) => ({ treeParentId: treeNodeId });

describe('GET tree', () => {
  it('returns published nodes in order, nested, with their paths', async () => {
    const about = await createLivePage(app(), project, { slug: 'about' });
    const team = await createLivePage(app(), project, { slug: 'team', ...below(about) });
    await createPage(app(), project, { slug: 'draft' });
    const hidden = await createPage(app(), project, { slug: 'hidden' });
    await createLivePage(app(), project, { slug: 'under-hidden', ...below(hidden) });
    const folder = await createFolder(app(), project, { slug: 'company' });
    await createLivePage(app(), project, { slug: 'jobs', treeParentId: folder.id });
    const empty = await createFolder(app(), project, { slug: 'secret-launch' });
    await createPage(app(), project, { slug: 'soon', treeParentId: empty.id });
    await link('Shop', 'https://shop.example', (await createFolder(app(), project, { slug: 'more' })).id);
    expect(await tree()).toEqual([
      'Page about /about',
      ['Page team /about/team'],
      'company null',
      ['Page jobs /company/jobs'],
      'more null',
      ['Shop https://shop.example'],
    ]);
    const [first] = (await get()).body.data as Node[];
    expect(first?.children).toEqual([
      {
        id: team.treeNodeId,
        type: 'page',
        name: 'Page team',
        slug: 'team',
        path: '/about/team',
        entryId: team.id,
        contentTypeApiName: 'page',
        children: [],
      },
    ]);
    expect(await tree('', project.keys.preview)).toEqual(
      expect.arrayContaining(['Page draft /draft', 'Page hidden /hidden', 'secret-launch null']),
    );
  });

  it('takes a root, a depth and a locale, and leaves out what is hidden in menus', async () => {
    const about = await createLivePage(app(), project, { slug: 'about' });
    const team = await createLivePage(app(), project, { slug: 'team', ...below(about) });
    await createLivePage(app(), project, { slug: 'ada', ...below(team) });
    const { body } = await manage('GET', `/entries/${about.id}`);
    const fields = { title: 'Über uns' };
    await manage('PUT', `/entries/${about.id}`, {
      version: body.data.version,
      locale: 'de',
      slug: 'ueber',
      fields,
    });
    await publish(app(), project, about.id, 'de');
    expect(await tree('?depth=1')).toEqual(['Page about /about']);
    expect(await tree('?depth=2&locale=de')).toEqual(['Über uns /ueber', ['Page team /ueber/team']]);
    expect(await tree('?locale=fr')).toEqual([]);
    for (const root of ['/about/team', '/about/team/', team.treeNodeId, team.treeNodeId.toUpperCase()])
      expect(await tree(`?root=${root}`)).toEqual(['Page team /about/team', ['Page ada /about/team/ada']]);
    expect(await tree('?root=/ueber&locale=de&depth=1')).toEqual(['Über uns /ueber']);
    await manage('PUT', '/sites/main', { localePathStrategy: 'prefix' });
    expect(await tree('?root=/de/ueber/team')).toEqual([
      'Page team /de/ueber/team',
      ['Page ada /de/ueber/team/ada'],
    ]);
    await nodes('PUT', `/${team.treeNodeId}`, { hideInMenu: true });
    expect(await tree('?menu=true')).toEqual(['Page about /about']);
    expect(await tree()).toEqual([
      'Page about /about',
      ['Page team /about/team', ['Page ada /about/team/ada']],
    ]);
  });

  it('returns 404 for a root that is not published or not of the site, 422 for what is no root', async () => {
    const draft = await createPage(app(), project, { slug: 'draft' });
    const outcome = async (query: string) => {
      const { status, body } = await get(query);
      return [status, (body as { error: string }).error];
    };
    const missing = [
      '/nowhere',
      '/draft',
      draft.treeNodeId,
      '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
      '/%25',
      '/',
    ];
    for (const root of missing) expect(await outcome(`?root=${root}`)).toEqual([404, 'tree_node_not_found']);
    for (const query of ['?root=about', '?root=', '?depth=0', '?depth=11', '?menu=yes'])
      expect(await outcome(query)).toEqual([422, 'validation_failed']);
    expect(await outcome('?locale=xx')).toEqual([404, 'locale_not_found']);
  });

  it('is cached, and purged by every change that it shows', async () => {
    const about = await createLivePage(app(), project, { slug: 'about' });
    const folder = await createFolder(app(), project, { slug: 'f' });
    expect(await tree()).toEqual(['Page about /about']);
    const { statements, result } = await app().recordStatements(() => get());
    expect(statements).toEqual([]);
    expect(result.headers['surrogate-key']).toContain(`entry:${about.id}`);
    const changes: [() => Promise<unknown>, unknown[]][] = [
      [
        () => manage('PUT', `/entries/${about.id}`, { version: 1, fields: { title: 'About' } }),
        ['Page about /about'],
      ],
      [() => publish(app(), project, about.id), ['About /about']],
      [() => nodes('PUT', `/${about.treeNodeId}`, { name: 'We' }), ['We /about']],
      [
        () => nodes('POST', `/${about.treeNodeId}/move`, { parentId: folder.id }),
        ['f null', ['We /f/about']],
      ],
      [() => nodes('PUT', `/${folder.id}`, { slug: 'g' }), ['f null', ['We /g/about']]],
      [() => link('Shop', '/shop'), ['f null', ['We /g/about'], 'Shop /shop']],
      [() => manage('POST', `/entries/${about.id}/unpublish`, {}), ['Shop /shop']],
      [() => publish(app(), project, about.id), ['f null', ['We /g/about'], 'Shop /shop']],
      [
        () => nodes('POST', `/${folder.id}/move`, { parentId: null, position: 1 }),
        ['Shop /shop', 'f null', ['We /g/about']],
      ],
    ];
    for (const [change, expected] of changes) {
      await change();
      expect(await tree()).toEqual(expected);
    }
  });

  it('reads 1, 25 and 100 pages in one statement, over REST and GraphQL', async () => {
    const entryIds: string[] = [];
    const first = await createLivePage(app(), project, { slug: 'first' });
    for (let n = 1; n < 100; n += 1) {
      const fields = { title: `P${String(n)}` };
      entryIds.push((await createEntry(app(), project, { contentTypeApiName: 'page', fields })).id);
      if (![1, 25, 99].includes(n)) continue;
      await manage('POST', '/entries/bulk', { action: 'publish', entryIds, params: {} });
      const { result, statements } = await app().recordStatements(() => get());
      expect(result.body.data).toHaveLength(n + 1);
      expect(statements).toHaveLength(1);
    }
    const query = `{ tree(site: "main", menu: true, depth: 2) { id type name slug path entryId contentTypeApiName children { id } }
      one: tree(site: "main", root: "/first") { path } none: tree(site: "main", root: "/nowhere") { path } }`;
    const asked = () =>
      app()
        .request.post(`/api/graphql/${project.slug}`)
        .set('Authorization', `Bearer ${project.keys.delivery}`)
        .send({ query });
    const { result, statements } = await app().recordStatements(asked);
    expect(result.body.data.tree).toEqual((await get('?menu=true')).body.data);
    expect(result.body.data).toMatchObject({ one: [{ path: '/first' }], none: null });
    expect(statements.filter((sql) => sql.includes('FROM branch b'))).toHaveLength(3);
    expect(result.headers['surrogate-key']).toContain(surrogateKeys.entry(first.id));
  });
});
