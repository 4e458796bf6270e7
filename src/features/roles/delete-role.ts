import type { Deleted } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { roles } from '../../../contracts/vocabulary/roles.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { assertCustom } from './role.policy.js';
import { RoleRepository } from './role.repository.js';

/** @throws AppError 409 `role_in_use` */
export async function deleteRole(
  work: UnitOfWork,
  input: InputOf<typeof roles.delete>,
): Promise<{ data: Deleted }> {
  const roles = work.use(RoleRepository);
  const { memberCount, ...role } = await roles.find(input.id);
  assertCustom(role);
  if (memberCount > 0) throw new AppError('role_in_use', { memberCount });
  const workflows = await roles.workflowsNaming(role.id);
  if (workflows.length > 0) throw new AppError('role_in_use', { memberCount, workflows });
  await roles.remove(role);
  return { data: { id: role.id, deleted: true } };
}
