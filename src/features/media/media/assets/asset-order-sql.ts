import { afterSql, type Keyset, type Position } from '../../../shared/cursor/list-page.js';
import type { Bind } from '../../../shared/readable-entries.js';
import { inTextOrder } from '../../../../infrastructure/text-order.js';
import { and, lacksText, matchingSets, namesSite, type AssetFilter, type Term } from './asset-filter-sql.js';
import { limits } from '../../../../../contracts/limits.js';

/** As in the index `media_assets_name`. */
export const NAME_ORDER = inTextOrder('a.file_name');

export interface AssetOrder {
  readonly column: 'a.created_at' | 'a.updated_at' | typeof NAME_ORDER;
  readonly direction: 'ASC' | 'DESC';
}

/** A filtered list in its order. */
export interface AssetListing {
  readonly filter: AssetFilter;
  readonly terms: readonly Term[];
  readonly order: AssetOrder;
}

export interface Window {
  readonly limit: number;
  readonly offset: number;
  /** Null for pages by number. */
  readonly after: Position | null;
}

export const keysetOf = (
  { column, direction }: AssetOrder,
  columns: { readonly key: string; readonly id: string } = { key: column, id: 'a.id' },
): Keyset => ({
  keys: [
    { column: columns.key, type: column === NAME_ORDER ? 'text' : 'time' },
    { column: columns.id, type: 'uuid' },
  ],
  isAscending: direction === 'ASC',
});

/** Part of a list that an index has in order of `updated_at`; the list merges the parts. */
interface Parts {
  readonly filter: keyof AssetFilter;
  /** SQL of one column `key` per part. */
  keys(value: Bind): string;
  /** FROM clause of a part with its condition. */
  readonly from: string;
  /** Columns that an index has in order. */
  readonly updatedAt: string;
  readonly id: string;
}

const assetParts = (filter: keyof AssetFilter, keys: Parts['keys'], condition: string): Parts => ({
  filter,
  keys,
  from: `media_assets a WHERE a.environment_id = $1 AND ${condition}`,
  updatedAt: 'a.updated_at',
  id: 'a.id',
});

/** The first filter given of those that have an index of their own, rarest first. */
function partsOf({ tags, missingAltText, siteIds }: AssetFilter): Parts | null {
  if (tags !== null)
    return {
      filter: 'tags',
      keys: (value) => `SELECT DISTINCT unnest(${value(tags)}::text[]) COLLATE "C"`,
      from: `media_asset_tags t JOIN media_assets a ON a.environment_id = t.environment_id AND a.id = t.asset_id
        WHERE t.environment_id = $1 AND t.tag = part.key`,
      updatedAt: 't.updated_at',
      id: 't.asset_id',
    };
  if (missingAltText !== null)
    return assetParts(
      'missingAltText',
      (value) => matchingSets('alt_set', lacksText(missingAltText)(value)),
      "a.mime_family = 'image' AND a.alt_set = part.key",
    );
  if (siteIds !== null)
    return assetParts(
      'siteIds',
      (value) => matchingSets('site_set', namesSite(siteIds)(value)),
      'a.site_set = part.key',
    );
  return null;
}

/** SQL of the ids of a page, without a total. */
export function pageSql(
  { filter, terms, order }: AssetListing,
  { limit, offset, after }: Window,
  value: Bind,
): string {
  const { column, direction } = order;
  const parts = column === 'a.updated_at' ? partsOf(filter) : null;
  if (parts === null)
    return `SELECT a.id, NULL::int AS total FROM media_assets a WHERE a.environment_id = $1${and(terms, value)}${afterSql(keysetOf(order), after, value)}
      ORDER BY ${column} ${direction}, a.id ${direction} LIMIT ${value(limit)} OFFSET ${value(offset)}`;
  const others = terms.filter((term) => term.filter !== parts.filter);
  const keyset = keysetOf(order, { key: parts.updatedAt, id: parts.id });
  return `SELECT found.id, NULL::int AS total FROM (SELECT DISTINCT one.updated_at, one.id FROM (${parts.keys(value)}) AS part (key)
        CROSS JOIN LATERAL (SELECT ${parts.updatedAt} AS updated_at, ${parts.id} AS id FROM ${parts.from}${and(others, value)}${afterSql(keyset, after, value)}
          ORDER BY ${parts.updatedAt} ${direction}, ${parts.id} ${direction} LIMIT ${value(limit + offset)}) AS one) AS found
      ORDER BY found.updated_at ${direction}, found.id ${direction} LIMIT ${value(limit)} OFFSET ${value(offset)}`;
}

