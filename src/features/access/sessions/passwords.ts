import { type UserRow, UserRepository } from './user.repository.js';
import { hashPassword, verifyPassword } from '../../../infrastructure/passwords.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { PasswordResetRepository, SessionRepository } from './session.repository.js';
import { AppError } from '../../../../contracts/errors.js';
import type { sessions } from '../../../../contracts/access/sessions/sessions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';

/** Ends all sessions of the account and revokes its reset token (rule access/sessions). */
async function setPassword(
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

/** @throws AppError 401 `invalid_credentials`, also for a user without a password */
export async function changePassword(
  work: UnitOfWork,
  input: InputOf<typeof sessions.changePassword>,
): Promise<{ data: { changed: true } }> {
  const users = work.use(UserRepository);
  const user = await users.lock(work.scope.actor.id ?? '');
  await users.assertTenantActive(user);
  if (!(await verifyPassword(input.currentPassword, user.passwordHash)))
    throw new AppError('invalid_credentials', undefined, 'Incorrect current password.');
  return setPassword(work, user, { password: input.newPassword, verb: 'password_change' });
}

/** A failure rolls back, so the token is not spent. */
export async function resetPassword(
  work: UnitOfWork,
  input: InputOf<typeof sessions.resetPassword>,
): Promise<{ data: { changed: true } }> {
  const userId = await work.use(PasswordResetRepository).spend(input.resetToken);
  if (userId === undefined) throw new AppError('invalid_reset_token');
  const users = work.use(UserRepository);
  const user = await users.lock(userId);
  if (user.status === 'suspended') throw new AppError('invalid_reset_token');
  await users.assertTenantActive(user);
  return setPassword(work, user, { password: input.newPassword, verb: 'password_reset' });
}
