import { sessions as contracts } from '../../contracts/platform/sessions.contract.js';
import { changePassword } from '../features/sessions/change-password.js';
import { login, type LoginServices } from '../features/sessions/login.js';
import { logout } from '../features/sessions/logout.js';
import { refreshSession } from '../features/sessions/refresh-session.js';
import { resetPassword } from '../features/sessions/reset-password.js';
import { bind } from './bind.js';
import { loginAttempts, resetLoginAttempts } from './rate.js';
import { mutation } from './run.js';
import type { Services } from './services.js';

/** One count, whether or not a login names the tenant. */
const accountOf = ({ email }: { email: string }): string => email;

const tokens = (services: Services) => services.tokens;

export const sessions = bind(contracts, {
  login: mutation(login, {
    lock: 'none',
    with: (services): LoginServices => ({
      tokens: services.tokens,
      resetFailures: (input) => resetLoginAttempts(services.rates, accountOf(input)),
    }),
    attempts: ({ services, call }, input) => ({
      start: () => loginAttempts(services.rates, call, accountOf(input)).start(),
      // The use case decides whether a success clears the failures.
      succeed: () => Promise.resolve(),
    }),
  }),
  refresh: mutation(refreshSession, { lock: 'none', with: tokens }),
  logout: mutation(logout),
  changePassword: mutation(changePassword, {
    lock: 'none',
    attempts: ({ services, call, principalId }) => loginAttempts(services.rates, call, principalId ?? ''),
  }),
  resetPassword: mutation(resetPassword, { lock: 'none' }),
});