/** Candidates among `media_search s`. */
const candidatesSql = (text: string, value: Bind): string => {
  const given = `${value(text)}::text`;
  return `s.environment_id = $1
    AND s.grams @> search_needles($1::uuid, ${given})`;
};

/** OFFSET keeps the planner from reading all assets to join them. */
const searched = `media_search s CROSS JOIN LATERAL (SELECT * FROM media_assets one
    WHERE one.environment_id = s.environment_id AND one.id = s.asset_id OFFSET 0) AS a`;

/** SQL of matches with their place in the order, without an order. */
const matchesSql = ({ filter, terms, order }: AssetListing, after: Window['after'], value: Bind): string =>
  `SELECT a.id, ${order.column} AS place FROM ${searched}
      WHERE ${candidatesSql(filter.contains ?? '', value)}${and(terms, value)}${afterSql(keysetOf(order), after, value)}`;

/** SQL of the ids of a page, with the number of matches, of which it finds and sorts at most a number. */
export function searchSql(
  listing: AssetListing,
  { limit, offset, after, most }: Window & { readonly most: number | null },
  value: Bind,
): string {
  const { direction } = listing.order;
  return `WITH found AS MATERIALIZED (${matchesSql(listing, after, value)} LIMIT ${value(most)})
      SELECT found.id, (SELECT count(*)::int FROM found) AS total FROM found
      ORDER BY found.place ${direction}, found.id ${direction} LIMIT ${value(limit)} OFFSET ${value(offset)}`;
}

/** SQL of the ids of a page, if it is complete within the first rows of the list. */
export function walkSql(
  { terms, order }: AssetListing,
  { limit, offset, after, compared }: Window & { readonly compared: number },
  value: Bind,
): string {
  const { column, direction } = order;
  const place = { key: column.replace('a.', 'w.'), id: 'w.id' };
  const rest = afterSql(keysetOf(order, place), after, value);
  const ordered = `ORDER BY ${column} ${direction}, a.id ${direction}`;
  return `SELECT a.id, NULL::int AS total FROM (SELECT w.* FROM media_assets w WHERE w.environment_id = $1${rest}
        ORDER BY ${place.key} ${direction}, w.id ${direction} LIMIT ${value(compared)}) AS a
      WHERE a.environment_id = $1${and(terms, value)} ${ordered} LIMIT ${value(limit)} OFFSET ${value(offset)}`;
}

/** Folder id under which `media_counts` keeps the totals of all folders. */
const ALL_FOLDERS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const sumOf = (table: string, conditions: readonly string[]): string =>
  `SELECT coalesce(sum(c.assets), 0)::int AS total FROM ${table} c WHERE ${['c.environment_id = $1', ...conditions].join(' AND ')}`;

/** SQL of the total: sums of counters if some have all filters; matches of a string are counted up to a limit. */
export function totalSql(filter: AssetFilter, terms: readonly Term[], value: Bind): string {
  const counts = terms.flatMap(({ count }) => count ?? []);
  if (counts.length === terms.length) {
    const ofAll = filter.folderId === null ? [`c.folder_id = '${ALL_FOLDERS}'`] : [];
    return sumOf('media_counts', [...counts.map((sql) => sql(value)), ...ofAll]);
  }
  const sets = terms.flatMap(({ set }) => set ?? []);
  if (sets.length === terms.length)
    return sumOf(
      'media_set_counts',
      sets.map((sql) => sql(value)),
    );
  const [tag] = filter.tags ?? [];
  if (terms.length === 1 && tag !== undefined && filter.tags?.length === 1)
    return sumOf('media_tag_counts', [`c.tag = ${value(tag)}`]);
  if (filter.contains !== null)
    return `SELECT count(*)::int AS total FROM (SELECT FROM ${searched}
      WHERE ${candidatesSql(filter.contains, value)}${and(terms, value)} LIMIT ${String(limits.mediaMatchesCounted)}) AS found`;
  return `SELECT count(*)::int AS total FROM media_assets a WHERE a.environment_id = $1${and(terms, value)}`;
}
