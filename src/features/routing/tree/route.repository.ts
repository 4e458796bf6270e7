import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { PathStyle } from '../../../content/route-path.js';
import { Repository, type Statement } from '../../../persistence/repositories/repository.js';
import { styleRedirectSql } from '../redirects/index.js';
import { slugReserved } from './reserved-path.repository.js';
import { branchSql, homeSql, prefixesSql, type Branches } from './route-sql.js';

/** A node's path change in one locale. Paths have no locale prefix. */
export interface PathChange {
  readonly nodeId: string;
  readonly siteId: string;
  readonly locale: string;
  readonly from: string;
  readonly to: string;
  /** Whether a page is served at both. */
  readonly isLive: boolean;
}

/** Also a first path. */
interface WrittenPath extends PathChange {
  /** The first segment, if it is a locale prefix of the site. */
  readonly reserved: string | null;
}

const tooLong = () =>
  new AppError('limit_reached', { limit: limits.routePathBytes }, 'A path would become too long.');
const constraintErrors = {
  routes_path_key: () => new AppError('slug_conflict'),
  routes_path_length: tooLong,
  routes_fallback_length: tooLong,
};

/** CTEs that write changed routes. */
const writeSql = (branches: Branches): string => `
  WITH RECURSIVE ${branchSql(branches)},
    changed AS (
      UPDATE routes r SET path = t.path, is_own = t.is_own, is_live = t.is_live, is_listed = t.is_listed,
        fallback_path = t.fallback_path, fallback_rank = t.fallback_rank FROM target t
      WHERE r.environment_id = t.environment_id AND r.node_id = t.id AND r.locale = t.locale
        AND (r.path, r.is_own, r.is_live, r.is_listed, r.fallback_path, r.fallback_rank)
          IS DISTINCT FROM (t.path, t.is_own, t.is_live, t.is_listed, t.fallback_path, t.fallback_rank::smallint)),
    added AS (
      INSERT INTO routes (environment_id, site_id, locale, path, node_id, entry_id, is_own, is_live, is_listed, fallback_path, fallback_rank)
      SELECT environment_id, site_id, locale, path, id, entry_id, is_own, is_live, is_listed, fallback_path, fallback_rank
      FROM target WHERE old_path IS NULL)`;

/** The first segment of a changed path, if it is a locale prefix. */
const reservedSql = `(SELECT split_part(t.path, '/', 2) FROM shown WHERE shown.site_id = t.site_id AND shown.locale = t.locale
    AND split_part(t.path, '/', 2) = ANY (shown.prefixes))`;

/**
 * Writes changed routes and returns changed paths, first ones that are reserved, and those of pages that are shown by
 * fallback before and after.
 */
const refreshSql = (branches: Branches): string => `${writeSql(branches)}
  SELECT id AS "nodeId", site_id AS "siteId", locale, coalesce(old_path, '') AS "from", path AS "to",
    coalesce(was_live AND is_live, false) AS "isLive", reserved
  FROM (SELECT t.*, ${reservedSql} AS reserved FROM target t WHERE old_path IS DISTINCT FROM path) AS t
  WHERE old_path IS NOT NULL OR reserved IS NOT NULL
  UNION ALL SELECT id, site_id, locale, old_served_path, fallback_path, true, NULL
  FROM target WHERE NOT was_live AND NOT is_live AND old_served_path <> fallback_path COLLATE "C"`;

const refreshNodes = {
  name: 'refresh_routes',
  text: refreshSql({
    roots: 'n.environment_id = $1 AND n.id = ANY($2::uuid[])',
    visits: 'changed',
    written: '$3::text[]',
  }),
};
const OF_SITE = `n.environment_id IN (SELECT id FROM environments WHERE tenant_id = $1 AND project_id = $3)
  AND n.siblings = $2 AND n.parent_id IS NULL`;

const OF_TENANT = 'n.tenant_id = $1 AND n.site_id IS NOT NULL AND n.parent_id IS NULL';

/** Paths that are served before and after. */
const servedPaths = `SELECT environment_id, locale, old_served_path AS old_path,
    CASE WHEN is_live THEN path ELSE fallback_path END AS new_path FROM target
  UNION ALL SELECT environment_id, locale, '/', '/' FROM home WHERE is_live OR fallback_path IS NOT NULL`;
const oldStyle = { strategy: '$4::text', defaultLocale: '$5::text' };
const restyleSql = `${writeSql({ roots: OF_SITE, visits: 'all' })}, ${homeSql('s.tenant_id = $1 AND s.id = $2')},
  ${styleRedirectSql(servedPaths, oldStyle, '$6::timestamptz')}
  SELECT count(*)::int AS "redirectsCreated" FROM restyled_redirects`;

