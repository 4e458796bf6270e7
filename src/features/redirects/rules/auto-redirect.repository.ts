import { Repository } from '../../../persistence/repositories/repository.js';

/** Canonical paths of a moved page in one locale. */
export interface PathChange {
  readonly siteId: string;
  readonly locale: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Changes by locale, plus those identical in all locales of the site. Later lookups use OFFSET 0 because statistics
 * may predate a bulk write.
 */
const changes = `
  moved AS (
    SELECT DISTINCT ON (c."siteId", c.locale, c."from") c."siteId" AS site_id, c.locale, c."from" AS source, c."to" AS target
    FROM jsonb_to_recordset($2::jsonb) AS c ("siteId" uuid, locale text, "from" text, "to" text)
    WHERE c."from" <> c."to"
  ), everywhere AS (
    SELECT m.site_id, m.source, m.target FROM moved m JOIN sites s ON s.tenant_id = $3 AND s.id = m.site_id
    WHERE m.locale = ANY (s.locales)
    GROUP BY m.site_id, m.source, m.target, s.locales HAVING count(*) = cardinality(s.locales)
  ), concerned AS (
    SELECT site_id, locale, source, target FROM moved
    UNION ALL SELECT site_id, NULL, source, target FROM everywhere
  )`;

/** Redirects for moved pages, covered by the audit record and event of the operation. */
export class AutoRedirectRepository extends Repository {
  /**
   * Redirects old paths to new ones without chains or loops: redirects to an old path are retargeted, redirects from
   * a page's new path are deleted. Manual redirects of old paths stay. Redirects for every locale change only if all
   * locales moved alike.
   * @returns number of created or reactivated redirects
   */
  async redirectMoves(moves: readonly PathChange[]): Promise<number> {
    if (moves.length === 0) return 0;
    await this.#lockAll();
    const bind = [this.environmentId, JSON.stringify(moves), this.tenantId];
    await this.#deleteFromPages(bind);
    await this.#retarget(bind);
    return this.#insert(moves);
  }

  /**
   * Redirects to any path.
   * @returns the id, or undefined if a manual redirect for the path exists
   */
  async redirectPath(move: PathChange): Promise<string | undefined> {
    await this.#lockAll();
    const [id] = await this.#upsert([move]);
    return id;
  }

  async #lockAll(): Promise<void> {
    await this.query(
      "SELECT pg_advisory_xact_lock(hashtextextended('redirects:' || $1, 0)) IS NULL AS locked",
      [this.environmentId],
    );
  }

  /** Also deletes those that would redirect to themselves. */
  async #deleteFromPages(bind: readonly unknown[]): Promise<void> {
    await this.query(
      `WITH ${changes}
       DELETE FROM redirects WHERE environment_id = $1 AND id = ANY (ARRAY(
         SELECT found.id FROM concerned c CROSS JOIN LATERAL (
           SELECT r.id FROM redirects r WHERE r.environment_id = $1 AND r.site_id = c.site_id
             AND r.source = c.target COLLATE "C" AND r.locale IS NOT DISTINCT FROM c.locale
             AND (r.match_type = 'exact' OR (r.match_type = 'prefix' AND r.target = c.source COLLATE "C")) OFFSET 0) AS found))`,
      bind,
    );
  }

  /** ON CONFLICT forces key lookups, which a join would not. */
  async #retarget(bind: readonly unknown[]): Promise<void> {
    await this.query(
      `WITH ${changes}
       INSERT INTO redirects (tenant_id, environment_id, id, site_id, source, target, status, match_type, locale, is_active,
         origin, created_at, updated_at)
       SELECT found.tenant_id, found.environment_id, found.id, found.site_id, found.source, c.target, found.status,
         found.match_type, found.locale, found.is_active, found.origin, found.created_at, $4::timestamptz
       FROM concerned c CROSS JOIN LATERAL (
         SELECT r.* FROM redirects r WHERE r.environment_id = $1 AND r.site_id = c.site_id
           AND r.target = c.source COLLATE "C" AND r.locale IS NOT DISTINCT FROM c.locale
           AND r.source <> c.target COLLATE "C" OFFSET 0) AS found
       ON CONFLICT (environment_id, id) DO UPDATE SET target = excluded.target, updated_at = excluded.updated_at`,
      [...bind, this.bound.now],
    );
  }

  async #insert(moves: readonly PathChange[]): Promise<number> {
    const live = new Set(moves.map(({ siteId, locale, to }) => `${siteId} ${locale} ${to}`));
    const left = moves.filter(
      ({ siteId, locale, from, to }) => from !== to && !live.has(`${siteId} ${locale} ${from}`),
    );
    return (await this.#upsert(left)).length;
  }

  /** @returns ids of created or changed redirects */
  async #upsert(moves: readonly PathChange[]): Promise<string[]> {
    const rows = moves.map((move) => ({ id: this.bound.newId(), ...move }));
    const written = await this.query<{ id: string }>(
      `INSERT INTO redirects AS r (tenant_id, environment_id, id, site_id, source, target, status, match_type, locale,
         is_active, origin, created_at, updated_at)
       SELECT DISTINCT ON (n."siteId", n."from", n.locale) $3::uuid, $1::uuid, n.id, n."siteId", n."from", n."to", 301, 'exact', n.locale,
         true, 'auto', $4::timestamptz, $4::timestamptz
       FROM jsonb_to_recordset($2::jsonb) AS n (id uuid, "siteId" uuid, locale text, "from" text, "to" text)
       ON CONFLICT (environment_id, site_id, source, locale) DO UPDATE
         SET target = excluded.target, status = 301, match_type = 'exact', is_active = true, origin = 'auto',
           updated_at = excluded.updated_at
         WHERE r.origin = 'auto' OR NOT r.is_active
       RETURNING r.id`,
      [this.environmentId, JSON.stringify(rows), this.tenantId, this.bound.now],
    );
    return written.map(({ id }) => id);
  }
}
