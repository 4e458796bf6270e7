import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { login as contract } from '../../../contracts/platform/sessions.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { Session } from '../../../contracts/resources/session.js';
import type { SessionTokens } from '../../access/session-token.js';
import { verifyPassword } from '../../infrastructure/passwords.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { UserRepository } from './user.repository.js';

/** Starts a session. A wrong address and a wrong password look alike, in answer and in time. */
export async function login(
  work: UnitOfWork,
  input: InputOf<typeof contract>,
  tokens: SessionTokens,
): Promise<{ data: Session }> {
  const users = work.use(UserRepository);
  const user = await users.findByEmail(input.email);
  const isRight = await verifyPassword(input.password, user?.passwordHash ?? null);
  if (user?.status !== 'active' || !isRight || !tokens.canIssue) throw new AppError('invalid_credentials');
  const tokenId = work.newId();
  const { id, email, name, tenantId, isSuperAdmin } = user;
  const accessToken = await tokens.issue({ userId: id, tenantId, isSuperAdmin, tokenId, now: work.now });
  users.recordLogin(user, tokenId);
  return {
    data: {
      accessToken,
      expiresIn: limits.accessTokenSeconds,
      tokenType: 'Bearer',
      user: { id, email, name, isSuperAdmin },
    },
  };
}