const areTaken = {
  name: 'segments_are_taken',
  text: `SELECT EXISTS (SELECT FROM sites s WHERE s.tenant_id = $8 AND s.id = g.site_id AND g.segment = ANY (${prefixesSql})
        AND (g.parent_id IS NULL OR up.path = '/'))
      OR EXISTS (SELECT FROM routes r WHERE r.environment_id = $1 AND r.site_id = g.site_id AND r.locale = g.locale
        AND r.own_path = coalesce(nullif(up.path, '/'), '') || '/' || g.segment COLLATE "C"
        AND r.entry_id IS DISTINCT FROM g.entry_id AND r.node_id IS DISTINCT FROM g.node_id)
      OR EXISTS (SELECT FROM entry_locales d
        JOIN tree_nodes n ON n.environment_id = d.environment_id AND n.entry_id = d.entry_id
        WHERE d.environment_id = $1 AND d.locale = g.locale AND d.slug = g.segment AND NOT d.is_deleted
          AND n.siblings = coalesce(g.parent_id, g.site_id) AND d.entry_id IS DISTINCT FROM g.entry_id) AS "isTaken"
    FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::text[]) WITH ORDINALITY
        AS g (site_id, parent_id, locale, entry_id, node_id, segment, place)
      LEFT JOIN routes up ON up.environment_id = $1 AND up.node_id = g.parent_id AND up.locale = g.locale
    ORDER BY g.place`,
};

/** Maintains the read model of paths. Every method is set-based. */
export class RouteRepository extends Repository {
  /**
   * Also refreshes descendants of nodes whose path changed.
   * @param written the locales in which drafts or documents of the nodes changed, if nothing else did
   * @throws AppError 409 `slug_conflict`, `slug_reserved`, 422 `limit_reached`
   */
  async refresh(nodeIds: readonly string[], written: readonly string[] | null = null): Promise<PathChange[]> {
    const changes: PathChange[] = [];
    for (const level of await this.#levels(nodeIds)) {
      const paths = await this.#run(refreshNodes, [this.environmentId, level, written]);
      const refused = paths.find(({ reserved }) => reserved !== null);
      if (refused !== undefined) throw slugReserved(refused.reserved ?? '', refused.locale);
      changes.push(...paths);
    }
    return changes;
  }

