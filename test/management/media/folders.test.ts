import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { uploadAsset } from '../../support/factories/media.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
});

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  send(app(), {
    method,
    path: `${project.management}/media/folders${path}`,
    key: project.keys.management,
    body,
  });
const create = async (body: { name: string; parentId?: string | null }) =>
  (await call('POST', '', body)).body.data as { id: string; path: string };

describe('Media folders', () => {
  verifies('media/folders');

  it('nest, and show their path and the number of their assets', async () => {
    const [a, b] = [unique(), unique()];
    const parent = await create({ name: a });
    const child = await create({ name: b, parentId: parent.id });
    await uploadAsset(app(), project, { folderId: child.id });
    expect((await call('GET', `/${child.id}`)).body.data).toMatchObject({
      name: b,
      parentId: parent.id,
      path: `/${a}/${b}`,
      assetCount: 1,
    });
    const { body } = await call('GET', `?parentId=${parent.id}`);
    expect(body).toMatchObject({ data: [{ id: child.id }], meta: { total: 1 } });
  });

  it('have unique names in their parent', async () => {
    const name = unique();
    await create({ name });
    const again = await call('POST', '', { name });
    expect([again.status, again.body.error]).toEqual([409, 'folder_conflict']);
  });

  it('move with what is below, but not below themselves', async () => {
    const [a, b, c] = [unique(), unique(), unique()];
    const first = await create({ name: a });
    const second = await create({ name: b, parentId: first.id });
    const third = await create({ name: c });
    const cycle = await call('PUT', `/${first.id}`, { parentId: second.id });
    expect([cycle.status, cycle.body.error]).toEqual([409, 'folder_cycle']);
    const moved = await call('PUT', `/${first.id}`, { parentId: third.id });
    expect(moved.body.data.path).toBe(`/${c}/${a}`);
    expect((await call('GET', `/${second.id}`)).body.data.path).toBe(`/${c}/${a}/${b}`);
    expect((await call('PUT', `/${first.id}`, { parentId: null })).body.data.path).toBe(`/${a}`);
  });

  it('are limited in depth', async () => {
    let parentId: string | null = null;
    for (let level = 0; level < 10; level += 1) parentId = (await create({ name: unique(), parentId })).id;
    expect((await call('POST', '', { name: unique(), parentId })).body.error).toBe('limit_reached');
  });

  it('can be deleted only while they are empty', async () => {
    const parent = await create({ name: unique() });
    const child = await create({ name: unique(), parentId: parent.id });
    const asset = await uploadAsset(app(), project, { folderId: child.id });
    for (const { id } of [parent, child]) {
      const refused = await call('DELETE', `/${id}`);
      expect([refused.status, refused.body.error]).toEqual([409, 'folder_not_empty']);
    }
    const path = `${project.management}/media/${asset.id}`;
    await send(app(), { method: 'PUT', path, key: project.keys.management, body: { folderId: null } });
    expect((await call('DELETE', `/${child.id}`)).status).toBe(200);
    expect((await call('DELETE', `/${parent.id}`)).status).toBe(200);
  });

  it('count their assets, and lists those of all folders, as assets are moved and deleted', async () => {
    const [one, other] = [await create({ name: unique() }), await create({ name: unique() })];
    const path = `${project.management}/media`;
    const key = project.keys.management;
    const totals = () =>
      Promise.all(
        ['', `&folderId=${one.id}`, `&folderId=${other.id}`].map(async (query) => {
          const { body } = await send(app(), { method: 'GET', path: `${path}?limit=1${query}`, key });
          return (body as { meta: { total: number } }).meta.total;
        }),
      );
    const [before = 0] = await totals();
    const { id } = await uploadAsset(app(), project, { folderId: one.id });
    expect(await totals()).toEqual([before + 1, 1, 0]);
    await send(app(), { method: 'PUT', path: `${path}/${id}`, key, body: { folderId: other.id } });
    expect(await totals()).toEqual([before + 1, 0, 1]);
    await send(app(), { method: 'DELETE', path: `${path}/${id}`, key });
    expect(await totals()).toEqual([before, 0, 0]);
  });

  it('cannot be in folders of another tenant', async () => {
    const theirs = await createProject(app());
    const path = `${theirs.management}/media/folders`;
    const made = await send(app(), {
      method: 'POST',
      path,
      key: theirs.keys.management,
      body: { name: unique() },
    });
    const refused = await call('POST', '', { name: unique(), parentId: made.body.data.id });
    expect([refused.status, refused.body.error]).toEqual([404, 'media_folder_not_found']);
  });
});
