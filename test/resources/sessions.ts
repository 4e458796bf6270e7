import type { TestApp } from '../support/app.js';
import { must } from '../support/call.js';
import { createAdmin, superAdmin } from '../support/factories/project.js';
import { createMember, memberPassword } from '../support/members.js';
import type { Scene } from '../support/scene.js';
import { challengeOf, enableSecondFactor } from '../support/second-factor.js';
import { addPasskey, startPasskeyLogin } from '../support/passkeys.js';
import { account, session, type Table } from './row.js';

const refreshToken = async (app: TestApp) => {
  const body = await createAdmin(app);
  const session = { method: 'POST', path: '/api/v1/auth/login', body } as const;
  return (await must<{ refreshToken: string }>(app, session)).refreshToken;
};

const newPassword = 'a new password of theirs';

async function resetToken({ app, project }: Scene): Promise<string> {
  const { id } = await createMember(app, project, []);
  const path = `${project.management}/users/${id}/password-reset`;
  const key = await superAdmin(app);
  return (await must<{ resetToken: string }>(app, { method: 'POST', path, key })).resetToken;
}

export const sessions: Table<'sessions'> = {
  login: { access: session, example: ({ app }) => createAdmin(app) },
  loginWithCode: {
    access: session,
    example: async ({ app, project }) => {
      const member = await createMember(app, project, []);
      const { recoveryCodes } = await enableSecondFactor(app, member);
      return { token: await challengeOf(app, member), code: recoveryCodes[0] };
    },
  },
  startPasskey: { access: session, example: () => Promise.resolve({}) },
  loginWithPasskey: {
    access: session,
    example: async ({ app, project }) => {
      const { passkey } = await addPasskey(app, await createMember(app, project, []));
      const ceremony = await startPasskeyLogin(app);
      return { token: ceremony.token, credential: passkey.sign(ceremony) };
    },
  },
  refresh: { access: session, example: async ({ app }) => ({ refreshToken: await refreshToken(app) }) },
  changePassword: {
    access: account,
    example: () => Promise.resolve({ currentPassword: memberPassword, newPassword }),
  },
  forgotPassword: { access: session, example: () => Promise.resolve({ email: 'unknown@example.com' }) },
  readLink: { access: session, example: async (scene) => ({ resetToken: await resetToken(scene) }) },
  resetPassword: {
    access: session,
    example: async (scene) => ({ resetToken: await resetToken(scene), newPassword }),
  },
  logout: { access: session, example: async ({ app }) => ({ refreshToken: await refreshToken(app) }) },
};
