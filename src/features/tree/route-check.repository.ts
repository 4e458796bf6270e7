import { Repository } from '../../persistence/repositories/repository.js';
import { branchSql, homeSql } from './route-sql.js';

/** A stored route that differs from the expected one; null if missing. */
export interface RouteDifference {
  readonly siteId: string;
  readonly locale: string;
  readonly entryId: string | null;
  readonly nodeId: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

const state = (row: string): string =>
  `nullif(concat_ws(' ', ${row}.path, CASE WHEN ${row}.is_own THEN 'own' END, CASE WHEN ${row}.is_live THEN 'live' END,
    CASE WHEN ${row}.is_listed THEN 'listed' END, ${row}.fallback_rank::text, ${row}.fallback_path), '')`;

/** Compares routes with the write model. */
export class RouteCheckRepository extends Repository {
  /** Recomputes all routes of the environment. */
  async differences(limit: number): Promise<RouteDifference[]> {
    await this.allowTime(600);
    return this.query<RouteDifference>(
      `WITH RECURSIVE ${branchSql('n.environment_id = $1 AND n.parent_id IS NULL', 'all')},
         ${homeSql('s.id IN (SELECT site_id FROM entries WHERE environment_id = $1)')},
         expected AS (
           SELECT site_id, locale, path, id AS node_id, entry_id, is_own, is_live, is_listed, fallback_rank, fallback_path FROM target
           UNION ALL SELECT site_id, locale, '/', NULL, entry_id, is_own, is_live, is_listed, fallback_rank, fallback_path
             FROM home WHERE environment_id = $1),
         actual AS (SELECT * FROM routes WHERE environment_id = $1)
       SELECT coalesce(e.site_id, a.site_id) AS "siteId", coalesce(e.locale, a.locale) AS locale,
         coalesce(e.entry_id, a.entry_id) AS "entryId", coalesce(e.node_id, a.node_id) AS "nodeId",
         ${state('e')} AS expected, ${state('a')} AS actual
       FROM expected e FULL JOIN actual a ON a.site_id = e.site_id AND a.locale = e.locale
         AND coalesce(a.node_id, a.entry_id) = coalesce(e.node_id, e.entry_id)
       WHERE ${state('e')} IS DISTINCT FROM ${state('a')} LIMIT $2`,
      [this.environmentId, limit],
    );
  }
}
