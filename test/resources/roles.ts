import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { leads, builders, at, type Table } from './row.js';

const role = ({ app, project: { management, keys } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/roles`,
    key: keys.management,
    body: { name: `Role ${unique()}` },
  });

export const roles: Table<'roles'> = {
  list: { access: builders('read'), example: inProject(() => ({})) },
  create: { access: leads('create'), example: inProject(() => ({ name: `Role ${unique()}` })) },
  get: { access: builders('read'), example: inProject(async (scene) => ({ id: (await role(scene)).id })) },
  update: {
    access: leads('update'),
    example: inProject(async (scene) => ({ id: (await role(scene)).id, name: `Role ${unique()}` })),
  },
  delete: { access: leads('delete'), example: inProject(async (scene) => ({ id: (await role(scene)).id })) },
  listGrants: {
    access: builders('read'),
    example: inProject(async (scene) => ({ roleId: (await role(scene)).id })),
  },
  createGrant: {
    access: leads('update'),
    example: inProject(async (scene) => ({
      roleId: (await role(scene)).id,
      resource: 'entries',
      action: 'read',
    })),
    foreignIds: [at('site', 'scope', 'siteIds', 0), at('node', 'scope', 'treeNodeIds', 0)],
  },
  deleteGrant: {
    access: leads('update'),
    example: inProject(async (scene) => {
      const { app, project } = scene;
      const { id: roleId } = await role(scene);
      const path = `${project.management}/roles/${roleId}/permissions`;
      const body = { resource: 'entries', action: 'read' };
      const grant = await must(app, { method: 'POST', path, key: project.keys.management, body });
      return { roleId, grantId: grant.id };
    }),
  },
};
