import { AppError, invalidInput } from '../../../contracts/errors.js';
import type { LocaleInput } from '../../../contracts/resources/tenant.js';
import type { LocaleRow } from './tenant.repository.js';

/** English name of a locale. */
function nameOf(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Decisions 2.27. */
function assertNoCycle(locales: ReadonlyMap<string, LocaleRow>): void {
  for (const { code } of locales.values()) {
    const seen = new Set<string>();
    for (let next = locales.get(code); next !== undefined; next = locales.get(next.fallbackCode ?? '')) {
      if (seen.has(next.code)) {
        throw invalidInput({
          path: ['locales'],
          code: 'fallback_cycle',
          message: `The fallbacks of ${code} form a cycle.`,
        });
      }
      seen.add(next.code);
    }
  }
}

/**
 * In the given order.
 * @throws AppError 422 for a duplicate code or a fallback cycle, 404 for an unknown fallback
 */
export function localeRows(tenantId: string, inputs: readonly LocaleInput[]): LocaleRow[] {
  const rows = inputs.map((input, position): LocaleRow => {
    const given = typeof input === 'string' ? { code: input } : input;
    return {
      tenantId,
      code: given.code,
      name: given.name ?? nameOf(given.code),
      fallbackCode: given.fallbackCode ?? null,
      isActive: given.isActive ?? true,
      position,
    };
  });
  const byCode = new Map(rows.map((row) => [row.code, row]));
  if (byCode.size < rows.length)
    throw invalidInput({
      path: ['locales'],
      code: 'duplicate',
      message: 'Each locale can be listed only once.',
    });
  const lost = rows.findIndex(({ fallbackCode }) => fallbackCode !== null && !byCode.has(fallbackCode));
  if (lost >= 0) throw new AppError('locale_not_found', { path: ['locales', lost, 'fallbackCode'] });
  assertNoCycle(byCode);
  return rows;
}

/** @throws AppError 404 unless the default is an active locale of the tenant */
export function assertDefault(rows: readonly LocaleRow[], defaultLocale: string): void {
  if (!rows.some(({ code, isActive }) => code === defaultLocale && isActive)) {
    throw new AppError('locale_not_found', { path: ['defaultLocale'], locale: defaultLocale });
  }
}
