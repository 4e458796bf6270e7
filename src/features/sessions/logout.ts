import { AppError } from '../../../contracts/errors.js';
import type { sessions } from '../../../contracts/platform/sessions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { hashRefreshToken } from './session-tokens.js';
import { SessionRepository } from './session.repository.js';

/** Ends the session and all its tokens at once. Idempotent. */
export async function logout(
  work: UnitOfWork,
  input: InputOf<typeof sessions.logout>,
): Promise<{ data: { ended: true } }> {
  const sessions = work.use(SessionRepository);
  const session = await sessions.lockByToken(hashRefreshToken(input.refreshToken));
  if (session === undefined) throw new AppError('invalid_session');
  if (session.revokedAt === null) {
    await sessions.end(session);
    sessions.note('session.end', session);
  }
  return { data: { ended: true } };
}
