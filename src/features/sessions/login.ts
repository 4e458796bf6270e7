import { AppError } from '../../../contracts/errors.js';
import type { sessions } from '../../../contracts/platform/sessions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Session } from '../../../contracts/resources/session.js';
import type { SessionTokens } from '../../access/session-token.js';
import { verifyPassword } from '../../infrastructure/passwords.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { newRefreshToken, presentSession } from './session-tokens.js';
import { SessionRepository } from './session.repository.js';
import { UserRepository } from './user.repository.js';

/** An unknown email address and a wrong password are indistinguishable, in response and in time. */
export async function login(
  work: UnitOfWork,
  input: InputOf<typeof sessions.login>,
  tokens: SessionTokens,
): Promise<{ data: Session }> {
  const users = work.use(UserRepository);
  const user = await users.findByEmail(input.email);
  const isRight = await verifyPassword(input.password, user?.passwordHash ?? null);
  if (user?.status !== 'active' || !isRight || !tokens.canIssue) throw new AppError('invalid_credentials');
  await users.assertTenantActive(user);
  const sessionId = work.newId();
  const { text: refreshToken, hash, expiresAt } = newRefreshToken(work.now);
  const sessions = work.use(SessionRepository);
  await sessions.open({ id: sessionId, userId: user.id, tenantId: user.tenantId, expiresAt });
  await sessions.addToken(sessionId, hash);
  users.recordLogin(user, sessionId);
  return { data: await presentSession(work, tokens, { user, sessionId, refreshToken }) };
}
