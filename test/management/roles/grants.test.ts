import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { createArticleTypes, createType } from '../../support/factories/content.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { createRole, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

const MISSING = '0198c0de-0000-7000-8000-000000000000';
const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
  await createArticleTypes(app(), project);
});

const call = (line: string, body?: object) => {
  const [method, path] = line.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
  return send(app(), { method, path: `${project.management}${path}`, body, key: project.keys.management });
};

const grant = async (roleId: string, body: object) => call(`POST /roles/${roleId}/permissions`, body);

describe('Grants', () => {
  verifies('access/roles-and-users', 'access/grants');

  it('adds, lists and deletes grants', async () => {
    const roleId = await createRole(app(), project, []);
    const scope = {
      contentTypes: ['article'],
      siteIds: [project.siteId],
      locales: ['de'],
      fields: ['title', '_slug'],
    };
    const made = await grant(roleId, { resource: 'entries', action: 'update', scope });
    expect(made.status).toBe(201);
    expect(made.body.data.scope).toEqual({ ...scope, fields: ['_slug', 'title'] });
    const { body } = await call(`GET /roles/${roleId}/permissions`);
    expect([body.data, body.meta.total]).toEqual([[made.body.data], 1]);
    const { id } = made.body.data;
    expect((await call(`DELETE /roles/${roleId}/permissions/${id}`)).body.data).toEqual({
      id,
      deleted: true,
    });
    expect((await call(`DELETE /roles/${roleId}/permissions/${id}`)).body.error).toBe('grant_not_found');
  });

  it('returns the existing grant for an equal one in any spelling', async () => {
    const roleId = await createRole(app(), project, []);
    const first = await grant(roleId, {
      resource: 'entries',
      action: 'read',
      scope: { contentTypes: ['article', 'author'], siteIds: [] },
    });
    const again = await grant(roleId, {
      resource: 'entries',
      action: 'read',
      scope: { contentTypes: ['author', 'article', 'author'], ownOnly: false },
    });
    expect([again.status, again.body.data, again.body.meta]).toEqual([
      200,
      first.body.data,
      { duplicate: true },
    ]);
    expect((await call(`GET /roles/${roleId}/permissions`)).body.meta.total).toBe(1);
  });

  it('returns 404 for unknown references in the scope of a grant', async () => {
    const roleId = await createRole(app(), project, []);
    const cases = [
      [{ contentTypes: ['article', 'nothing'] }, 'content_type_not_found', ['scope', 'contentTypes', 1]],
      [{ siteIds: [MISSING] }, 'site_not_found', ['scope', 'siteIds', 0]],
      [{ locales: ['it'] }, 'locale_not_found', ['scope', 'locales', 0]],
      [{ environments: ['nowhere'] }, 'environment_not_found', ['scope', 'environments', 0]],
      [{ treeNodeIds: [MISSING] }, 'tree_node_not_found', ['scope', 'treeNodeIds', 0]],
    ] as const;
    for (const [scope, error, path] of cases) {
      const { status, body } = await grant(roleId, { resource: 'entries', action: 'update', scope });
      expect([status, body.error, body.details]).toEqual([404, error, { path }]);
    }
  });

  it('returns 422 for a read grant limited to locales or fields', async () => {
    const roleId = await createRole(app(), project, []);
    const { status, body } = await grant(roleId, {
      resource: 'entries',
      action: 'read',
      scope: { locales: ['de'] },
    });
    expect([status, body.details.issues[0].path]).toEqual([422, ['scope', 'locales']]);
  });

  it('shows a renamed content type in grants under its new name', async () => {
    const before = `kind${unique()}`;
    await createType(app(), project, { apiName: before, fields: [{ apiName: 'title', type: 'text' }] });
    const roleId = await createRole(app(), project, [
      { resource: 'entries', action: 'read', scope: { contentTypes: [before] } },
    ]);
    await call(`POST /content-types/${before}/rename`, { apiName: `${before}Now` });
    const { body } = await call(`GET /roles/${roleId}/permissions`);
    expect(body.data[0].scope).toEqual({ contentTypes: [`${before}Now`] });
  });

  it('lists the grants of system roles with stable ids', async () => {
    const id = await systemRoleId(app(), project, 'author');
    const [once, twice] = [
      await call(`GET /roles/${id}/permissions`),
      await call(`GET /roles/${id}/permissions?limit=2`),
    ];
    expect(twice.body.data).toEqual(once.body.data.slice(0, 2));
    expect(once.body.data).toContainEqual(
      expect.objectContaining({ resource: 'entries', action: 'delete', scope: { ownOnly: true } }),
    );
  });

  it('returns 422 for grants with unknown resources or actions', async () => {
    const roleId = await createRole(app(), project, []);
    const bodies = [
      { resource: 'everything', action: 'read' },
      { resource: 'entries', action: 'look' },
      { resource: 'entries', action: 'read', scope: { planets: ['mars'] } },
    ];
    for (const body of bodies) expect((await grant(roleId, body)).status).toBe(422);
  });
});
