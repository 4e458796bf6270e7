import type { PermissionGrant, Role } from '../../../../contracts/access/roles/role.js';
import type { Catalog } from '../../../content/catalog.js';
import type { StoredGrant } from './grant.repository.js';
import type { CountedRole } from './role.repository.js';

export function presentRole(role: CountedRole): Role {
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
