import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { tenants } from '../../../contracts/platform/tenants.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Tenant } from '../../../contracts/resources/tenant.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentTenant } from './tenant.presenter.js';
import { TenantRepository } from './tenant.repository.js';

export async function listTenants(
  work: UnitOfWork,
  input: InputOf<typeof tenants.list>,
): Promise<{ data: Tenant[]; meta: PageMeta }> {
  const { items, total } = await work.use(TenantRepository).list(input);
  return listEnvelope({ items: items.map(presentTenant), total }, input);
}
