import type { roles } from '../../../contracts/vocabulary/roles.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Role } from '../../../contracts/resources/role.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { assertCustom } from './role.policy.js';
import { presentRole } from './role.presenter.js';
import { RoleRepository } from './role.repository.js';

/** Equal values change nothing. */
export async function updateRole(
  work: UnitOfWork,
  input: InputOf<typeof roles.update>,
): Promise<{ data: Role }> {
  const { projectSlug: _project, id, ...change } = input;
  const changes = definedKeys(change);
  const roles = work.use(RoleRepository);
  const { memberCount, ...before } = await roles.find(id);
  assertCustom(before);
  const after = { ...before, ...changes, updatedAt: work.now };
  if (!hasChanges(before, changes)) return { data: presentRole({ ...before, memberCount }) };
  await roles.save(before, after);
  return { data: presentRole({ ...after, memberCount }) };
}
