import { newClient, requestOf } from '../support/oauth-client.js';
import type { Scene } from '../support/scene.js';
import { account, type Table } from './row.js';

const waiting = async ({ app }: Scene): Promise<string> => requestOf(app, await newClient(app));

export const oauth: Table<'oauth'> = {
  request: { access: account, example: async (scene) => ({ requestId: await waiting(scene) }) },
  consent: {
    access: account,
    example: async (scene) => ({ requestId: await waiting(scene), approve: false }),
  },
};
