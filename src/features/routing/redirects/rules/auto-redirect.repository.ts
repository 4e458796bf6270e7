import { Repository } from '../../../../persistence/repositories/repository.js';
import {
  redirectChange,
  redirectColumns,
  rowOf,
  verbOf,
  type RedirectPair,
  type RedirectRow,
} from '../redirect.repository.js';
import { redirectEvent } from './redirect.policy.js';

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

interface Written extends RedirectRow {
  /** False for the row that was replaced. */
  readonly isNew: boolean;
}

/** Keys whose change is worth a record. */
const content = ({ target, status, matchType, queryMatch, isActive }: RedirectRow): string =>
  JSON.stringify([target, status, matchType, queryMatch, isActive]);

/**
 * Redirects that the service writes itself. Those of people (origins `manual` and `import`) are never changed or
 * deleted (rule routing/redirects). Each change has its audit record and event.
 */
export class AutoRedirectRepository extends Repository {
  /**
   * Redirects old paths to new ones without chains or loops: automatic redirects to an old path are retargeted, those
   * from a page's new path are deleted. Redirects for every locale change only if all locales moved alike.
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
   * @returns the id, or undefined if a person wrote a redirect for the path
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
    const deleted = await this.query<RedirectRow>(
      `WITH ${changes}
       DELETE FROM redirects r WHERE r.environment_id = $1 AND r.id = ANY (ARRAY(
         SELECT found.id FROM concerned c CROSS JOIN LATERAL (
           SELECT r.id FROM redirects r WHERE r.environment_id = $1 AND r.site_id = c.site_id
             AND r.source = c.target COLLATE "C" AND r.locale IS NOT DISTINCT FROM c.locale
             AND r.origin = 'auto' OFFSET 0) AS found))
       RETURNING ${redirectColumns}`,
      bind,
    );
    for (const row of deleted) this.#note({ before: row, after: null });
  }

  /** ON CONFLICT forces key lookups, which a join would not. */
  async #retarget(bind: readonly unknown[]): Promise<void> {
    const { now } = this.bound;
    const found = await this.query<RedirectRow & { next: string }>(
      `WITH ${changes}, found AS MATERIALIZED (
         SELECT old.*, c.target AS next FROM concerned c CROSS JOIN LATERAL (
           SELECT r.* FROM redirects r WHERE r.environment_id = $1 AND r.site_id = c.site_id
             AND r.target = c.source COLLATE "C" AND r.locale IS NOT DISTINCT FROM c.locale
             AND r.source <> c.target COLLATE "C" AND r.origin = 'auto' OFFSET 0) AS old
       ), written AS (
         INSERT INTO redirects (tenant_id, environment_id, id, site_id, source, target, status, match_type, locale,
           is_active, origin, created_at, updated_at)
         SELECT tenant_id, environment_id, id, site_id, source, next, status, match_type, locale, is_active, origin,
           created_at, $4::timestamptz FROM found
         ON CONFLICT (environment_id, id) DO UPDATE SET target = excluded.target, updated_at = excluded.updated_at)
       SELECT ${redirectColumns}, r.next FROM found r`,
      [...bind, now],
    );
    for (const { next, ...row } of found)
      this.#note({ before: row, after: { ...row, target: next, updatedAt: now } });
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
    const given = moves.map((move) => ({ id: this.bound.newId(), ...move }));
    const rows = await this.query<Written>(
      `WITH given AS MATERIALIZED (
         SELECT DISTINCT ON (n."siteId", n."from", n.locale) n.id, n."siteId" AS site_id, n."from" AS source, n."to" AS target, n.locale
         FROM jsonb_to_recordset($2::jsonb) AS n (id uuid, "siteId" uuid, locale text, "from" text, "to" text)
       ), known AS MATERIALIZED (
         SELECT old.* FROM given n CROSS JOIN LATERAL (
           SELECT r.* FROM redirects r WHERE r.environment_id = $1 AND r.site_id = n.site_id
             AND r.source = n.source COLLATE "C" AND r.locale = n.locale AND r.origin = 'auto' OFFSET 0) AS old
       ), written AS (
         INSERT INTO redirects AS r (tenant_id, environment_id, id, site_id, source, target, status, match_type, locale,
           is_active, origin, created_at, updated_at)
         SELECT $3::uuid, $1::uuid, n.id, n.site_id, n.source, n.target, 301, 'exact', n.locale, true, 'auto',
           $4::timestamptz, $4::timestamptz FROM given n
         ON CONFLICT (environment_id, site_id, source, locale) DO UPDATE
           SET target = excluded.target, status = 301, match_type = 'exact', query_match = 'ignore', is_active = true,
             updated_at = excluded.updated_at
           WHERE r.origin = 'auto'
         RETURNING r.*)
       SELECT false AS "isNew", ${redirectColumns} FROM known r
       UNION ALL SELECT true, ${redirectColumns} FROM written r`,
      [this.environmentId, JSON.stringify(given), this.tenantId, this.bound.now],
    );
    return this.#noteWritten(rows);
  }

  #noteWritten(rows: readonly Written[]): string[] {
    const before = new Map<string, RedirectRow>();
    const ids: string[] = [];
    for (const { isNew, ...row } of rows) {
      if (!isNew) {
        before.set(row.id, row);
        continue;
      }
      const known = before.get(row.id);
      if (known === undefined || content(known) !== content(row))
        this.#note({ before: known ?? null, after: row });
      ids.push(row.id);
    }
    return ids;
  }

  #note(change: RedirectPair): void {
    this.record({ ...redirectChange(change), isAlong: true });
    this.bound.log.emit(redirectEvent(verbOf(change), rowOf(change)));
  }
}
