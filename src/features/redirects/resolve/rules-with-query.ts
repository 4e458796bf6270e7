/** Columns, conditions and binds of {@link rulesWithQuery}. */
export interface RuleLookup {
  readonly columns: string;
  readonly where: string;
  /** SQL of a path. */
  readonly path: string;
  /** SQL of the request's parameters, `text[]`. */
  readonly parameters: string;
}

/**
 * Rules whose source is the path with a query, all of whose parameters the request has. Parameters of a source are
 * sorted, so that the first one is looked up in the index of sources; an apostrophe follows "&" by byte.
 */
export const rulesWithQuery = ({ columns, where, path, parameters }: RuleLookup): string =>
  `SELECT found.* FROM (SELECT DISTINCT one FROM unnest(${parameters}::text[]) AS one) AS given CROSS JOIN LATERAL (
     SELECT ${columns} FROM redirects WHERE ${where} AND match_type = 'exact'
       AND source >= (${path}::text || '?' || given.one) COLLATE "C"
       AND source < (${path}::text || '?' || given.one || '''') COLLATE "C"
       AND (source = (${path}::text || '?' || given.one) COLLATE "C"
         OR starts_with(source, ${path}::text || '?' || given.one || '&'))
       AND string_to_array(substr(source, length(${path}::text) + 2), '&') <@ ${parameters}::text[] OFFSET 0) AS found`;
