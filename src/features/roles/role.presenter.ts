import type { PermissionGrant, Role } from '../../../contracts/resources/role.js';
import type { Catalog } from '../../content/catalog.js';
import type { StoredGrant } from './grant.repository.js';
import type { CountedRole } from './role.repository.js';

/** A role as management shows it. */
export function presentRole(role: CountedRole): Role {
  const { tenantId: _tenant, projectId: _project, createdAt, updatedAt, ...shown } = role;
  return { ...shown, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** A grant as management shows it: content types by today's names, those that are gone by id. */
export function presentGrant(
  { id, resource, action, scope, createdAt }: StoredGrant,
  catalog: Catalog,
): PermissionGrant {
  const { contentTypes, ...rest } = scope;
  const names = contentTypes?.map((typeId) => catalog.contentTypeById(typeId)?.apiName ?? typeId);
  const shown = { ...(names && { contentTypes: names }), ...rest } as PermissionGrant['scope'];
  return { id, resource, action, scope: shown, createdAt: createdAt.toISOString() };
}
