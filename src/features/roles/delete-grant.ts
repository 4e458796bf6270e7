import type { Deleted } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { roles } from '../../../contracts/vocabulary/roles.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { isUuid } from '../../infrastructure/ids.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { GrantRepository } from './grant.repository.js';
import { assertCustom } from './role.policy.js';
import { RoleRepository } from './role.repository.js';

export async function deleteGrant(
  work: UnitOfWork,
  input: InputOf<typeof roles.deleteGrant>,
): Promise<{ data: Deleted }> {
  const { memberCount: _count, ...role } = await work.use(RoleRepository).find(input.roleId);
  assertCustom(role);
  const grants = work.use(GrantRepository);
  const grant = isUuid(input.grantId) ? await grants.find(role.id, input.grantId) : undefined;
  if (grant === undefined) throw new AppError('grant_not_found');
  await grants.remove(role, grant);
  return { data: { id: grant.id, deleted: true } };
}
