import { AppError } from '../../../../../contracts/errors.js';
import type { Catalog } from '../../../../content/catalog.js';

/** @throws AppError 404 `content_type_not_found` */
export function resolveTypeIds(
  catalog: Catalog,
  names: readonly string[] | undefined,
): readonly string[] | null {
  if (names === undefined) return null;
  return names.map((name) => {
    const type = catalog.contentType(name);
    if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
    return type.id;
  });
}

export function resolveSiteIds(
  catalog: Catalog,
  ids: readonly string[] | undefined,
): readonly string[] | null {
  if (ids === undefined) return null;
  return ids.map((id) => {
    const site = catalog.site(id.toLowerCase());
    if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
    return site.id;
  });
}

/**
 * @param key of the input that names the locale
 * @throws AppError 404 `locale_not_found` if the tenant lacks the locale
 */
export function resolveLocale(catalog: Catalog, locale: string | undefined, key = 'locale'): string | null {
  if (locale === undefined) return null;
  if (catalog.locale(locale) === undefined) throw new AppError('locale_not_found', { path: [key], locale });
  return locale;
}

/** Entries in these states. */
export interface StateFilter {
  readonly keys: readonly string[];
  /** Types and sites whose base state is one of them; `all` if every workflow's is. */
  readonly based: 'all' | readonly { readonly contentTypeId: string; readonly siteId: string }[];
}

export function resolveStates(catalog: Catalog, keys: readonly string[] | undefined): StateFilter | null {
  if (keys === undefined) return null;
  const { contentTypes, sites } = catalog.data;
  const places = contentTypes.flatMap(({ id: contentTypeId }) =>
    sites.map(({ id: siteId }) => ({ contentTypeId, siteId })),
  );
  const based = places.filter((place) => keys.includes(catalog.workflowOf(place)?.baseState ?? ''));
  return { keys, based: based.length === places.length && places.length > 0 ? 'all' : based };
}

interface StateSql {
  /** Test of the stored state for the base state. */
  readonly base: string;
  /** Alias of the row with type and site. */
  readonly place: string;
  readonly value: (given: unknown) => string;
}

/** SQL of a filter by states. */
export function stateCondition(
  { keys, based }: StateFilter,
  alias: string,
  { base, place, value }: StateSql,
): string {
  const stored = `${alias}.workflow_state`;
  const entered =
    keys.length === 1 ? `${stored} = ${value(keys[0])}` : `${stored} = ANY(${value(keys)}::text[])`;
  if (based !== 'all' && based.length === 0) return entered;
  const types = () => value(based === 'all' ? [] : based.map(({ contentTypeId }) => contentTypeId));
  const sites = () => value(based === 'all' ? [] : based.map(({ siteId }) => siteId));
  const isPlaced =
    based === 'all'
      ? ''
      : `AND (${place}.content_type_id, ${place}.site_id) IN (SELECT * FROM unnest(${types()}::uuid[], ${sites()}::uuid[]))`;
  return `(${entered} OR (${stored} ${base} ${isPlaced}))`;
}
