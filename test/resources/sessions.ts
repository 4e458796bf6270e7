import type { TestApp } from '../support/app.js';
import { must } from '../support/call.js';
import { createAdmin } from '../support/factories/project.js';
import { session, type Table } from './row.js';

const refreshToken = async (app: TestApp) => {
  const body = await createAdmin(app);
  const session = { method: 'POST', path: '/api/v1/auth/login', body } as const;
  return (await must<{ refreshToken: string }>(app, session)).refreshToken;
};

export const sessions: Table<'sessions'> = {
  login: { access: session, example: ({ app }) => createAdmin(app) },
  refresh: { access: session, example: async ({ app }) => ({ refreshToken: await refreshToken(app) }) },
  logout: { access: session, example: async ({ app }) => ({ refreshToken: await refreshToken(app) }) },
};
