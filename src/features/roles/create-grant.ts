import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { roles } from '../../../contracts/vocabulary/roles.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { PermissionGrant } from '../../../contracts/resources/role.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { scopeOf } from './grant-scope.js';
import { GrantRepository, type StoredGrant } from './grant.repository.js';
import { assertMayGiveGrants } from './escalation.policy.js';
import { assertCustom } from './role.policy.js';
import { presentGrant } from './role.presenter.js';
import { RoleRepository } from './role.repository.js';

/** Idempotent: an equal grant is returned as a duplicate. */
export async function createGrant(
  work: UnitOfWork,
  input: InputOf<typeof roles.createGrant>,
): Promise<{ data: PermissionGrant; meta?: { duplicate: true } }> {
  const { resource, action } = input;
  const { memberCount: _count, ...role } = await work.use(RoleRepository).find(input.roleId);
  assertCustom(role);
  const catalog = await work.use(CatalogRepository).current();
  const grant = { resource, action, scope: await scopeOf(work, catalog, input) };
  await assertMayGiveGrants(work, [grant]);
  const grants = work.use(GrantRepository);
  const same = await grants.findSame(role.id, grant);
  if (same !== undefined) return { data: presentGrant(same, catalog), meta: { duplicate: true } };
  if ((await grants.count(role.id)) >= limits.grantsPerRole)
    throw new AppError('limit_reached', { limit: limits.grantsPerRole });
  const made: StoredGrant = { ...grant, id: work.newId(), createdAt: work.now };
  await grants.insert(role, made);
  return { data: presentGrant(made, catalog) };
}
