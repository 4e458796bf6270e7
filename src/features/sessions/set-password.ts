import type { UserRow } from './user.repository.js';
import { hashPassword } from '../../infrastructure/passwords.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { PasswordResetRepository } from './password-reset.repository.js';
import { SessionRepository } from './session.repository.js';
import { UserRepository } from './user.repository.js';

/** Ends all sessions of the account and revokes its reset token (decisions 3.1). */
export async function setPassword(
  work: UnitOfWork,
  user: UserRow,
  { password, verb }: { password: string; verb: 'password_change' | 'password_reset' },
): Promise<{ data: { changed: true } }> {
  const passwordHash = await hashPassword(password);
  await work
    .use(UserRepository)
    .save(user, { ...user, passwordHash, status: 'active', updatedAt: work.now }, verb);
  await work.use(SessionRepository).endAll(user.id);
  await work.use(PasswordResetRepository).revoke(user.id);
  return { data: { changed: true } };
}
