import type { TestApp } from './app.js';
import { must } from './call.js';
import { superAdmin, unique, type TestProject } from './factories/project.js';
import type { Scene } from './scene.js';

export const memberPassword = 'a password only members know';

export interface TestGrant {
  readonly resource: string;
  readonly action: string;
  readonly scope?: object;
}

export interface TestMember {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export async function systemRoleId(app: TestApp, project: TestProject, slug: string): Promise<string> {
  const path = `${project.management}/roles?limit=100`;
  const roles = await must<{ id: string; slug: string }[]>(app, {
    method: 'GET',
    path,
    key: await superAdmin(app),
  });
  return roles.find((role) => role.slug === slug)?.id ?? '';
}

export async function createRole(
  app: TestApp,
  project: TestProject,
  grants: readonly TestGrant[],
): Promise<string> {
  const key = await superAdmin(app);
  const path = `${project.management}/roles`;
  const role = await must(app, { method: 'POST', path, key, body: { name: `Role ${unique()}` } });
  for (const body of grants)
    await must(app, { method: 'POST', path: `${path}/${role.id}/permissions`, key, body });
  return role.id;
}

export async function createMember(
  app: TestApp,
  project: TestProject,
  roleIds: readonly string[],
  name = 'Member',
): Promise<TestMember> {
  const email = `member-${unique()}@example.com`;
  const { id } = await must(app, {
    method: 'POST',
    path: `${project.management}/users`,
    key: await superAdmin(app),
    body: { email, name, roleIds, password: memberPassword },
  });
  const session = await must<{ accessToken: string }>(app, {
    method: 'POST',
    path: '/api/v1/auth/login',
    body: { email, password: memberPassword },
  });
  return { id, email, token: session.accessToken };
}

const prepared = new WeakMap<object, TestMember>();

/** A new user, without roles unless given, whose account an example needs; the next call on an account in the scene is theirs. */
export async function prepareAccount(scene: Scene, roleIds: readonly string[] = []): Promise<TestMember> {
  const member = await createMember(scene.app, scene.project, roleIds);
  prepared.set(scene, member);
  return member;
}

/** The session of the prepared user, else of a new one: calls on an account may end its sessions. */
export async function accountSession(scene: Scene): Promise<string> {
  const { token } = prepared.get(scene) ?? (await prepareAccount(scene));
  prepared.delete(scene);
  return token;
}

/** The session token of a new user with a system role, or a new role with these grants. */
export async function sessionWith(
  app: TestApp,
  project: TestProject,
  rights: string | readonly TestGrant[],
): Promise<string> {
  const roleId =
    typeof rights === 'string'
      ? await systemRoleId(app, project, rights)
      : await createRole(app, project, rights);
  return (await createMember(app, project, [roleId])).token;
}
