import type { PermissionGrant, Role } from '../../../../contracts/access/roles/role.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { roles } from '../../../../contracts/access/roles/roles.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { listEnvelope, type Deleted, type PageMeta } from '../../../../contracts/envelopes.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { slugFrom } from '../../shared/slug-from.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { RoleRepository, type StoredGrant, type CountedRole, type RoleRow } from './role.repository.js';

function presentRole(role: CountedRole): Role {
  const { tenantId: _tenant, projectId: _project, createdAt, updatedAt, ...shown } = role;
  return { ...shown, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Content types by their current names, deleted ones by id. */
export function presentGrant(
  { id, resource, action, scope, createdAt }: StoredGrant,
  catalog: Catalog,
): PermissionGrant {
  const { contentTypes, ...rest } = scope;
  const names = contentTypes?.map((typeId) => catalog.contentTypeById(typeId)?.apiName ?? typeId);
  const shown = { ...(names && { contentTypes: names }), ...rest } as PermissionGrant['scope'];
  return { id, resource, action, scope: shown, createdAt: createdAt.toISOString() };
}

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

/** System roles are the same in every project. @throws AppError 409 `role_is_system` */
export function assertCustom({ isSystem, slug }: RoleRow): void {
  if (isSystem) throw new AppError('role_is_system', { slug });
}

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

export async function getRole(work: UnitOfWork, input: InputOf<typeof roles.get>): Promise<{ data: Role }> {
  return { data: presentRole(await work.use(RoleRepository).find(input.id)) };
}

export async function listRoles(
  work: UnitOfWork,
  input: InputOf<typeof roles.list>,
): Promise<{ data: Role[]; meta: PageMeta }> {
  const { items, total } = await work.use(RoleRepository).list(input);
  return listEnvelope({ items: items.map(presentRole), total }, input);
}

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
