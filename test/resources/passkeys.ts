import { memberPassword, prepareAccount } from '../support/members.js';
import { addPasskey, SoftPasskey, startPasskey } from '../support/passkeys.js';
import { account, type Table } from './row.js';

export const passkeys: Table<'passkeys'> = {
  list: { access: account, example: () => Promise.resolve({}) },
  start: { access: account, example: () => Promise.resolve({ currentPassword: memberPassword }) },
  create: {
    access: account,
    example: async (scene) => {
      const ceremony = await startPasskey(scene.app, await prepareAccount(scene));
      const credential = new SoftPasskey().create(ceremony);
      return { token: ceremony.token, name: 'Laptop', credential };
    },
  },
  remove: {
    access: account,
    example: async (scene) => {
      const { id } = await addPasskey(scene.app, await prepareAccount(scene));
      return { id, currentPassword: memberPassword };
    },
  },
};
