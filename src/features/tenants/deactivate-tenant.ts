import type { tenants } from '../../../contracts/platform/tenants.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { TenantRepository } from './tenant.repository.js';

/** Blocks every interface of the tenant; deletes nothing. */
export async function deactivateTenant(
  work: UnitOfWork,
  input: InputOf<typeof tenants.deactivate>,
): Promise<{ data: { slug: string; status: 'deactivated' } }> {
  const tenants = work.use(TenantRepository);
  const before = await tenants.enter(input.tenantSlug);
  if (before.tenant.status !== 'deactivated') {
    await tenants.save(before, {
      ...before,
      tenant: { ...before.tenant, status: 'deactivated', updatedAt: work.now },
    });
  }
  return { data: { slug: before.tenant.slug, status: 'deactivated' } };
}
