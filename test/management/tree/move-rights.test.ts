import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createFolder, createLivePage, createPage, createPageType } from '../../support/factories/tree.js';
import { sessionWith, type TestGrant } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { change } from '../entries/history.js';
import { editorRole, member } from '../workflows/definitions.js';

const app = useApp();

const reading: TestGrant[] = ['entries', 'tree', 'sites', 'contentTypes'].map((resource) => ({
  resource,
  action: 'read',
}));
const updating = (scope: object = {}): TestGrant => ({ resource: 'entries', action: 'update', scope });
const moving: TestGrant = { resource: 'tree', action: 'update' };

async function withPage() {
  const desk = await openDesk(app());
  await createPageType(app(), desk.project);
  const page = await createLivePage(app(), desk.project, { slug: 'page' });
  const folder = await createFolder(app(), desk.project, { slug: 'folder' });
  const as = async (rights: string | TestGrant[]): Promise<Desk> =>
    desk.as(await sessionWith(app(), desk.project, rights));
  return { desk, page, folder, as };
}

describe('Moving a page', () => {
  verifies('access/grants-for-moves');

  it.each<[string, string | TestGrant[]]>([
    ['those who may update one locale', [...reading, updating({ locales: ['de'] })]],
    ['those who may update one field', [...reading, updating({ fields: ['title'] })]],
    ['those who may update all of it, but not the tree', [...reading, updating()]],
    ['those who may update the tree and another locale', [...reading, updating({ locales: ['de'] }), moving]],
    ['translators', 'translator'],
  ])('is refused to %s, by any operation', async (_name, rights) => {
    const { page, folder, as } = await withPage();
    const limited = await as(rights);
    const parentId = folder.id;
    const asked = [
      await change(limited, page.id, { treeParentId: parentId }),
      await limited.post(`/tree/nodes/${String(page.treeNodeId)}/move`, { parentId }),
    ];
    expect(asked.map(outcome)).toEqual(asked.map(() => [403, 'permission_denied']));
    const bulk = await limited.post('/entries/bulk', {
      action: 'move',
      entryIds: [page.id],
      params: { treeParentId: parentId },
    });
    expect(JSON.stringify(bulk.body)).toMatch(/permission_denied/);
  });

  it('is permitted to those who may update the tree and its published locales', async () => {
    const { page, folder, as } = await withPage();
    const limited = await as([...reading, updating({ locales: ['en'] }), moving]);
    expect(outcome(await change(limited, page.id, { treeParentId: folder.id }))).toEqual([200, undefined]);
    const back = await limited.post(`/tree/nodes/${String(page.treeNodeId)}/move`, { parentId: null });
    expect(outcome(back)).toEqual([200, undefined]);
  });

  it('asks for the permission on the tree for drafts, and for nothing where nothing moves', async () => {
    const { desk, folder, as } = await withPage();
    const draft = await createPage(app(), desk.project, { slug: 'draft' });
    const limited = await as([...reading, updating()]);
    const moved = await change(limited, draft.id, { treeParentId: folder.id });
    expect(outcome(moved)).toEqual([403, 'permission_denied']);
    const kept = await change(limited, draft.id, { treeParentId: null });
    expect(outcome(kept)).toEqual([200, undefined]);
  });
});

describe('Assigning an entry', () => {
  verifies('access/grants-for-assigning');

  it('needs the permission to update every locale and field of it', async () => {
    const { desk, page, as } = await withPage();
    const byField = await as([...reading, updating({ fields: ['title'] })]);
    const user = await member(desk, await editorRole(desk));
    const fields = { title: 'Changed' };
    const body = { assigneeId: user.id, fields };
    expect(outcome(await change(byField, page.id, body))).toEqual([403, 'permission_denied']);
    const whole = await as([...reading, updating()]);
    expect(outcome(await change(whole, page.id, body))).toEqual([200, undefined]);
  });

  it('needs the same in bulk, and no permission to make transitions', async () => {
    const { desk, page, as } = await withPage();
    const user = await member(desk, await editorRole(desk));
    const params = { assigneeId: user.id };
    const body = { action: 'assign', entryIds: [page.id], params };
    const outcomes = async (actor: Desk) => {
      const answer = await actor.post('/entries/bulk', body);
      if (answer.status !== 200) throw new Error(answer.text);
      const { results } = answer.body.data as {
        results: { ok: boolean; error?: string }[];
      };
      return results.map(({ ok, error }) => [ok, error]);
    };
    const byField = await as([...reading, updating({ fields: ['title'] })]);
    expect(await outcomes(byField)).toEqual([[false, 'permission_denied']]);
    const mover = await as([...reading, { resource: 'entries', action: 'transition' }]);
    expect(await outcomes(mover)).toEqual([[false, 'permission_denied']]);
    expect(await outcomes(await as([...reading, updating()]))).toEqual([[true, undefined]]);
  });
});
