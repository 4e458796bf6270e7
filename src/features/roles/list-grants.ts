import { listEnvelope, type Page, type PageMeta } from '../../../contracts/envelopes.js';
import type { roles } from '../../../contracts/vocabulary/roles.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { PermissionGrant } from '../../../contracts/resources/role.js';
import { systemGrantId, systemGrants } from '../../access/system-roles.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { GrantRepository, type StoredGrant } from './grant.repository.js';
import { presentGrant } from './role.presenter.js';
import { RoleRepository, type RoleRow } from './role.repository.js';

/** Grants of a system role, which are not stored. */
function systemPage({ id, slug, createdAt }: RoleRow, offset: number, limit: number): Page<StoredGrant> {
  const grants = systemGrants(slug).map((grant) => ({ ...grant, id: systemGrantId(id, grant), createdAt }));
  return { items: grants.slice(offset, offset + limit), total: grants.length };
}

export async function listGrants(
  work: UnitOfWork,
  input: InputOf<typeof roles.listGrants>,
): Promise<{ data: PermissionGrant[]; meta: PageMeta }> {
  const role = await work.use(RoleRepository).find(input.roleId);
  const catalog = await work.use(CatalogRepository).current();
  const { limit, page, orderBy } = input;
  const offset = (page - 1) * limit;
  const { items, total } = role.isSystem
    ? systemPage(role, offset, limit)
    : await work
        .use(GrantRepository)
        .list(role.id, { isAscending: orderBy === 'createdAt:asc', limit, offset });
  return listEnvelope({ items: items.map((grant) => presentGrant(grant, catalog)), total }, input);
}
