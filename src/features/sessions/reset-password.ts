import { AppError } from '../../../contracts/errors.js';
import type { sessions } from '../../../contracts/platform/sessions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { PasswordResetRepository } from './password-reset.repository.js';
import { setPassword } from './set-password.js';
import { UserRepository } from './user.repository.js';

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
