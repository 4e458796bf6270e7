import { type Deleted, listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Locale } from '../../../../contracts/tenancy/locales/locale.js';
import type { locales } from '../../../../contracts/tenancy/locales/locales.contract.js';
import type { tenantLocales } from '../../../../contracts/tenancy/locales/tenant-locales.contract.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { TenantOwnerRepository } from '../../access/users/index.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { followLocales } from './follow-locales.js';
import { LocaleRepository, type LocaleRow, type TenantLocales, type Use } from './locale.repository.js';
import { assertFallbacks, localeRow, presentLocale } from './locale-rows.js';

/** Super-admins name a tenant; the projects of others are in theirs. */
type InTenant = { readonly tenantSlug: string } | { readonly projectSlug: string };
type Input<Verb extends keyof typeof tenantLocales> =
  InputOf<(typeof tenantLocales)[Verb]> | InputOf<(typeof locales)[Verb]>;

const tenantOf = (input: InTenant): string | undefined =>
  'tenantSlug' in input ? input.tenantSlug : undefined;

function rowOf({ locales: rows }: TenantLocales, code: string): LocaleRow {
  const row = rows.find((one) => one.code === code);
  if (row === undefined) throw new AppError('locale_not_found');
  return row;
}

/**
 * A locale concerns every project of its tenant.
 * @throws AppError 403 `permission_denied`
 */
async function assertMayChange(work: UnitOfWork, tenantId: string): Promise<void> {
  const { actor, isPlatform, isSuperAdmin } = work.scope;
  if (isPlatform || isSuperAdmin === true) return;
  if (!(await work.use(TenantOwnerRepository).ownsEveryProject(tenantId, actor.id ?? '')))
    throw new AppError(
      'permission_denied',
      { role: 'owner' },
      'Locales belong to all projects of the tenant. Only owners of each of them can change them.',
    );
}

/**
 * @param harmless what the change leaves as it is
 * @throws AppError 409 `locale_in_use`
 */
async function assertUnused(
  work: UnitOfWork,
  tenant: TenantLocales,
  { code, harmless }: { readonly code: string; readonly harmless?: Use },
): Promise<void> {
  const uses = (await work.use(LocaleRepository).uses(tenant, [code])).get(code) ?? [];
  const usedBy = uses.filter((use) => use !== harmless);
  if (usedBy.length > 0) throw new AppError('locale_in_use', { locales: [code], usedBy });
}

export async function listLocales(
  work: UnitOfWork,
  input: Input<'list'>,
): Promise<{ data: Locale[]; meta: PageMeta }> {
  const { locales: rows, defaultLocale } = await work.use(LocaleRepository).find(tenantOf(input));
  const start = (input.page - 1) * input.limit;
  const items = rows
    .slice(start, start + input.limit)
    .map((row): Locale => presentLocale(row, defaultLocale));
  return listEnvelope({ items, total: rows.length }, input);
}

export async function getLocale(work: UnitOfWork, input: Input<'get'>): Promise<{ data: Locale }> {
  const tenant = await work.use(LocaleRepository).find(tenantOf(input));
  return { data: presentLocale(rowOf(tenant, input.code), tenant.defaultLocale) };
}

/** The last of the tenant's locales. */
export async function createLocale(work: UnitOfWork, input: Input<'create'>): Promise<{ data: Locale }> {
  const repository = work.use(LocaleRepository);
  const before = await repository.enter(tenantOf(input));
  await assertMayChange(work, before.tenantId);
  const { code, name, fallbackCode, isActive } = input;
  if (before.locales.some((row) => row.code === code))
    throw new AppError('locale_conflict', { locale: code });
  if (before.locales.length >= limits.localesPerTenant)
    throw new AppError('limit_reached', { limit: limits.localesPerTenant });
  const position = Math.max(-1, ...before.locales.map((row) => row.position)) + 1;
  const row = localeRow(before.tenantId, { code, name, fallbackCode, isActive }, position);
  const after = { ...before, locales: [...before.locales, row] };
  assertFallbacks(after.locales, row);
  await repository.insert(row);
  repository.note('create', row);
  await followLocales(work, before, after);
  return { data: presentLocale(row, after.defaultLocale) };
}

/** Takes effect in all projects at once. */
export async function updateLocale(work: UnitOfWork, input: Input<'update'>): Promise<{ data: Locale }> {
  const repository = work.use(LocaleRepository);
  const before = await repository.enter(tenantOf(input));
  const old = rowOf(before, input.code);
  await assertMayChange(work, before.tenantId);
  const { name, fallbackCode, isActive } = input;
  const changes = definedKeys({ name, fallbackCode, isActive });
  if (!hasChanges(old, changes)) return { data: presentLocale(old, before.defaultLocale) };
  const row: LocaleRow = { ...old, ...changes };
  if (old.isActive && !row.isActive)
    await assertUnused(work, before, { code: row.code, harmless: 'fallback' });
  const after = { ...before, locales: before.locales.map((one) => (one === old ? row : one)) };
  assertFallbacks(after.locales, row);
  await repository.save(row);
  repository.note('update', row, old);
  await followLocales(work, before, after);
  return { data: presentLocale(row, after.defaultLocale) };
}

export async function deleteLocale(work: UnitOfWork, input: Input<'delete'>): Promise<{ data: Deleted }> {
  const repository = work.use(LocaleRepository);
  const before = await repository.enter(tenantOf(input));
  const row = rowOf(before, input.code);
  await assertMayChange(work, before.tenantId);
  await assertUnused(work, before, { code: row.code });
  await repository.remove(row);
  repository.note('delete', row, row);
  await followLocales(work, before, { ...before, locales: before.locales.filter((one) => one !== row) });
  return { data: { id: row.code, deleted: true } };
}
