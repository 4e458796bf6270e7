import { beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { listed, openRights, outcome, type RightsScene } from './scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: RightsScene;

beforeAll(async () => {
  scene = await openRights(app());
});

const denied = [403, 'permission_denied'];
const done = [200, undefined];

describe('A member who is limited', () => {
  verifies('access/reading-limited-to-rows', 'access/reading-lists');

  it('lets a limited member read and change the content types of their grants only', async () => {
    const scope = { contentTypes: ['article'] };
    const as = await scene.member(
      { resource: 'contentTypes', action: 'read', scope },
      { resource: 'contentTypes', action: 'update', scope },
    );
    const list = await as('GET /content-types');
    expect([list.body.data.map((type: { apiName: string }) => type.apiName), list.body.meta.total]).toEqual([
      ['article'],
      1,
    ]);
    expect(outcome(await as('GET /content-types/author'))).toEqual([404, 'content_type_not_found']);
    expect(outcome(await as('PUT /content-types/author', { name: 'X' }))).toEqual([
      404,
      'content_type_not_found',
    ]);
    expect(outcome(await as('PUT /content-types/article', { name: unique() }))).toEqual(done);
    expect(
      outcome(await as('POST /content-types/article/fields', { apiName: `f${unique()}`, type: 'text' })),
    ).toEqual([201, undefined]);
    expect(outcome(await as('DELETE /content-types/article'))).toEqual(denied);
    const both = await scene.member(
      { resource: 'contentTypes', action: 'read' },
      { resource: 'contentTypes', action: '*', scope },
    );
    expect(outcome(await both('PUT /content-types/author', { name: 'X' }))).toEqual(denied);
    expect(outcome(await both('POST /content-types', { apiName: `k${unique()}`, name: 'Kind' }))).toEqual(
      denied,
    );
  });

  it('lets a limited member read and change the sites of their grants only', async () => {
    const scope = { siteIds: [scene.otherSiteId] };
    const as = await scene.member({ resource: 'sites', action: '*', scope });
    expect(listed(await as('GET /sites'))).toEqual({ ids: [scene.otherSiteId], total: 1 });
    expect(outcome(await as('GET /sites/main'))).toEqual([404, 'site_not_found']);
    expect(outcome(await as('PUT /sites/other', { name: unique() }))).toEqual(done);
    expect(outcome(await as('POST /sites', { slug: `s-${unique()}`, name: 'New' }))).toEqual(denied);
  });

  it('lets a limited member read and change redirects of their sites and locales only', async () => {
    const key = scene.as(scene.project.keys.management);
    const redirect = async (siteId: string, locale: string | null = null) =>
      (await key('POST /redirects', { siteId, locale, source: `/a-${unique()}`, target: '/b' })).body.data
        .id as string;
    const theirs = await redirect(scene.project.siteId);
    const mine = await redirect(scene.otherSiteId, 'de');
    const every = await redirect(scene.otherSiteId);
    const as = await scene.member({
      resource: 'redirects',
      action: '*',
      scope: { siteIds: [scene.otherSiteId], locales: ['de'] },
    });
    expect(listed(await as('GET /redirects'))).toEqual({ ids: [mine, every].sort(), total: 2 });
    expect(listed(await as(`GET /redirects?siteId=${scene.project.siteId}`))).toEqual({ ids: [], total: 0 });
    expect((await as('GET /redirects/export')).text.trim().split('\n')).toHaveLength(3);
    expect(outcome(await as(`PUT /redirects/${theirs}`, { target: '/c' }))).toEqual([
      404,
      'redirect_not_found',
    ]);
    expect(outcome(await as(`PUT /redirects/${every}`, { target: '/c' }))).toEqual(denied);
    expect(outcome(await as(`PUT /redirects/${mine}`, { locale: null }))).toEqual(denied);
    expect(outcome(await as(`PUT /redirects/${mine}`, { target: '/c' }))).toEqual(done);
    const csv = `source,target,site,locale\n/x-${unique()},/y,other,de\n/z-${unique()},/y,other,\n/q-${unique()},/y,main,de\n`;
    const report = (await as('POST /redirects/import', { csv })).body.data;
    expect([report.created, report.errors.map(({ code }: { code: string }) => code)]).toEqual([
      1,
      ['permission_denied', 'permission_denied'],
    ]);
    expect(outcome(await as(`DELETE /redirects/${every}`))).toEqual(denied);
    expect(outcome(await as(`DELETE /redirects/${mine}`))).toEqual(done);
  });

  it('lets a limited member read and change their branch of the tree only', async () => {
    const key = scene.as(scene.project.keys.management);
    const folder = async (parentId: string | null) =>
      (await key('POST /tree/nodes', { siteId: scene.project.siteId, slug: unique(), parentId })).body.data
        .id as string;
    const top = await folder(null);
    const branch = await folder(top);
    const [below, beside] = [await folder(branch), await folder(top)];
    const as = await scene.member({ resource: 'tree', action: '*', scope: { treeNodeIds: [branch, below] } });
    const tree = (await as('GET /tree/main?flat=true')).body.data as { id: string; depth: number }[];
    expect(tree.map(({ id, depth }) => [id, depth])).toEqual([
      [branch, 1],
      [below, 2],
    ]);
    expect(outcome(await as('GET /tree/global'))).toEqual(done);
    expect(outcome(await as(`PUT /tree/nodes/${beside}`, { name: 'X' }))).toEqual([
      404,
      'tree_node_not_found',
    ]);
    expect(outcome(await as(`PUT /tree/nodes/${below}`, { name: unique() }))).toEqual(done);
    const create = (parentId: string | null) =>
      as('POST /tree/nodes', { siteId: scene.project.siteId, slug: unique(), parentId });
    expect(outcome(await create(branch))).toEqual([201, undefined]);
    expect(outcome(await create(beside))).toEqual([404, 'tree_node_not_found']);
    expect(outcome(await create(null))).toEqual(denied);
    expect(outcome(await as(`POST /tree/nodes/${below}/move`, { parentId: top }))).toEqual([
      404,
      'tree_node_not_found',
    ]);
    expect(outcome(await as(`POST /tree/nodes/${below}/move`, { parentId: null }))).toEqual(denied);
  });

  it('denies a limited member resources that no grant can be limited to', async () => {
    const as = await scene.member({ resource: '*', action: '*', scope: { siteIds: [scene.otherSiteId] } });
    for (const path of ['/roles', '/users', '/api-keys', '/custom-field-types', '/audit-events'])
      expect([path, outcome(await as(`GET ${path}`))]).toEqual([path, denied]);
    expect(outcome(await as('GET /sites'))).toEqual(done);
  });
});
