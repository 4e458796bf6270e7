import type { tenants } from '../../../contracts/platform/tenants.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Tenant } from '../../../contracts/resources/tenant.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { addProject } from '../projects/index.js';
import { newAccount, TenantOwnerRepository } from '../users/index.js';
import { presentTenant } from './tenant.presenter.js';
import { TenantRepository, type TenantRow } from './tenant.repository.js';
import { assertDefault, localeRows } from './tenant-locales.js';

/** Creates the owner's account and the first project in the same transaction. */
export async function createTenant(
  work: UnitOfWork,
  input: InputOf<typeof tenants.create>,
): Promise<{ data: Tenant }> {
  const id = work.newId();
  const locales = localeRows(id, input.locales);
  const defaultLocale = input.defaultLocale ?? locales[0]?.code ?? '';
  assertDefault(locales, defaultLocale);
  const tenant: TenantRow = {
    id,
    slug: input.slug,
    name: input.name,
    status: 'active',
    defaultLocale,
    dataRegion: input.dataRegion ?? null,
    limits: input.limits ?? {},
    createdAt: work.now,
    updatedAt: work.now,
  };
  const tenants = work.use(TenantRepository);
  await tenants.insert(tenant, locales);
  await tenants.enterNew(id);
  const { ownerEmail: email } = input;
  const owner =
    email === undefined ? undefined : newAccount(work, { tenantId: id, email, passwordHash: null });
  if (owner) await work.use(TenantOwnerRepository).insert({ ...owner, isTenantOwner: true });
  const projects = input.project === undefined ? [] : [await addProject(work, id, input.project)];
  const whole = { tenant, locales, projects, owner };
  tenants.note('tenant.create', null, whole);
  return { data: presentTenant(whole) };
}
