import type { DocumentQuery, StoredDocument } from './document.js';

/** Whether the list has at most one document of an entry. */
export const hasOneLocale = ({ isForAll, locales, siteLocales }: DocumentQuery): boolean =>
  isForAll === true ||
  (siteLocales === undefined
    ? locales.length === 1
    : Object.values(siteLocales).every(({ length }) => length < 2));

/** Documents of every locale, on sites that serve one; the locales are bound all the same. */
function forAllSql({ siteId, siteLocales }: DocumentQuery): string {
  const own = `p.environment_id = $1 AND p.content_type_id = $2 AND cardinality($3::text[]) > 0`;
  if (siteLocales === undefined)
    return `${own} ${siteId === null ? 'AND $4::uuid IS NULL' : 'AND p.site_id = $4'}`;
  return `${own} AND $4::uuid IS NULL AND ($5::jsonb -> p.site_id::text) <> '{}'`;
}

/** Each site's entries along its own chain: `$5` has the position of each locale by site. */
function siteChainsSql(query: DocumentQuery): string {
  const position = (locale: string): string => `($5::jsonb -> p.site_id::text ->> ${locale})::int`;
  const own = `p.environment_id = $1 AND p.content_type_id = $2 AND $4::uuid IS NULL
    AND p.locale = ANY($3::text[]) AND ${position('p.locale')} IS NOT NULL`;
  if (hasOneLocale(query)) return own;
  return `${own} AND NOT EXISTS (SELECT FROM published_entries better WHERE better.environment_id = $1
    AND better.entry_id = p.entry_id AND ${position('better.locale')} < ${position('p.locale')})`;
}

/**
 * The list that a query scopes: locale or chain of locales, and site. Four values are bound, `$4` null for every site,
 * and a fifth with chains by site.
 */
export function scopeSql(query: DocumentQuery): string {
  const { isForAll, siteId, locales, siteLocales } = query;
  if (isForAll === true) return `${forAllSql(query)} AND p.all_locales`;
  if (siteLocales !== undefined) return siteChainsSql(query);
  const site = siteId === null ? 'AND $4::uuid IS NULL' : 'AND p.site_id = $4';
  const own = `p.environment_id = $1 AND p.content_type_id = $2 ${site}`;
  if (locales.length === 1) return `${own} AND p.locale = ($3::text[])[1]`;
  return `${own} AND p.locale = ANY($3::text[])
    AND NOT EXISTS (SELECT FROM published_entries better WHERE better.environment_id = $1
      AND better.entry_id = p.entry_id AND better.locale = ANY($3::text[])
      AND array_position($3::text[], better.locale) < array_position($3::text[], p.locale))`;
}

/** As {@link scopeSql}, of counters of the type: they do not say what serves every locale. */
export const countedSql = (query: DocumentQuery): string =>
  query.isForAll === true ? forAllSql(query) : scopeSql(query);

/** Names the form of a list in the names of its statements. */
export function shapeOf(query: DocumentQuery): string {
  const sites = query.siteLocales !== undefined ? 'each' : query.siteId === null ? 'all' : 'site';
  if (query.isForAll === true) return `${sites}_any`;
  return `${sites}_${hasOneLocale(query) ? 'one' : 'chain'}`;
}

/** The locales that the site of a document is read along. */
export const chainIn =
  ({ locales, siteLocales }: DocumentQuery) =>
  ({ siteId }: Pick<StoredDocument, 'siteId'>): readonly string[] =>
    siteLocales === undefined ? locales : (siteLocales[siteId] ?? []);

/** The locale that the site of a document is read in. */
export const requestedIn =
  (query: DocumentQuery) =>
  (document: Pick<StoredDocument, 'siteId'>): string | undefined =>
    chainIn(query)(document)[0];
