import type { Locale } from '../../../../contracts/tenancy/locales/locale.js';
import type { LocaleInput } from '../../../../contracts/tenancy/tenants/tenant.js';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { listEnvelope, type Deleted, type PageMeta } from '../../../../contracts/envelopes.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { locales, tenantLocales } from '../../../../contracts/tenancy/locales/locales.contract.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { FallbackRepository } from '../../publishing/delivery/index.js';
import { EntryTreeRepository } from '../../routing/tree/index.js';
import { TenantOwnerRepository } from '../../access/users/index.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { LocaleRepository, type LocaleRow, type TenantLocales, type Use } from './locale.repository.js';

type Path = (string | number)[];

export const presentLocale = (row: LocaleRow, defaultLocale: string): Locale => ({
  code: row.code,
  name: row.name,
  isDefault: row.code === defaultLocale,
  fallbackCode: row.fallbackCode,
  isActive: row.isActive,
});

/** English name of a locale. */
function nameOf(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

function localeRow(tenantId: string, input: LocaleInput, position: number): LocaleRow {
  const given = typeof input === 'string' ? { code: input } : input;
  return {
    tenantId,
    code: given.code,
    name: given.name ?? nameOf(given.code),
    fallbackCode: given.fallbackCode ?? null,
    isActive: given.isActive ?? true,
    position,
  };
}

/** Rule localization/locales. */
function assertNoCycle(locales: ReadonlyMap<string, LocaleRow>, path: Path): void {
  for (const { code } of locales.values()) {
    const seen = new Set<string>();
    for (let next = locales.get(code); next !== undefined; next = locales.get(next.fallbackCode ?? '')) {
      if (seen.has(next.code))
        throw invalidInput({
          path,
          code: 'fallback_cycle',
          message: `The fallbacks of ${code} form a cycle.`,
        });
      seen.add(next.code);
    }
  }
}

/**
 * @param changed the only locale whose fallback is new
 * @throws AppError 422 for a cycle of fallbacks, 404 for an unknown one
 */
function assertFallbacks(rows: readonly LocaleRow[], changed?: LocaleRow): void {
  const byCode = new Map(rows.map((row) => [row.code, row]));
  const lost = rows.findIndex(({ fallbackCode }) => fallbackCode !== null && !byCode.has(fallbackCode));
  const pathOf = (index: number): Path =>
    changed === undefined ? ['locales', index, 'fallbackCode'] : ['fallbackCode'];
  if (lost >= 0) throw new AppError('locale_not_found', { path: pathOf(lost) });
  assertNoCycle(byCode, changed === undefined ? ['locales'] : ['fallbackCode']);
}

/**
 * In the given order.
 * @throws AppError 422 for a duplicate code or a cycle of fallbacks, 404 for an unknown fallback
 */
export function localeRows(tenantId: string, inputs: readonly LocaleInput[]): LocaleRow[] {
  const rows = inputs.map((input, position) => localeRow(tenantId, input, position));
  if (new Set(rows.map(({ code }) => code)).size < rows.length)
    throw invalidInput({
      path: ['locales'],
      code: 'duplicate',
      message: 'Each locale can be listed only once.',
    });
  assertFallbacks(rows);
  return rows;
}

/** Paths of pages that a locale shows by fallback depend on it, as do fields. A new locale has no content. */
const changesFallbacks = (before: readonly LocaleRow[], after: readonly LocaleRow[]): boolean =>
  before.some(
    (row) =>
      row.fallbackCode !==
      (after.find(({ code }) => code === row.code) ?? { fallbackCode: null }).fallbackCode,
  );

type Event = 'locale.created' | 'locale.updated' | 'locale.deleted';

function changesOf(before: TenantLocales, after: TenantLocales): (readonly [Event, string])[] {
  const shown = ({ locales, defaultLocale }: TenantLocales) =>
    new Map(locales.map((row) => [row.code, presentLocale(row, defaultLocale)]));
  const [old, now] = [shown(before), shown(after)];
  const codes = [...new Set([...old.keys(), ...now.keys()])];
  return codes.flatMap((code) => {
    const event: Event = !now.has(code)
      ? 'locale.deleted'
      : old.has(code)
        ? 'locale.updated'
        : 'locale.created';
    return isEqualJson(old.get(code), now.get(code)) ? [] : [[event, code] as const];
  });
}

/**
 * After the locales of a tenant were saved: paths and documents that depend on fallbacks, and an event in each project
 * for each locale that changed. Writers of the projects must be blocked.
 */
export async function followLocales(
  work: UnitOfWork,
  before: TenantLocales,
  after: TenantLocales,
): Promise<void> {
  if (changesFallbacks(before.locales, after.locales)) {
    await work.use(FallbackRepository).refreshTenant(after.tenantId);
    await work.use(EntryTreeRepository).refreshTenant(after.tenantId);
  }
  const changes = changesOf(before, after);
  if (changes.length === 0) return;
  for (const address of await work.use(LocaleRepository).addresses(after.tenantId))
    for (const [type, locale] of changes) work.emit({ type, data: { locale }, address });
}

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
