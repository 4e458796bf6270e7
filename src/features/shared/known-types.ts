import type { Catalog } from '../../content/catalog.js';

/**
 * Stored filters without the content types that this environment lacks, if it has one of them: what belongs to the
 * project names those of other environments too.
 */
export function withKnownTypes<F extends object>(catalog: Catalog, filters: F): F {
  const { contentTypeApiName: names } = filters as { contentTypeApiName?: unknown };
  if (!Array.isArray(names)) return filters;
  const known = names.filter((name) => catalog.contentType(String(name)) !== undefined);
  return known.length === 0 ? filters : { ...filters, contentTypeApiName: known };
}
