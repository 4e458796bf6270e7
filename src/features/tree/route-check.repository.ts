import { Repository } from '../../persistence/repositories/repository.js';
import { branchSql } from './route-sql.js';

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
    CASE WHEN ${row}.is_listed THEN 'listed' END), '')`;

/** Compares routes with the write model. */
export class RouteCheckRepository extends Repository {
  /** Recomputes all routes of the environment. */
  async differences(limit: number): Promise<RouteDifference[]> {
    await this.query("SELECT set_config('statement_timeout', '10min', true)");
    return this.query<RouteDifference>(
      `WITH RECURSIVE ${branchSql('n.environment_id = $1 AND n.parent_id IS NULL', 'all')},
         home AS (
           SELECT s.id AS site_id, l.locale, e.id AS entry_id, d.entry_id IS NOT NULL AS is_own,
             p.entry_id IS NOT NULL AS is_live, coalesce(NOT p.is_unlisted, false) AS is_listed
           FROM sites s CROSS JOIN unnest(s.locales) AS l (locale)
             JOIN entries e ON e.environment_id = $1 AND e.id = s.home_entry_id AND e.site_id = s.id AND e.deleted_at IS NULL
             LEFT JOIN entry_locales d ON d.environment_id = $1 AND d.entry_id = e.id AND d.locale = l.locale
             LEFT JOIN published_entries p ON p.environment_id = $1 AND p.entry_id = e.id AND p.locale = l.locale
           WHERE NOT EXISTS (SELECT FROM tree_nodes n WHERE n.environment_id = $1 AND n.entry_id = e.id AND n.site_id = s.id)),
         expected AS (
           SELECT site_id, locale, path, id AS node_id, entry_id, is_own, is_live, is_listed FROM target
           UNION ALL SELECT site_id, locale, '/', NULL, entry_id, is_own, is_live, is_listed FROM home),
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
