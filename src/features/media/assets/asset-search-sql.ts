import { afterSql, type Bind } from '../../shared/index.js';
import { and } from './asset-filter-sql.js';
import { keysetOf, type AssetListing, type Window } from './asset-order-sql.js';

/** Candidates among `media_search s`. */
export const candidatesSql = (text: string, value: Bind): string => {
  const given = `${value(text)}::text`;
  return `s.environment_id = $1
    AND s.grams @> search_needles($1::uuid, ${given})`;
};

/** OFFSET keeps the planner from reading all assets to join them. */
export const searched = `media_search s CROSS JOIN LATERAL (SELECT * FROM media_assets one
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
