import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { memberPassword, prepareAccount } from '../support/members.js';
import { inProject, type Scene } from '../support/scene.js';
import { account, membersAndScoped, type Table } from './row.js';

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

export const me: Table<'me'> = {
  get: { access: account, example: () => Promise.resolve({}) },
  update: { access: account, example: () => Promise.resolve({ name: `Name ${unique()}` }) },
  sessions: { access: account, example: () => Promise.resolve({}) },
  endSession: { access: account, example: async (scene) => ({ id: await otherSession(scene) }) },
  endOtherSessions: { access: account, example: (scene) => otherSession(scene).then(() => ({})) },
  projects: { access: account, example: () => Promise.resolve({}) },
  rights: { access: membersAndScoped('any'), example: inProject(() => ({})) },
};
