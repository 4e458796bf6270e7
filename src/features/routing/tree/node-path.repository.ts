import type { PathMeta } from '../../../../contracts/routing/tree/tree-node.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { publicPath } from '../../../content/route-path.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { AutoRedirectRepository } from '../redirects/index.js';
import type { PathChange } from './route.repository.js';
import { branchSql, homeSql } from './route-sql.js';

const above = (start: string): string => `WITH RECURSIVE above AS (
     ${start}
     UNION ALL
     SELECT a.key, p.id, p.parent_id FROM above a JOIN tree_nodes p ON p.environment_id = $1 AND p.id = a.parent_id)
   SELECT key, array_agg(id) AS ids FROM above GROUP BY key`;

/** Ancestors of nodes, for permissions that include descendants. */
export class NodePathRepository extends Repository {
  /** Node and ancestors by node id; unknown ids are absent. */
  ofNodes(ids: readonly string[]): Promise<Map<string, readonly string[]>> {
    return this.#paths(
      'SELECT id AS key, id, parent_id FROM tree_nodes WHERE environment_id = $1 AND id = ANY($2::uuid[])',
      ids,
    );
  }

  /** Node and ancestors by entry id; entries outside the trees are absent. */
  ofEntries(ids: readonly string[]): Promise<Map<string, readonly string[]>> {
    return this.#paths(
      'SELECT entry_id AS key, id, parent_id FROM tree_nodes WHERE environment_id = $1 AND entry_id = ANY($2::uuid[])',
      ids,
    );
  }

  async #paths(start: string, ids: readonly string[]): Promise<Map<string, readonly string[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.query<{ key: string; ids: string[] }>(above(start), [
      this.environmentId,
      [...ids],
    ]);
    return new Map(rows.map(({ key, ids: path }) => [key, path]));
  }
}

/** Redirects after path changes. */
export class PathRedirectRepository extends Repository {
  /** Redirects old paths of published pages, except `/`, which always belongs to the home. */
  async redirect(changes: readonly PathChange[], createRedirects: boolean): Promise<PathMeta> {
    if (changes.some(({ isLive }) => isLive)) this.bound.log.notePublicPath();
    const affected = new Set(changes.map(({ nodeId }) => nodeId)).size;
    const live = createRedirects ? changes.filter(({ isLive, from }) => isLive && from !== '/') : [];
    if (live.length === 0) return { affected, redirectsCreated: 0 };
    const catalog = await new CatalogRepository(this.bound).current();
    const moves = live.flatMap(({ siteId, locale, from, to }) => {
      const site = catalog.site(siteId);
      if (site === undefined) return [];
      const publicForm = (path: string) => publicPath(site, locale, path);
      return [{ siteId, locale, from: publicForm(from), to: publicForm(to) }];
    });
    return { affected, redirectsCreated: await new AutoRedirectRepository(this.bound).redirectMoves(moves) };
  }
}

/** A stored route that differs from the expected one; null if missing. */
interface RouteDifference {
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
      `WITH RECURSIVE ${branchSql({ roots: 'n.environment_id = $1 AND n.parent_id IS NULL', visits: 'all' })},
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
