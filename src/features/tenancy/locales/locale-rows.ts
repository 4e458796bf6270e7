import type { Locale } from '../../../../contracts/tenancy/locales/locale.js';
import type { LocaleInput } from '../../../../contracts/tenancy/tenants/tenant.js';
import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { LocaleRow } from './locale.repository.js';

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

export function localeRow(tenantId: string, input: LocaleInput, position: number): LocaleRow {
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
export function assertFallbacks(rows: readonly LocaleRow[], changed?: LocaleRow): void {
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
