import type { Site, SiteMeta } from '../../../contracts/resources/site.js';
import type { SiteRow } from './site.repository.js';

export function presentSite(row: SiteRow): Site {
  const { tenantId: _tenant, projectId: _project, createdAt, updatedAt, ...site } = row;
  return { ...site, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

const AMBIGUOUS_PATHS =
  'Without prefixes, a path does not say its locale: pages of several locales can share one, and requests must name the locale.';

/** The site, with what its path style makes ambiguous. */
export function siteResult(row: SiteRow, redirectsCreated?: number): { data: Site; meta?: SiteMeta } {
  const isAmbiguous = row.localePathStrategy === 'none' && row.locales.length > 1;
  const warning = {
    path: ['localePathStrategy'],
    code: 'ambiguous_paths' as const,
    message: AMBIGUOUS_PATHS,
  };
  const meta = {
    ...(isAmbiguous && { warnings: [warning] }),
    ...(redirectsCreated !== undefined && { redirectsCreated }),
  };
  return { data: presentSite(row), ...(Object.keys(meta).length > 0 && { meta }) };
}