  /** In every environment, after a change of locales or home. */
  async refreshSite(siteId: string): Promise<PathChange[]> {
    await this.#dropSurplus(siteId);
    const changes = await this.#run(refreshSql({ roots: OF_SITE, visits: 'all' }), [
      this.tenantId,
      siteId,
      this.projectId,
    ]);
    await this.refreshHome(siteId);
    return changes.filter(({ from }) => from !== '');
  }

  /**
   * As {@link refreshSite}, after a change of its path style: every served path redirects to the new one.
   * @returns number of redirects created
   */
  async restyleSite(siteId: string, { localePathStrategy, defaultLocale }: PathStyle): Promise<number> {
    await this.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('redirects:' || id, 0)) IS NULL AS locked FROM (
         SELECT id FROM environments WHERE tenant_id = $1 AND project_id = $2 ORDER BY id) AS environment`,
      [this.tenantId, this.projectId],
    );
    await this.#dropSurplus(siteId);
    const style = [localePathStrategy, defaultLocale, this.bound.now];
    const bind = [this.tenantId, siteId, this.projectId, ...style];
    const restyled = this.query<{ redirectsCreated: number }>(restyleSql, bind);
    const [row] = await this.mapViolations(restyled, constraintErrors);
    await this.refreshHome(siteId);
    return row?.redirectsCreated ?? 0;
  }

  async #dropSurplus(siteId: string): Promise<void> {
    await this.query(
      `DELETE FROM routes r USING sites s WHERE s.tenant_id = $1 AND s.id = $2 AND r.site_id = s.id
         AND r.environment_id IN (SELECT id FROM environments WHERE tenant_id = $1 AND project_id = s.project_id)
         AND (r.node_id IS NULL OR r.locale <> ALL (s.locales))`,
      [this.tenantId, siteId],
    );
  }

  /** In every site and environment of a tenant, after a change of its locales' fallbacks. */
  async refreshTenant(tenantId: string): Promise<void> {
    await this.allowTime(120);
    await this.#run(refreshSql({ roots: OF_TENANT, visits: 'all' }), [tenantId]);
    await this.#refreshHomes(tenantId, null);
  }

  /** The published path, without locale prefix. */
  async livePath(entryId: string, locale: string): Promise<string | undefined> {
    const [route] = await this.query<{ path: string }>(
      'SELECT path FROM routes WHERE environment_id = $1 AND entry_id = $2 AND locale = $3 AND is_live LIMIT 1',
      [this.environmentId, entryId, locale],
    );
    return route?.path;
  }

  /** Deletes the entry's routes as a home outside the tree. */
  async dropHomeOf(siteId: string, entryId: string): Promise<void> {
    await this.query(
      'DELETE FROM routes WHERE environment_id = $1 AND entry_id = $3 AND site_id = $2 AND node_id IS NULL',
      [this.environmentId, siteId, entryId],
    );
  }

  /** Refreshes a home outside its site's tree, in every environment. */
  async refreshHome(siteId: string): Promise<void> {
    await this.#refreshHomes(this.tenantId, siteId);
  }

  async #refreshHomes(tenantId: string, siteId: string | null): Promise<void> {
    await this.query(
      `WITH ${homeSql('s.tenant_id = $1 AND ($2::uuid IS NULL OR s.id = $2)')},
       kept AS (
         UPDATE routes r SET is_own = h.is_own, is_live = h.is_live, is_listed = h.is_listed,
           fallback_path = h.fallback_path, fallback_rank = h.fallback_rank FROM home h WHERE r.environment_id = h.environment_id
           AND r.site_id = h.site_id AND r.locale = h.locale AND r.entry_id = h.entry_id AND r.node_id IS NULL
         RETURNING r.environment_id, r.locale)
       INSERT INTO routes (environment_id, site_id, locale, path, entry_id, is_own, is_live, is_listed, fallback_path, fallback_rank)
       SELECT environment_id, site_id, locale, '/', entry_id, is_own, is_live, is_listed, fallback_path, fallback_rank FROM home h
       WHERE NOT EXISTS (SELECT FROM routes r WHERE r.environment_id = h.environment_id AND r.site_id = h.site_id
         AND r.locale = h.locale AND r.entry_id = h.entry_id AND r.node_id IS NULL)`,
      [tenantId, siteId],
    );
  }

  /** Segments taken below a parent by a path, a draft or a locale prefix. */
  async takenSegments(place: SegmentPlace, segments: readonly string[]): Promise<Set<string>> {
    const { siteId, parentId, locale, entryId, nodeId } = place;
    const rows = await this.query<{ segment: string }>(
      `SELECT segment FROM unnest($1::text[]) AS given (segment) WHERE EXISTS (
         SELECT FROM sites s CROSS JOIN unnest(s.locales) AS l (locale)
           LEFT JOIN routes up ON up.environment_id = $2 AND up.node_id = $4::uuid AND up.locale = l.locale
         WHERE s.tenant_id = $8 AND s.id = $3 AND ($5::text IS NULL OR l.locale = $5) AND (
           segment = ANY (${prefixesSql}) AND ($4::uuid IS NULL OR up.path = '/')
           OR EXISTS (SELECT FROM routes r WHERE r.environment_id = $2 AND r.site_id = $3 AND r.locale = l.locale
             AND r.own_path = coalesce(nullif(up.path, '/'), '') || '/' || segment COLLATE "C"
             AND r.entry_id IS DISTINCT FROM $6::uuid AND r.node_id IS DISTINCT FROM $7::uuid)
           OR EXISTS (SELECT FROM entry_locales d
             JOIN tree_nodes n ON n.environment_id = d.environment_id AND n.entry_id = d.entry_id
             WHERE d.environment_id = $2 AND d.locale = l.locale AND d.slug = segment AND NOT d.is_deleted
               AND n.siblings = coalesce($4::uuid, $3::uuid) AND d.entry_id IS DISTINCT FROM $6::uuid)))`,
      [segments, this.environmentId, siteId, parentId, locale, entryId, nodeId, this.tenantId],
    );
    return new Set(rows.map(({ segment }) => segment));
  }

  /** As {@link takenSegments} for several places of one locale each: whether each segment is taken, in their order. */
  async areTaken(wanted: readonly WantedSegment[]): Promise<boolean[]> {
    if (wanted.length === 0) return [];
    const columns = (['siteId', 'parentId', 'locale', 'entryId', 'nodeId', 'segment'] as const).map((name) =>
      wanted.map((one) => one[name]),
    );
    const rows = await this.query<{ isTaken: boolean }>(areTaken, [
      this.environmentId,
      ...columns,
      this.tenantId,
    ]);
    return rows.map(({ isTaken }) => isTaken);
  }

  /** Ancestors first, because descendants depend on them. */
  async #levels(nodeIds: readonly string[]): Promise<string[][]> {
    if (nodeIds.length < 2) return nodeIds.length === 0 ? [] : [[...nodeIds]];
    const rows = await this.query<{ id: string; depth: number }>(
      `WITH RECURSIVE above AS (
         SELECT id, parent_id, 0 AS depth FROM tree_nodes WHERE environment_id = $1 AND id = ANY($2::uuid[])
         UNION ALL
         SELECT a.id, n.parent_id, a.depth + 1 FROM above a JOIN tree_nodes n ON n.environment_id = $1 AND n.id = a.parent_id)
       SELECT id, max(depth) AS depth FROM above GROUP BY id ORDER BY 2`,
      [this.environmentId, nodeIds],
    );
    return [...Map.groupBy(rows, ({ depth }) => depth).values()].map((level) => level.map(({ id }) => id));
  }

  #run(sql: string | Statement, bind: readonly unknown[]): Promise<WrittenPath[]> {
    return this.mapViolations(this.query<WrittenPath>(sql, bind), constraintErrors);
  }
}

export interface WantedSegment extends SegmentPlace {
  readonly locale: string;
  readonly segment: string;
}

/** Place in which a segment must be unique. */
export interface SegmentPlace {
  readonly siteId: string;
  readonly parentId: string | null;
  readonly locale: string | null;
  /** Excluded from the check. */
  readonly entryId: string | null;
  readonly nodeId: string | null;
}
