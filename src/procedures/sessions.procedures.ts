import { sessions as contracts } from '../../contracts/platform/sessions.contract.js';
import { changePassword } from '../features/sessions/change-password.js';
import { login } from '../features/sessions/login.js';
import { logout } from '../features/sessions/logout.js';
import { refreshSession } from '../features/sessions/refresh-session.js';
import { resetPassword } from '../features/sessions/reset-password.js';
import { bind } from './bind.js';
import { loginAttempts } from './rate.js';
import { mutation } from './run.js';
import type { Services } from './services.js';

const tokens = (services: Services) => services.tokens;

export const sessions = bind(contracts, {
  login: mutation(login, {
    lock: 'none',
    with: tokens,
    attempts: ({ services, call }, { email }) => loginAttempts(services.rates, call, email),
  }),
  refresh: mutation(refreshSession, { lock: 'none', with: tokens }),
  logout: mutation(logout),
  changePassword: mutation(changePassword, {
    lock: 'none',
    attempts: ({ services, call, principalId }) => loginAttempts(services.rates, call, principalId ?? ''),
  }),
  resetPassword: mutation(resetPassword, { lock: 'none' }),
});
