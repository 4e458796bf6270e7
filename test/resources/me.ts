import { must } from '../support/call.js';
import { png } from '../support/factories/media.js';
import { unique } from '../support/factories/project.js';
import { memberPassword, prepareAccount, systemRoleId } from '../support/members.js';
import { clientKey } from '../support/oauth-client.js';
import { inProject, type Scene } from '../support/scene.js';
import { account, membersAndScoped, type Table } from './row.js';

const SOMEONE = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

/** The id of another session of the user who calls. */
async function otherSession(scene: Scene): Promise<string> {
  const { email, token: key } = await prepareAccount(scene);
  const { app } = scene;
  const body = { email, password: memberPassword };
  await must(app, { method: 'POST', path: '/api/v1/auth/login', body });
  const path = '/api/v1/me/sessions';
  const open = await must<{ id: string; isCurrent: boolean }[]>(app, { method: 'GET', path, key });
  return open.find(({ isCurrent }) => !isCurrent)?.id ?? '';
}

/** The id of a client that the user who calls has connected. */
async function connection(scene: Scene): Promise<string> {
  const { app, project } = scene;
  const member = await prepareAccount(scene, [await systemRoleId(app, project, 'viewer')]);
  const { client } = await clientKey(app, project, member);
  return client.client_id;
}

/** The user who calls has a picture. */
async function withAvatar(scene: Scene): Promise<void> {
  const { token: key } = await prepareAccount(scene);
  const body = { content: png(8, 8).toString('base64') };
  await must(scene.app, { method: 'PUT', path: '/api/v1/me/avatar', key, body });
}

export const me: Table<'me'> = {
  get: { access: account, example: () => Promise.resolve({}) },
  update: { access: account, example: () => Promise.resolve({ name: `Name ${unique()}` }) },
  avatars: { access: account, example: () => Promise.resolve({ userIds: [SOMEONE] }) },
  setAvatar: {
    access: account,
    example: () => Promise.resolve({ content: png(8, 8).toString('base64') }),
  },
  removeAvatar: { access: account, example: (scene) => withAvatar(scene).then(() => ({})) },
  sessions: { access: account, example: () => Promise.resolve({}) },
  endSession: { access: account, example: async (scene) => ({ id: await otherSession(scene) }) },
  endOtherSessions: { access: account, example: (scene) => otherSession(scene).then(() => ({})) },
  connections: { access: account, example: () => Promise.resolve({}) },
  endConnection: { access: account, example: async (scene) => ({ id: await connection(scene) }) },
  projects: { access: account, example: () => Promise.resolve({}) },
  rights: { access: membersAndScoped('any'), example: inProject(() => ({})) },
};
