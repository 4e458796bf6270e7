import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { FallbackRepository } from '../../publishing/delivery/index.js';
import { EntryTreeRepository } from '../../routing/tree/index.js';
import { LocaleRepository, type LocaleRow, type TenantLocales } from './locale.repository.js';
import { presentLocale } from './locale-rows.js';

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
