import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CallerRights, EnterableProject, Me } from '../../../contracts/access/me/caller.js';
import type { OperationMeta } from '../../../contracts/metadata.js';
import { declared, type Credential } from '../../contracts/declared-access.js';
import { rowOf } from '../../resources/index.js';
import { must } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { branch } from '../../support/factories/branch.js';
import { superAdmin, unique } from '../../support/factories/project.js';
import { createFolder } from '../../support/factories/tree.js';
import { createMember, createRole, sessionWith, systemRoleId } from '../../support/members.js';
import { operations } from '../../support/operations.js';
import { platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

async function rights(caller: Desk): Promise<CallerRights> {
  const answer = await caller.get('/me');
  expect(outcome(answer)).toEqual([200, undefined]);
  return (answer.body as { data: CallerRights }).data;
}

const limitsOf = ({ operations: permitted }: CallerRights, name: string) =>
  permitted.find((one) => one.name === name)?.limits;

const projectsOf = (key: string, query = '') =>
  must<EnterableProject[]>(app(), { method: 'GET', path: `/api/v1/me/projects${query}`, key });

/** The gate admits who may read environments; the use case asks for what the promotion contains. */
const withFurtherChecks: ReadonlySet<string> = new Set([
  'promotions.diff',
  'promotions.get',
  'promotions.list',
]);

describe('The rights of a caller', () => {
  verifies('access/rights-of-caller');

  const isCompared = (name: string, { audience }: OperationMeta): boolean =>
    (audience === 'management' || audience === 'delivery') && !withFurtherChecks.has(name);

  const declaredFor = (credential: Credential): string[] =>
    operations
      .filter(({ name, meta }) => {
        const { access } = rowOf(name);
        return isCompared(name, meta) && declared(access, credential) === 'passed';
      })
      .map(({ name }) => name)
      .sort();

  const answered = async (key: string): Promise<string[]> => {
    const { operations: permitted } = await rights(desk.as(key));
    const ofProject = new Set(
      operations.filter(({ name, meta }) => isCompared(name, meta)).map(({ name }) => name),
    );
    return permitted
      .map(({ name }) => name)
      .filter((name) => ofProject.has(name))
      .sort();
  };

  it.each(['owner', 'developer', 'editor', 'author', 'translator', 'viewer'] as const)(
    'are those of the role %s',
    async (role) => {
      const token = await sessionWith(app(), desk.project, role);
      expect(await answered(token)).toEqual(declaredFor({ kind: 'member', role }));
    },
  );

  it.each([undefined, 'read', 'publish'])('are those of an API key with the action %s', async (action) => {
    const permissions = action === undefined ? [] : [action];
    const { secret } = await desk.newKey({ type: 'management', permissions });
    const credential: Credential = {
      kind: 'key',
      type: 'management',
      ...(action !== undefined && { action }),
    };
    expect(await answered(secret)).toEqual(declaredFor(credential));
  });

  it('say where grants are limited, and nothing where another grant is not', async () => {
    const { project } = desk;
    const folder = await createFolder(app(), project, { slug: unique() });
    const other = await createFolder(app(), project, { slug: unique() });
    const site = (await desk.post('/sites', { slug: unique(), name: 'Site' })).body.data as { id: string };
    const grants = [
      { resource: 'entries', action: 'read' },
      { resource: 'entries', action: 'read', scope: { contentTypes: ['article'] } },
      { resource: 'entries', action: 'update', scope: { locales: ['de'], fields: ['title'] } },
      { resource: 'entries', action: 'update', scope: { contentTypes: ['author'], ownOnly: true } },
      { resource: 'entries', action: 'publish', scope: { contentTypes: ['article'], locales: ['fr'] } },
      { resource: 'entries', action: 'create', scope: { fields: ['_slug'] } },
      { resource: 'tree', action: 'update', scope: { treeNodeIds: [folder.id] } },
      { resource: 'tree', action: 'delete', scope: { treeNodeIds: [other.id] } },
      { resource: 'redirects', action: 'update', scope: { siteIds: [project.siteId] } },
      { resource: 'redirects', action: 'delete', scope: { siteIds: [site.id] } },
      { resource: 'views', action: 'create', scope: { contentTypes: ['article'] } },
    ];
    const found = await rights(desk.as(await sessionWith(app(), project, grants)));
    const anywhere = { ownOnly: false, draftsOnly: false };
    expect(found.caller.type).toBe('user');
    expect(limitsOf(found, 'entries.get')).toEqual([]);
    expect(limitsOf(found, 'entries.update')).toEqual([
      { locales: ['de'], fields: ['title'], ...anywhere },
      { contentTypes: ['author'], ownOnly: true, draftsOnly: false },
    ]);
    expect(limitsOf(found, 'entries.publish')).toEqual([
      { contentTypes: ['article'], locales: ['fr'], ...anywhere },
    ]);
    expect(limitsOf(found, 'entries.create')).toEqual([{ fields: ['_slug'], ...anywhere }]);
    expect(limitsOf(found, 'redirects.update')).toEqual([{ siteIds: [project.siteId], ...anywhere }]);
    expect(limitsOf(found, 'redirects.delete')).toEqual([{ siteIds: [site.id], ...anywhere }]);
    expect(limitsOf(found, 'tree.updateNode')).toEqual([{ treeNodeIds: [folder.id], ...anywhere }]);
    expect(limitsOf(found, 'tree.deleteNode')).toEqual([{ treeNodeIds: [other.id], ...anywhere }]);
    // Views have no content type, so the limited grant permits none of their operations.
    expect(limitsOf(found, 'views.create')).toBeUndefined();
    expect(limitsOf(found, 'entries.unpublish')).toBeUndefined();
  });

  it('are those in the environment of the call', async () => {
    const { project } = desk;
    const slug = await branch({ app: app(), project });
    await desk.put(`/environments/${slug}`, { isProtected: true });
    const scope = { environments: [slug] };
    const token = await sessionWith(app(), project, [{ resource: 'entries', action: 'update', scope }]);
    const [inMain, inBranch] = [await rights(desk.as(token)), await rights(desk.as(token).in(slug))];
    expect([inMain.environment, limitsOf(inMain, 'entries.update')]).toEqual([
      { slug: 'main', isProtected: false },
      undefined,
    ]);
    expect([inBranch.environment, limitsOf(inBranch, 'entries.update')]).toEqual([
      { slug, isProtected: true },
      [],
    ]);
  });

  it('of a key for drafts name that limit', async () => {
    const { secret, id } = await desk.newKey({ type: 'management', draftOnly: true });
    const found = await rights(desk.as(secret));
    expect(found.caller).toMatchObject({ type: 'api_key', id });
    expect(limitsOf(found, 'entries.update')).toEqual([{ ownOnly: false, draftsOnly: true }]);
    expect(limitsOf(found, 'entries.publish')).toBeUndefined();
  });

  it('name the project, another one of the tenant as well', async () => {
    const slug = `p-${unique()}`;
    const { tenantSlug } = desk.project;
    const made = await platform(app(), `POST /tenants/${tenantSlug}/projects`, { slug, name: 'Canals' });
    expect(outcome(made)).toEqual([201, undefined]);
    const path = `/api/v1/projects/${slug}/me`;
    const found = await must<CallerRights>(app(), { method: 'GET', path, key: await superAdmin(app()) });
    expect(found.project).toMatchObject({ slug, name: 'Canals' });
    expect((await rights(desk)).project).toMatchObject({ slug: desk.project.slug });
  });

  it('are not told to those outside the project, or to suspended members', async () => {
    const stranger = await sessionWith(app(), (await openDesk(app())).project, 'owner');
    expect(outcome(await desk.as(stranger).get('/me'))).toEqual([403, 'wrong_project']);
    const without = await createMember(app(), desk.project, [await createRole(app(), desk.project, [])]);
    expect(outcome(await desk.as(without.token).get('/me'))).toEqual([403, 'permission_denied']);
  });
});

describe('The account of a caller', () => {
  verifies('access/me');

  it('has its tenant, which a super-admin has not', async () => {
    const { project } = desk;
    const member = await createMember(app(), project, []);
    const get = (key: string) => must<Me>(app(), { method: 'GET', path: '/api/v1/me', key });
    expect(await get(member.token)).toEqual({
      id: member.id,
      email: member.email,
      name: 'Member',
      isSuperAdmin: false,
      language: null,
      timeZone: null,
      theme: null,
      hasPassword: true,
      needsSecondFactor: false,
      tenant: { id: project.tenantId, slug: project.tenantSlug, name: 'Tenant' },
    });
    expect(await get(await superAdmin(app()))).toMatchObject({ isSuperAdmin: true, tenant: null });
  });

  it('may enter the projects with a role, in the environments that its grants reach', async () => {
    const { project } = desk;
    const admin = await superAdmin(app());
    const slug = await branch({ app: app(), project });
    const made = await platform(app(), `POST /tenants/${project.tenantSlug}/projects`, {
      slug: `p-${unique()}`,
      name: 'Another',
    });
    const another = made.body.data as { id: string; slug: string };
    const scope = { environments: [slug] };
    const roleId = await createRole(app(), project, [{ resource: 'entries', action: 'read', scope }]);
    const member = await createMember(app(), project, [roleId]);
    await desk.put(`/environments/${slug}`, { isProtected: true });
    const reached = { slug, isDefault: false, isProtected: true };
    const first = { id: project.projectId, slug: project.slug, name: 'Project' };
    expect(await projectsOf(member.token)).toEqual([
      { ...first, tenantSlug: project.tenantSlug, environments: [reached] },
    ]);

    const owners = await must<{ id: string; slug: string }[]>(app(), {
      method: 'GET',
      path: `/api/v1/projects/${another.slug}/roles`,
      key: admin,
    });
    const viewer = owners.find((role) => role.slug === 'viewer')?.id ?? '';
    const body = { email: member.email, name: 'Member', roleIds: [viewer] };
    await must(app(), { method: 'POST', path: `/api/v1/projects/${another.slug}/users`, key: admin, body });
    const main = { slug: 'main', isDefault: true, isProtected: false };
    const entered = await projectsOf(member.token, '?orderBy=name:asc');
    expect(entered.map(({ id, environments }) => [id, environments])).toEqual([
      [another.id, [main]],
      [project.projectId, [reached]],
    ]);
    expect((await projectsOf(member.token, '?q=anoth')).map(({ id }) => id)).toEqual([another.id]);
    expect((await projectsOf(member.token, '?limit=1&page=2')).map(({ id }) => id)).toEqual([
      project.projectId,
    ]);
  });

  it('may not enter where it is suspended or its tenant is deactivated', async () => {
    const closing = await openDesk(app());
    const { project } = closing;
    const owner = await systemRoleId(app(), project, 'admin');
    const member = await createMember(app(), project, [owner]);
    expect((await projectsOf(member.token)).map(({ slug }) => slug)).toEqual([project.slug]);
    await closing
      .as(await superAdmin(app()))
      .put(`/users/${member.id}`, { roleIds: [owner], status: 'suspended' });
    expect(await projectsOf(member.token)).toEqual([]);
    const all = async () =>
      (await projectsOf(await superAdmin(app()), `?q=${project.slug}`)).map(({ id }) => id);
    expect(await all()).toEqual([project.projectId]);
    await platform(app(), `DELETE /tenants/${project.tenantSlug}`);
    expect(await all()).toEqual([]);
  });
});
