import { AppError } from '../../../contracts/errors.js';
import type { tenants } from '../../../contracts/platform/tenants.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { LocaleInput, Tenant } from '../../../contracts/resources/tenant.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { EntryTreeRepository } from '../tree/index.js';
import { presentTenant } from './tenant.presenter.js';
import { TenantRepository, type LocaleRow, type TenantDetails } from './tenant.repository.js';
import { assertDefault, localeRows } from './tenant-locales.js';

/** A bare code keeps the locale's name, fallback and state. */
async function changedLocales(
  work: UnitOfWork,
  before: TenantDetails,
  inputs: readonly LocaleInput[],
): Promise<readonly LocaleRow[]> {
  const known = new Map(before.locales.map((row) => [row.code, row]));
  const rows = localeRows(
    before.tenant.id,
    inputs.map((input) => {
      const { name, fallbackCode, isActive } =
        known.get(typeof input === 'string' ? input : input.code) ?? {};
      return { name, fallbackCode, isActive, ...(typeof input === 'string' ? { code: input } : input) };
    }),
  );
  const removed = before.locales
    .map(({ code }) => code)
    .filter((code) => !rows.some((row) => row.code === code));
  const retired = rows
    .filter(({ code, isActive }) => !isActive && known.get(code)?.isActive === true)
    .map(({ code }) => code);
  const tenants = work.use(TenantRepository);
  await tenants.blockWriters(before.tenant.id);
  const used = await tenants.usedLocales(before.tenant.id, [...removed, ...retired]);
  if (used.length > 0) throw new AppError('locale_in_use', { locales: used });
  return hasChanges({ rows: before.locales }, { rows }) ? rows : before.locales;
}

/** Paths of pages that a locale shows by fallback depend on it. */
const changesFallbacks = (before: readonly LocaleRow[], after: readonly LocaleRow[]): boolean =>
  after.some(
    ({ code, fallbackCode }) =>
      fallbackCode !== (before.find((locale) => locale.code === code)?.fallbackCode ?? null),
  );

/** Takes effect in its projects at once. */
export async function updateTenant(
  work: UnitOfWork,
  input: InputOf<typeof tenants.update>,
): Promise<{ data: Tenant }> {
  const { tenantSlug, ...change } = input;
  const { locales: inputs, ...changes } = definedKeys(change);
  const tenants = work.use(TenantRepository);
  const before = await tenants.enter(tenantSlug);
  const locales = inputs === undefined ? before.locales : await changedLocales(work, before, inputs);
  const after = { ...before, locales, tenant: { ...before.tenant, ...changes, updatedAt: work.now } };
  assertDefault(after.locales, after.tenant.defaultLocale);
  if (locales === before.locales && !hasChanges(before.tenant, changes))
    return { data: presentTenant(before) };
  await tenants.save(before, after);
  if (changesFallbacks(before.locales, locales))
    await work.use(EntryTreeRepository).refreshTenant(after.tenant.id);
  return { data: presentTenant(after) };
}
