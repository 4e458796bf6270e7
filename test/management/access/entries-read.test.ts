import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { listed, openRights, outcome, type RightsScene } from './scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: RightsScene;
const ids: Record<'mine' | 'theirs' | 'author' | 'branch' | 'below', string> = {
  mine: '',
  theirs: '',
  author: '',
  branch: '',
  below: '',
};
let branchNode = '';

beforeAll(async () => {
  scene = await openRights(app());
  const { project, otherSiteId, article } = scene;
  const key = scene.as(project.keys.management);
  ids.mine = await article();
  ids.theirs = await article({}, { siteId: otherSiteId });
  ids.author = (
    await createEntry(app(), project, { contentTypeApiName: 'author', fields: { name: 'Ada' } })
  ).id;
  ids.branch = await article();
  ids.below = await article();
  const node = async (entryId: string, parentId: string | null) =>
    (await key('POST /tree/nodes', { siteId: project.siteId, entryId, parentId })).body.data.id as string;
  branchNode = await node(ids.branch, null);
  await node(ids.below, branchNode);
});

const sorted = (...names: (keyof typeof ids)[]) => names.map((name) => ids[name]).sort();

describe('Entries of a reader who is limited', () => {
  verifies('access/reading-limited-to-rows', 'access/reading-lists', 'access/roles-and-users');

  const cases = () => [
    { scope: {}, sees: sorted('mine', 'theirs', 'author', 'branch', 'below') },
    { scope: { siteIds: [scene.otherSiteId] }, sees: sorted('theirs') },
    { scope: { contentTypes: ['author'] }, sees: sorted('author') },
    { scope: { treeNodeIds: [branchNode] }, sees: sorted('branch', 'below') },
    { scope: { ownOnly: true }, sees: sorted() },
    {
      scope: { contentTypes: ['article'], siteIds: [scene.project.siteId] },
      sees: sorted('mine', 'branch', 'below'),
    },
    { scope: { environments: ['main'] }, sees: sorted('mine', 'theirs', 'author', 'branch', 'below') },
  ];

  it('limits lists, totals and single reads of entries to the grants of the reader', async () => {
    for (const { scope, sees } of cases()) {
      const as = await scene.member({ resource: 'entries', action: 'read', scope });
      expect([scope, listed(await as('GET /entries?limit=100'))]).toEqual([
        scope,
        { ids: sees, total: sees.length },
      ]);
      const filtered = await as('GET /entries?q=a&status=draft&limit=1');
      expect([scope, filtered.body.meta.total]).toEqual([scope, sees.length]);
      for (const id of Object.values(ids)) {
        const reads = [
          '',
          '/versions',
          '/versions/1',
          '/versions/diff?from=1&to=1',
          '/references',
          '/validation',
        ]
          .filter((suffix) => suffix !== '/validation')
          .map((suffix) => as(`GET /entries/${id}${suffix}`));
        const answers = (await Promise.all(reads)).map(outcome);
        const expected = sees.includes(id) ? [200, undefined] : [404, 'entry_not_found'];
        expect([scope, id, answers]).toEqual([scope, id, answers.map(() => expected)]);
      }
    }
  });

  it('returns the same 404 for entries outside the grants as for missing ones', async () => {
    const as = await scene.member({
      resource: 'entries',
      action: '*',
      scope: { siteIds: [scene.otherSiteId] },
    });
    const missing = '0198c0de-0000-7000-8000-000000000000';
    const calls = (id: string) => [
      as(`PUT /entries/${id}`, { version: 1, fields: { title: 'Taken' } }),
      as(`DELETE /entries/${id}`),
      as(`POST /entries/${id}/publish`, {}),
      as(`POST /entries/${id}/duplicate`, {}),
      as(`POST /entries/${id}/preview`, {}),
      as(`POST /entries/${id}/restore`, { versionNum: 1 }),
    ];
    const [foreign, none] = await Promise.all([Promise.all(calls(ids.mine)), Promise.all(calls(missing))]);
    expect(foreign.map(({ status, body }) => [status, body])).toEqual(
      none.map(({ status, body }) => [status, body]),
    );
    expect(foreign.map(({ status }) => status)).toEqual(foreign.map(() => 404));
  });

  it('shows references to entries outside the grants as links, and omits them as references', async () => {
    const { project, article } = scene;
    const referring = await article({ author: { _ref: ids.author } });
    const as = await scene.member({
      resource: 'entries',
      action: 'read',
      scope: { contentTypes: ['article'] },
    });
    const read = await as(`GET /entries/${referring}?include=1`);
    expect(read.body.data.fields.author).toEqual({ _ref: ids.author, _type: 'author' });
    const authors = await scene.member({
      resource: 'entries',
      action: 'read',
      scope: { contentTypes: ['author'] },
    });
    const references = await authors(`GET /entries/${ids.author}/references`);
    expect([references.body.data, references.body.meta.total]).toEqual([[], 0]);
    const all = await scene.as(project.keys.management)(`GET /entries/${ids.author}/references`);
    expect(all.body.meta.total).toBe(1);
    await scene.as(project.keys.management)(`DELETE /entries/${referring}`);
  });

  it('combines several grants of a reader', async () => {
    const as = await scene.member(
      { resource: 'entries', action: 'read', scope: { siteIds: [scene.otherSiteId] } },
      { resource: 'entries', action: 'read', scope: { contentTypes: ['author'] } },
    );
    expect(listed(await as('GET /entries'))).toEqual({ ids: sorted('theirs', 'author'), total: 2 });
  });

  it('does not apply grants of another environment', async () => {
    const roleGrant = { resource: 'entries', action: 'read' };
    const as = await scene.member({ ...roleGrant, resource: 'sites' });
    expect(outcome(await as('GET /entries'))).toEqual([403, 'permission_denied']);
    expect((await as('GET /entries')).body.details).toEqual({ resource: 'entries', action: 'read' });
  });
});
