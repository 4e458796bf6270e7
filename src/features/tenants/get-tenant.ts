import type { tenants } from '../../../contracts/platform/tenants.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Tenant } from '../../../contracts/resources/tenant.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentTenant } from './tenant.presenter.js';
import { TenantRepository } from './tenant.repository.js';

export async function getTenant(
  work: UnitOfWork,
  input: InputOf<typeof tenants.get>,
): Promise<{ data: Tenant }> {
  return { data: presentTenant(await work.use(TenantRepository).find(input.tenantSlug)) };
}
