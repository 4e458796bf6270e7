import { createMember, memberPassword, prepareAccount, systemRoleId } from '../support/members.js';
import { createPersonalKey } from '../support/personal-keys.js';
import { inProject, type Scene } from '../support/scene.js';
import { account, builders, type Table } from './row.js';

async function keyOfMember({ app, project }: Scene): Promise<{ id: string }> {
  const member = await createMember(app, project, [await systemRoleId(app, project, 'editor')]);
  return { id: (await createPersonalKey(app, project, member)).id };
}

export const personalKeys: Table<'personalKeys'> = {
  list: { access: account, example: () => Promise.resolve({}) },
  create: {
    access: account,
    example: async (scene) => {
      await prepareAccount(scene);
      return { name: 'Key', project: scene.project.slug, currentPassword: memberPassword };
    },
  },
  revoke: {
    access: account,
    example: async (scene) => {
      const member = await prepareAccount(scene);
      return { id: (await createPersonalKey(scene.app, scene.project, member)).id };
    },
  },
  listOfProject: { access: builders('read'), example: inProject(() => ({})) },
  revokeOfProject: { access: builders('none'), example: inProject(keyOfMember) },
};
