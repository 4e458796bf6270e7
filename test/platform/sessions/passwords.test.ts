import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { outcome, useOwnApp } from '../../support/desk.js';
import {
  createAdmin,
  createProject,
  superAdmin,
  unique,
  type TestProject,
} from '../../support/factories/project.js';
import { createMember, memberPassword, systemRoleId, type TestMember } from '../../support/members.js';
import { platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

let now = new Date();
const app = useOwnApp({ clock: () => now });

beforeEach(() => {
  now = new Date();
});

const newPassword = 'a new password of theirs';

const post = (path: string, body: object, key?: string) =>
  send(app(), { method: 'POST', path: `/api/v1/auth/${path}`, body, key });
const login = (email: string, password: string) => post('login', { email, password });
const change = (token: string | undefined, currentPassword: string) =>
  post('password', { currentPassword, newPassword }, token);
const spend = (resetToken: string) => post('password-reset', { resetToken, newPassword });
const sites = (project: TestProject, key: string) =>
  send(app(), { method: 'GET', path: `${project.management}/sites`, key });
const reset = (project: TestProject, id: string, key: string) =>
  send(app(), { method: 'POST', path: `${project.management}/users/${id}/password-reset`, key });

async function memberAs(project: TestProject, ...roles: string[]): Promise<TestMember> {
  const ids = await Promise.all(roles.map((role) => systemRoleId(app(), project, role)));
  return createMember(app(), project, ids);
}

async function tokenFor(project: TestProject, id: string): Promise<string> {
  const { status, body } = await reset(project, id, await superAdmin(app()));
  expect([status, body.data]).toEqual([
    200,
    {
      resetToken: expect.stringMatching(/^hwt_[0-9a-f]{64}$/),
      url: expect.stringContaining(`/admin/password#token=${body.data.resetToken as string}`),
      mailedTo: null,
      expiresAt: expect.any(String),
    },
  ]);
  return body.data.resetToken as string;
}

async function actionsOn(userId: string): Promise<string[]> {
  const records = await app().rows<{ action: string }>(
    null,
    "SELECT action FROM audit_events WHERE target->>'id' = $1 AND action LIKE 'user.password%' ORDER BY id",
    [userId],
  );
  return records.map(({ action }) => action);
}

describe('POST auth/password', () => {
  verifies('access/passwords');

  it('replaces the password, ends all sessions and is audited', async () => {
    const project = await createProject(app());
    const { id, email, token } = await memberAs(project, 'viewer');
    const other = (await login(email, memberPassword)).body.data;
    const { status, body, headers } = await change(token, memberPassword);
    expect([status, body, headers['cache-control']]).toEqual([200, { data: { changed: true } }, 'no-store']);
    for (const ended of [token, other.accessToken as string])
      expect(outcome(await sites(project, ended))).toEqual([401, 'invalid_session']);
    expect(outcome(await post('refresh', { refreshToken: other.refreshToken }))).toEqual([
      401,
      'invalid_session',
    ]);
    expect(outcome(await login(email, memberPassword))).toEqual([401, 'invalid_credentials']);
    expect((await login(email, newPassword)).status).toBe(200);
    expect(await actionsOn(id)).toEqual(['user.password_change']);
  });

  it('works for a super-admin', async () => {
    const { email, password } = await createAdmin(app());
    const token = (await login(email, password)).body.data.accessToken as string;
    expect((await change(token, password)).status).toBe(200);
    expect((await login(email, newPassword)).status).toBe(200);
  });

  it('returns an error for a wrong password, a short one, a key and no credential', async () => {
    const project = await createProject(app());
    const { email, token } = await memberAs(project, 'viewer');
    expect(outcome(await change(token, 'not the password'))).toEqual([401, 'invalid_credentials']);
    const short = { currentPassword: memberPassword, newPassword: 'short' };
    expect(outcome(await post('password', short, token))).toEqual([422, 'validation_failed']);
    expect(outcome(await change(project.keys.management, memberPassword))).toEqual([403, 'wrong_key_type']);
    expect(outcome(await change(undefined, memberPassword))).toEqual([401, 'unauthorized']);
    expect((await login(email, memberPassword)).status).toBe(200);
  });
});

describe('A password reset', () => {
  verifies('access/passwords');

  it('sets a password once, ends all sessions and is audited', async () => {
    const project = await createProject(app());
    const { id, email, token } = await memberAs(project, 'viewer');
    const resetToken = await tokenFor(project, id);
    expect((await sites(project, token)).status).toBe(200);
    const stored = await app().rows<{ text: string }>(
      null,
      'SELECT password_resets::text AS text FROM password_resets WHERE user_id = $1',
      [id],
    );
    expect(stored.map(({ text }) => text.includes(resetToken.slice(4)))).toEqual([false]);
    expect((await spend(resetToken)).body).toEqual({ data: { changed: true } });
    expect(outcome(await sites(project, token))).toEqual([401, 'invalid_session']);
    expect(outcome(await spend(resetToken))).toEqual([401, 'invalid_reset_token']);
    expect(outcome(await login(email, memberPassword))).toEqual([401, 'invalid_credentials']);
    expect((await login(email, newPassword)).status).toBe(200);
    expect(await actionsOn(id)).toEqual(['user.password_reset_request', 'user.password_reset']);
  });

  it('activates an invited account', async () => {
    const project = await createProject(app());
    const email = `${unique()}@example.com`;
    const path = `${project.management}/users`;
    const made = await send(app(), { method: 'POST', path, key: project.keys.management, body: { email } });
    await spend(await tokenFor(project, made.body.data.id as string));
    expect((await login(email, newPassword)).status).toBe(200);
  });

  it('is invalid after an hour, after a later one, and after a change of the password', async () => {
    const project = await createProject(app());
    const { id, token } = await memberAs(project, 'viewer');
    const first = await tokenFor(project, id);
    const second = await tokenFor(project, id);
    expect(outcome(await spend(first))).toEqual([401, 'invalid_reset_token']);
    expect((await change(token, memberPassword)).status).toBe(200);
    expect(outcome(await spend(second))).toEqual([401, 'invalid_reset_token']);
    const third = await tokenFor(project, id);
    now = new Date(now.getTime() + 3_600_000);
    expect(outcome(await spend(third))).toEqual([401, 'invalid_reset_token']);
  });

  it('is requested by owners, admins and super-admins, not by keys and other roles', async () => {
    const project = await createProject(app());
    const [owner, admin, editor, target] = [
      await memberAs(project, 'owner'),
      await memberAs(project, 'admin'),
      await memberAs(project, 'editor'),
      await memberAs(project, 'viewer'),
    ];
    for (const { token } of [owner, admin]) expect((await reset(project, target.id, token)).status).toBe(200);
    for (const key of [editor.token, project.keys.management])
      expect(outcome(await reset(project, target.id, key))).toEqual([403, 'permission_denied']);
    expect(outcome(await reset(project, owner.id, admin.token))).toEqual([403, 'privilege_escalation']);
    expect((await reset(project, owner.id, owner.token)).status).toBe(200);
  });

  it('is refused to a lead of one project when the account has another', async () => {
    const project = await createProject(app());
    const slug = `p-${unique()}`;
    await platform(app(), `POST /tenants/${project.tenantSlug}/projects`, { slug, name: 'Second' });
    const owner = await memberAs(project, 'owner');
    const target = await memberAs(project, 'viewer');
    const path = `/api/v1/projects/${slug}/users`;
    const body = { email: target.email };
    await send(app(), { method: 'POST', path, key: await superAdmin(app()), body });
    expect(outcome(await reset(project, target.id, owner.token))).toEqual([403, 'privilege_escalation']);
    expect((await reset(project, target.id, await superAdmin(app()))).status).toBe(200);
  });

  it('is refused in the tRPC batch of a call that keys may make', async () => {
    const project = await createProject(app());
    const { id } = await memberAs(project, 'viewer');
    const input = { projectSlug: project.slug, id };
    const { body } = await send(app(), {
      method: 'POST',
      path: '/api/trpc/users.update,users.resetPassword?batch=1',
      body: { 0: { ...input, name: 'Renamed' }, 1: input },
      key: project.keys.management,
    });
    const codes = (body as { error?: { data: { error: string } } }[]).map(({ error }) => error?.data.error);
    expect(codes).toEqual([undefined, 'permission_denied']);
  });
});

describe('A deactivated tenant', () => {
  verifies('access/login-to-inactive-tenant');

  it('returns 403 for login, refresh and both ways to set a password', async () => {
    const project = await createProject(app());
    const { id, email, token } = await memberAs(project, 'viewer');
    const { refreshToken } = (await login(email, memberPassword)).body.data as { refreshToken: string };
    const resetToken = await tokenFor(project, id);
    await platform(app(), `DELETE /tenants/${project.tenantSlug}`);
    const answers = [
      await login(email, memberPassword),
      await post('refresh', { refreshToken }),
      await change(token, memberPassword),
      await spend(resetToken),
    ];
    for (const answer of answers) expect(outcome(answer)).toEqual([403, 'tenant_inactive']);
    expect(outcome(await login(email, 'a wrong password'))).toEqual([401, 'invalid_credentials']);
    await platform(app(), `PUT /tenants/${project.tenantSlug}`, { status: 'active' });
    expect((await login(email, memberPassword)).status).toBe(200);
  });
});
