import type { Catalog, SiteDefinition } from '../../content/catalog.js';

/** Sites with more than one locale, among the given ones. */
export const translatedSites = (catalog: Catalog, siteIds: readonly string[] | null): SiteDefinition[] =>
  catalog.data.sites.filter(
    ({ id, locales }) => locales.length > 1 && (siteIds === null || siteIds.includes(id)),
  );
