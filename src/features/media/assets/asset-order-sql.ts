import { afterSql, type Bind, type Keyset, type Position } from '../../shared/index.js';
import { and, lacksText, matchingSets, namesSite, type AssetFilter, type Term } from './asset-filter-sql.js';

export interface AssetOrder {
  readonly column: 'a.created_at' | 'a.updated_at' | 'a.file_name';
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
    { column: columns.key, type: column === 'a.file_name' ? 'text' : 'time' },
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
