import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { must, send } from '../../support/call.js';
import { createProject, superAdmin, unique, type TestProject } from '../../support/factories/project.js';
import { createMember, systemRoleId } from '../../support/members.js';
import { platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

let app: TestApp;
let project: TestProject;
let viewer: string;
let now = new Date();

beforeAll(async () => {
  app = await startTestApp({ clock: () => now });
  project = await createProject(app);
  viewer = await systemRoleId(app, project, 'viewer');
});

afterAll(() => app.close());

const callAs = (key: string) => (line: string, body?: object) => {
  const [method, path] = line.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
  return send(app, { method, path: `${project.management}${path}`, body, key });
};
const call = (line: string, body?: object) => callAs(project.keys.management)(line, body);

describe('Users', () => {
  verifies('access/roles-and-users', 'access/members', 'access/user-creation');

  it('invites, lists, returns and removes users', async () => {
    const email = `Ada.${unique()}@example.com`;
    const made = await call('POST /users', { email, roleIds: [viewer] });
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(`${project.management}/users/${made.body.data.id}`);
    const { invitationUrl, ...user } = made.body.data;
    expect(invitationUrl).toBeNull();
    expect(user).toEqual({
      id: expect.any(String),
      email,
      name: email.split('@')[0],
      avatarUrl: null,
      roles: [{ id: viewer, name: 'Viewer' }],
      status: 'invited',
      invitation: null,
      secondFactor: false,
      lastActiveAt: null,
      createdAt: expect.any(String),
    });
    const { id } = user;
    expect((await call(`GET /users/${id}`)).body.data).toEqual(user);
    const found = await call(`GET /users?roleId=${viewer}&q=${email.slice(0, 12).toLowerCase()}`);
    expect([found.body.data, found.body.meta.total]).toEqual([[user], 1]);
    expect((await call(`DELETE /users/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await call(`GET /users/${id}`)).body.error).toBe('user_not_found');
    expect((await call('POST /users', { email })).body.data.id).toBe(id);
  });

  it('keeps one account per address and tenant, and says nothing of other tenants', async () => {
    const other = await createProject(app);
    const { id, email } = await createMember(app, project, []);
    const invite = () =>
      send(app, {
        method: 'POST',
        path: `${other.management}/users`,
        key: other.keys.management,
        body: { email: email.toUpperCase() },
      });
    const theirs = await invite();
    expect([theirs.status, theirs.body.data.id === id]).toEqual([201, false]);
    for (const again of [await invite(), await call('POST /users', { email })])
      expect([again.status, again.body.error]).toEqual([409, 'email_conflict']);
  });

  it('revokes and restores permissions with the next request', async () => {
    const member = await createMember(app, project, [viewer]);
    const as = callAs(member.token);
    expect((await as('GET /sites')).status).toBe(200);
    await call(`PUT /users/${member.id}`, { roleIds: [] });
    expect((await as('GET /sites')).body.error).toBe('permission_denied');
    await call(`PUT /users/${member.id}`, { roleIds: [viewer] });
    expect((await as('GET /sites')).status).toBe(200);
    expect((await call(`PUT /users/${member.id}`, { status: 'suspended' })).body.data.status).toBe(
      'suspended',
    );
    expect((await as('GET /sites')).body.error).toBe('permission_denied');
    expect((await call(`PUT /users/${member.id}`, { status: 'active' })).body.data.status).toBe('active');
    expect((await as('GET /sites')).status).toBe(200);
    await call(`DELETE /users/${member.id}`);
    expect((await as('GET /sites')).body.error).toBe('wrong_project');
  });

  it('records the last activity to five minutes', async () => {
    const member = await createMember(app, project, [viewer]);
    const as = callAs(member.token);
    const seen = async () => (await call(`GET /users/${member.id}`)).body.data.lastActiveAt;
    await as('GET /sites');
    const first = await seen();
    expect(first).toBe(now.toISOString());
    now = new Date(now.getTime() + 60_000);
    await as('GET /sites');
    expect(await seen()).toBe(first);
    now = new Date(now.getTime() + 300_000);
    await as('GET /sites');
    expect(await seen()).toBe(now.toISOString());
  });

  it('isolates account changes between projects', async () => {
    const slug = `p-${unique()}`;
    await platform(app, `POST /tenants/${project.tenantSlug}/projects`, { slug, name: 'Second' });
    const { id, email } = await createMember(app, project, []);
    expect((await call(`PUT /users/${id}`, { name: 'New' })).body.data.name).toBe('New');
    const path = `/api/v1/projects/${slug}/users`;
    const key = await superAdmin(app);
    expect((await must(app, { method: 'POST', path, key, body: { email } })).id).toBe(id);
    const answers = [
      await call(`PUT /users/${id}`, { name: 'Other' }),
      await callAs(key)(`PUT /users/${id}`, { password: 'another password of theirs' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  });

  it('accepts an invitation with the first password', async () => {
    const email = `${unique()}@example.com`;
    const { id } = (await call('POST /users', { email, roleIds: [viewer] })).body.data;
    const password = 'the first password of theirs';
    const asAdmin = callAs(await superAdmin(app));
    expect((await asAdmin(`PUT /users/${id}`, { password })).body.data.status).toBe('active');
    const login = await send(app, { method: 'POST', path: '/api/v1/auth/login', body: { email, password } });
    expect(login.status).toBe(200);
    expect((await asAdmin(`PUT /users/${id}`, { password })).status).toBe(422);
  });

  it('returns an error for users with unknown roles', async () => {
    const foreign = await systemRoleId(app, await createProject(app), 'viewer');
    const { status, body } = await call('POST /users', {
      email: `${unique()}@example.com`,
      roleIds: [viewer, foreign],
    });
    expect([status, body.error, body.details]).toEqual([404, 'role_not_found', { path: ['roleIds', 1] }]);
  });
});

describe('The owner of a tenant', () => {
  verifies('access/tenant-owner', 'access/tenants');

  it('invites the owner with the tenant and makes them owner of each project', async () => {
    const [slug, first, second] = [unique(), unique(), unique()].map((text) => `s-${text}`);
    const ownerEmail = `${unique()}@example.com`;
    const body = { slug, name: 'Tenant', ownerEmail, project: { slug: first, name: 'First' } };
    expect((await platform(app, 'POST /tenants', body)).status).toBe(201);
    await platform(app, `POST /tenants/${slug}/projects`, { slug: second, name: 'Second' });
    const key = await superAdmin(app);
    for (const project of [first, second]) {
      const users = await must<object[]>(app, {
        method: 'GET',
        path: `/api/v1/projects/${project}/users`,
        key,
      });
      expect(users).toEqual([
        expect.objectContaining({
          email: ownerEmail,
          status: 'invited',
          roles: [expect.objectContaining({ name: 'Owner' })],
        }),
      ]);
    }
    const again = await platform(app, 'POST /tenants', { slug: `s-${unique()}`, name: 'Other', ownerEmail });
    expect(again.status).toBe(201);
  });
});

describe('A tenant’s limits', () => {
  verifies('access/tenant-limits');

  it('limits the projects and accounts of a tenant', async () => {
    const [slug, first] = [`s-${unique()}`, `s-${unique()}`];
    const limits = { projects: 1, users: 1 };
    const made = await platform(app, 'POST /tenants', {
      slug,
      name: 'Tenant',
      limits,
      project: { slug: first, name: 'First' },
    });
    expect(made.body.data.limits).toEqual(limits);
    const more = await platform(app, `POST /tenants/${slug}/projects`, {
      slug: `s-${unique()}`,
      name: 'Second',
    });
    expect([more.status, more.body.error]).toEqual([422, 'limit_reached']);
    const invite = async () =>
      send(app, {
        method: 'POST',
        path: `/api/v1/projects/${first}/users`,
        key: await superAdmin(app),
        body: { email: `${unique()}@example.com` },
      });
    expect((await invite()).status).toBe(201);
    expect((await invite()).body.error).toBe('limit_reached');
    const raised = await platform(app, `PUT /tenants/${slug}`, { limits: {} });
    expect(raised.body.data.limits).toEqual({});
    expect((await invite()).status).toBe(201);
  });
});
