import { must } from '../support/call.js';
import { superAdmin, unique } from '../support/factories/project.js';
import { createMember } from '../support/members.js';
import { inProject, type Scene } from '../support/scene.js';
import { enableSecondFactor } from '../support/second-factor.js';
import { leads, editors, at, type Table } from './row.js';

const user = ({ app, project: { management, keys } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/users`,
    key: keys.management,
    body: { email: `${unique()}@example.com` },
  });

/** With a link, which keys do not get. */
const invited = async ({ app, project: { management } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/users`,
    key: await superAdmin(app),
    body: { email: `${unique()}@example.com` },
  });

export const users: Table<'users'> = {
  list: { access: editors('read'), example: inProject(() => ({})), foreignIds: [at('role', 'roleId')] },
  create: {
    access: leads('create'),
    example: inProject(() => ({ email: `${unique()}@example.com` })),
    foreignIds: [at('role', 'roleIds', 0)],
  },
  get: { access: editors('read'), example: inProject(async (scene) => ({ id: (await user(scene)).id })) },
  update: {
    access: leads('update'),
    example: inProject(async (scene) => ({ id: (await user(scene)).id, name: `Name ${unique()}` })),
    foreignIds: [at('role', 'roleIds', 0)],
  },
  resetPassword: {
    access: leads('none'),
    example: inProject(async (scene) => ({ id: (await user(scene)).id })),
  },
  invite: {
    access: leads('none'),
    example: inProject(async (scene) => ({ id: (await user(scene)).id })),
  },
  revokeInvitation: {
    access: leads('update'),
    example: inProject(async (scene) => ({ id: (await invited(scene)).id })),
  },
  resetSecondFactor: {
    access: leads('none'),
    example: inProject(async ({ app, project }) => {
      const member = await createMember(app, project, []);
      await enableSecondFactor(app, member);
      return { id: member.id };
    }),
  },
  remove: { access: leads('delete'), example: inProject(async (scene) => ({ id: (await user(scene)).id })) },
};
