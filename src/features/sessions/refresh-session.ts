import { AppError } from '../../../contracts/errors.js';
import type { sessions } from '../../../contracts/platform/sessions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Session } from '../../../contracts/resources/session.js';
import type { SessionTokens } from '../../access/session-token.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { hashRefreshToken, newRefreshToken, presentSession } from './session-tokens.js';
import { SessionRepository, type SessionRow } from './session.repository.js';
import { UserRepository } from './user.repository.js';

/** Undefined if the session can be refreshed. */
function refreshError(session: SessionRow | undefined, now: Date): AppError | undefined {
  if (session?.revokedAt !== null || session.usedAt !== null) return new AppError('invalid_session');
  return session.expiresAt <= now ? new AppError('session_expired') : undefined;
}

/**
 * Exchanges a refresh token. A token used twice was stolen, so its session ends for both holders (RFC 9700 §4.14).
 * The error is returned, not thrown: a rollback would undo the end of the session.
 */
export async function refreshSession(
  work: UnitOfWork,
  input: InputOf<typeof sessions.refresh>,
  tokens: SessionTokens,
): Promise<{ data: Session } | AppError> {
  const used = hashRefreshToken(input.refreshToken);
  const sessions = work.use(SessionRepository);
  const session = await sessions.lockByToken(used);
  const refusal = refreshError(session, work.now);
  if (session !== undefined && session.usedAt !== null && session.revokedAt === null) {
    await sessions.end(session);
    sessions.note('session.reuse', session);
  }
  if (session === undefined || refusal !== undefined) return refusal ?? new AppError('invalid_session');
  const users = work.use(UserRepository);
  const user = await users.findById(session.userId);
  if (user?.status !== 'active' || !tokens.canIssue) return new AppError('invalid_session');
  await users.assertTenantActive(user);
  const next = newRefreshToken(work.now);
  await sessions.rotate(session, { used, next: next.hash, expiresAt: next.expiresAt });
  sessions.note('session.refresh', session);
  const parts = { user, sessionId: session.id, refreshToken: next.text };
  return { data: await presentSession(work, tokens, parts) };
}
