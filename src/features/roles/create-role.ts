import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { roles } from '../../../contracts/vocabulary/roles.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Role } from '../../../contracts/resources/role.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { slugFrom } from '../shared/index.js';
import { presentRole } from './role.presenter.js';
import { RoleRepository, type RoleRow } from './role.repository.js';

export async function createRole(
  work: UnitOfWork,
  input: InputOf<typeof roles.create>,
): Promise<{ data: Role }> {
  const roles = work.use(RoleRepository);
  if ((await roles.count()) >= limits.rolesPerProject)
    throw new AppError('limit_reached', { limit: limits.rolesPerProject });
  const id = work.newId();
  const { tenantId, projectId } = work.scope;
  const role: RoleRow = {
    tenantId: tenantId ?? '',
    projectId: projectId ?? '',
    id,
    slug: input.slug ?? slugFrom(input.name, id),
    name: input.name,
    description: input.description ?? null,
    isSystem: false,
    createdAt: work.now,
    updatedAt: work.now,
  };
  await roles.insert(role);
  return { data: presentRole({ ...role, memberCount: 0 }) };
}
