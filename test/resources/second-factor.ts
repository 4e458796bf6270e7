import { prepareAccount } from '../support/members.js';
import type { Scene } from '../support/scene.js';
import { codeOf, enableSecondFactor, startSecondFactor } from '../support/second-factor.js';
import { account, type Table } from './row.js';

async function recoveryCode(scene: Scene): Promise<{ code: string }> {
  const { recoveryCodes } = await enableSecondFactor(scene.app, await prepareAccount(scene));
  return { code: recoveryCodes[0] ?? '' };
}

export const secondFactor: Table<'secondFactor'> = {
  get: { access: account, example: () => Promise.resolve({}) },
  enroll: { access: account, example: () => Promise.resolve({}) },
  confirm: {
    access: account,
    example: async (scene) => ({
      code: codeOf(await startSecondFactor(scene.app, await prepareAccount(scene)), 0, scene.app.now()),
    }),
  },
  renewCodes: { access: account, example: recoveryCode },
  disable: { access: account, example: recoveryCode },
};
