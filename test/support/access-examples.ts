import type { Registry } from '../../contracts/index.js';
import { must } from './call.js';
import { unique } from './factories/project.js';
import { inProject, type Example, type Scene } from './scene.js';

type AccessExamples = {
  readonly [Group in 'roles' | 'users']: { readonly [Verb in keyof Registry[Group]]: Example };
};

const role = ({ app, project: { management, keys } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/roles`,
    key: keys.management,
    body: { name: `Role ${unique()}` },
  });

const user = ({ app, project: { management, keys } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/users`,
    key: keys.management,
    body: { email: `${unique()}@example.com` },
  });

/** Needed inputs of the operations on roles and users. */
export const accessExamples: AccessExamples = {
  roles: {
    list: inProject(() => ({})),
    create: inProject(() => ({ name: `Role ${unique()}` })),
    get: inProject(async (scene) => ({ id: (await role(scene)).id })),
    update: inProject(async (scene) => ({ id: (await role(scene)).id, name: `Role ${unique()}` })),
    delete: inProject(async (scene) => ({ id: (await role(scene)).id })),
    listGrants: inProject(async (scene) => ({ roleId: (await role(scene)).id })),
    createGrant: inProject(async (scene) => ({
      roleId: (await role(scene)).id,
      resource: 'entries',
      action: 'read',
    })),
    deleteGrant: inProject(async (scene) => {
      const { app, project } = scene;
      const { id: roleId } = await role(scene);
      const path = `${project.management}/roles/${roleId}/permissions`;
      const body = { resource: 'entries', action: 'read' };
      const grant = await must(app, { method: 'POST', path, key: project.keys.management, body });
      return { roleId, grantId: grant.id };
    }),
  },
  users: {
    list: inProject(() => ({})),
    create: inProject(() => ({ email: `${unique()}@example.com` })),
    get: inProject(async (scene) => ({ id: (await user(scene)).id })),
    update: inProject(async (scene) => ({ id: (await user(scene)).id, name: `Name ${unique()}` })),
    remove: inProject(async (scene) => ({ id: (await user(scene)).id })),
  },
};
