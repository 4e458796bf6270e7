import { Repository } from '../../../../persistence/repositories/repository.js';

/** Arbitrary but fixed: the issues of an environment are found by one worker at a time. */
const HEALTH_LOCK = 7_420_063;
/** For every entry of an environment. */
const SPREAD_SECONDS = 600;

/** Notes of entries and assets: what they concern is few entries. */
const single = [
  `SELECT subject_id, id FROM n WHERE kind = 'entry'`,
  `SELECT k.entry_id, n.id FROM n JOIN entry_links k ON k.environment_id = $1 AND k.target_id = n.subject_id WHERE n.is_wide`,
  `SELECT e.id, n.id FROM n JOIN entry_links k ON k.environment_id = $1 AND k.entry_id = n.subject_id
      JOIN entries e ON e.environment_id = $1 AND e.id = k.target_id
      JOIN content_types t ON t.environment_id = $1 AND t.id = e.content_type_id AND t.is_block
    WHERE n.is_wide`,
  `SELECT l.entry_id, n.id FROM n JOIN entry_locales l ON l.environment_id = $1 AND l.locale = n.locale AND l.slug = n.slug
      AND NOT l.is_deleted AND NOT l.in_tree
    WHERE n.slug IS NOT NULL`,
];

/** Notes of content types and environments. */
const whole = `SELECT e.id, n.id FROM n JOIN entries e ON e.environment_id = $1 AND e.deleted_at IS NULL
      AND (n.kind = 'environment' OR e.content_type_id = n.subject_id OR EXISTS (SELECT FROM owned_blocks b
        WHERE b.environment_id = $1 AND b.content_type_id = n.subject_id AND b.entry_id = e.id))
    WHERE n.kind IN ('type', 'environment')`;

/**
 * SQL of `concerned`: entries that notes concern, each with the number of a note. What a note concerns is found when it
 * is read, so that writes which did not see each other are both considered.
 */
const concerned = (notes: string, parts: readonly string[]): string =>
  `n AS MATERIALIZED (${notes}), concerned (entry_id, id) AS (${parts.join(' UNION ALL ')})`;

interface Claimed {
  readonly id: string;
  readonly isWhole: boolean;
}

/** What changed since issues were found. */
export class HealthNoteRepository extends Repository {
  /** Environments with notes, that of the oldest first. Needs a platform scope. */
  async environments(): Promise<string[]> {
    const first = (condition: string): string =>
      `(SELECT environment_id, id FROM health_notes ${condition} ORDER BY environment_id, id LIMIT 1)`;
    const rows = await this.query<{ id: string }>(
      `WITH RECURSIVE noted AS (
         ${first('')}
         UNION ALL SELECT following.* FROM noted CROSS JOIN LATERAL ${first('WHERE environment_id > noted.environment_id')} AS following)
       SELECT environment_id AS id FROM noted ORDER BY noted.id`,
    );
    return rows.map(({ id }) => id);
  }

  /** Notes of an environment that is gone. Needs a platform scope. */
  async forget(environmentId: string): Promise<void> {
    await this.query('DELETE FROM health_notes WHERE environment_id = $1', [environmentId]);
  }

  /** Keeps other workers from the environment until the transaction ends; false while one of them finds issues. */
  async take(): Promise<boolean> {
    const [lock] = await this.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken',
      [HEALTH_LOCK, this.environmentId],
    );
    return lock?.taken === true;
  }

  /** Waits for workers. */
  async hold(): Promise<void> {
    await this.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [HEALTH_LOCK, this.environmentId]);
  }

  /** The oldest. To be called after {@link take}. */
  async oldest(limit: number): Promise<Claimed[]> {
    return this.query<Claimed>(
      `SELECT id::text, kind IN ('type', 'environment') AS "isWhole" FROM health_notes n
       WHERE n.environment_id = $1 ORDER BY n.id LIMIT $2`,
      [this.environmentId, limit],
    );
  }

  /** Entries that these notes concern. */
  async entries(ids: readonly string[]): Promise<string[]> {
    const notes = 'SELECT * FROM health_notes WHERE environment_id = $1 AND id = ANY($2::bigint[])';
    const rows = await this.query<{ id: string }>(
      `WITH ${concerned(notes, single)} SELECT DISTINCT entry_id AS id FROM concerned`,
      [this.environmentId, ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Notes each entry of these types and environments instead. */
  async spread(ids: readonly string[]): Promise<void> {
    await this.allowTime(SPREAD_SECONDS);
    await this.query(
      `WITH done AS (DELETE FROM health_notes WHERE environment_id = $1 AND id = ANY($2::bigint[]) RETURNING *),
         ${concerned('SELECT * FROM done', [whole])}
       INSERT INTO health_notes (tenant_id, environment_id, kind, subject_id, noted_at)
         SELECT $3, $1, 'entry', entry_id, (SELECT min(noted_at) FROM done)
         FROM (SELECT DISTINCT entry_id FROM concerned) AS e ORDER BY entry_id`,
      [this.environmentId, ids, this.tenantId],
    );
  }

  async finish(ids: readonly string[]): Promise<void> {
    await this.query('DELETE FROM health_notes WHERE environment_id = $1 AND id = ANY($2::bigint[])', [
      this.environmentId,
      ids,
    ]);
  }

  async finishAll(): Promise<void> {
    await this.query('DELETE FROM health_notes WHERE environment_id = $1', [this.environmentId]);
  }

  /**
   * Entries that wait, those noted last first, and how many wait.
   * @param limit null for all
   */
  async waiting(limit: number | null): Promise<{ entryIds: string[]; total: number }> {
    const notes = 'SELECT * FROM health_notes WHERE environment_id = $1';
    const rows = await this.query<{ id: string; total: number }>(
      `WITH ${concerned(notes, [...single, whole])}
       SELECT entry_id AS id, (count(*) OVER ())::float8 AS total FROM concerned GROUP BY 1 ORDER BY max(id) DESC, entry_id LIMIT $2`,
      [this.environmentId, limit],
    );
    return { entryIds: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
  }
}
