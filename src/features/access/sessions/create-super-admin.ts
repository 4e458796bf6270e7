import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { hashPassword } from '../../../infrastructure/passwords.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { UserRepository } from './session.repository.js';

/** Created by the command line only. */
export interface NewSuperAdmin {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

/** @throws AppError 422 for an invalid password length, 409 `conflict` if another super-admin has the email address */
export async function createSuperAdmin(
  work: UnitOfWork,
  { email, name, password }: NewSuperAdmin,
): Promise<{ id: string }> {
  if (password.length < limits.passwordMinimumLength || password.length > limits.passwordMaximumLength) {
    const message = `Must have ${String(limits.passwordMinimumLength)} to ${String(limits.passwordMaximumLength)} characters.`;
    throw invalidInput({ path: ['password'], code: 'invalid_length', message });
  }
  const users = work.use(UserRepository);
  if (await users.hasSuperAdmin(email))
    throw new AppError('conflict', undefined, 'The email address is already in use.');
  const id = work.newId();
  const passwordHash = await hashPassword(password);
  const { now } = work;
  await users.insert({
    id,
    tenantId: null,
    email,
    name,
    passwordHash,
    isSuperAdmin: true,
    status: 'active',
    avatarUrl: null,
    lastActiveAt: null,
    isTenantOwner: false,
    language: null,
    timeZone: null,
    theme: null,
    createdAt: now,
    updatedAt: now,
  });
  return { id };
}
