import { AppError } from '../../../contracts/errors.js';
import type { users } from '../../../contracts/management/users.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { PasswordReset } from '../../../contracts/resources/user.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { PasswordResetRepository } from '../sessions/index.js';
import { MemberRepository } from './member.repository.js';

/**
 * The token opens every project of the account, so the caller must lead all of them.
 * @throws AppError 403 `privilege_escalation`
 */
export async function resetUserPassword(
  work: UnitOfWork,
  input: InputOf<typeof users.resetPassword>,
): Promise<{ data: PasswordReset }> {
  const members = work.use(MemberRepository);
  const member = await members.find(input.id);
  const { actor, isSuperAdmin } = work.scope;
  if (!isSuperAdmin && !(await members.leadsEveryProjectOf(actor.id ?? '', member.id)))
    throw new AppError(
      'privilege_escalation',
      undefined,
      "Only owners and admins of every project of the user can reset the user's password, and only owners that of an owner.",
    );
  const { resetToken, expiresAt } = await work.use(PasswordResetRepository).issue(member.id);
  members.noteReset(member, expiresAt);
  return { data: { resetToken, expiresAt: expiresAt.toISOString() } };
}
