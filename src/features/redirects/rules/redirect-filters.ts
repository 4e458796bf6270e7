import { AppError } from '../../../../contracts/errors.js';
import type { RedirectOrigin } from '../../../../contracts/resources/redirect.js';
import type { Catalog } from '../../../content/catalog.js';
import { findSite } from './redirect.policy.js';
import type { RedirectFilter } from '../redirect.repository.js';

interface FilterInput {
  readonly siteId?: readonly string[] | undefined;
  readonly locale?: readonly string[] | undefined;
  readonly origin?: readonly RedirectOrigin[] | undefined;
  readonly isActive?: boolean | undefined;
  readonly q?: string | undefined;
}

/**
 * @param readable ids of readable sites; null for all
 * @throws AppError 404 `site_not_found`, `locale_not_found`
 */
export function filterOf(
  catalog: Catalog,
  input: FilterInput,
  readable: readonly string[] | null,
): RedirectFilter {
  const unknown = input.locale?.find((code) => catalog.locale(code) === undefined);
  if (unknown !== undefined) throw new AppError('locale_not_found', { path: ['locale'], locale: unknown });
  const wanted = input.siteId?.map((id) => findSite(catalog, id).id);
  return {
    siteIds: wanted === undefined ? readable : wanted.filter((id) => readable?.includes(id) !== false),
    locales: input.locale ?? null,
    origins: input.origin ?? null,
    isActive: input.isActive ?? null,
    contains: input.q ?? null,
  };
}
