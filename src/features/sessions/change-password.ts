import { AppError } from '../../../contracts/errors.js';
import type { sessions } from '../../../contracts/platform/sessions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { verifyPassword } from '../../infrastructure/passwords.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { setPassword } from './set-password.js';
import { UserRepository } from './user.repository.js';

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
