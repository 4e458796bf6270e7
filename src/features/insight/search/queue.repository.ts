import { Repository } from '../../../persistence/repositories/repository.js';
import type { Reindexed } from './search-index.js';

/** Arbitrary but fixed: the entries of an environment are indexed by one worker at a time. */
const INDEX_LOCK = 7_420_039;

export interface QueuedEntry {
  readonly entryId: string;
  /** Numbers of its notes. */
  readonly ids: readonly string[];
  /** Of what was published together. */
  readonly batchId: string | null;
}

/** Notes looked at in one batch. */
export const NOTES = 1000;

/** SQL of entries by content types and sites. */
const chosenEntries = `e.environment_id = $1 AND ($2::uuid[] IS NULL OR e.content_type_id = ANY($2::uuid[]))
  AND ($3::uuid[] IS NULL OR e.site_id = ANY($3::uuid[]))`;

/** Entries that wait to be indexed. Rows are in no wall. */
export class SearchQueueRepository extends Repository {
  /** Environments with work, the oldest first. */
  async environments(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT environment_id AS id FROM (SELECT environment_id, id FROM search_queue ORDER BY id LIMIT ${String(NOTES)}) AS oldest
       GROUP BY 1 ORDER BY min(oldest.id)`,
    );
    return rows.map(({ id }) => id);
  }

  /** Of the environment; undefined while another worker indexes it. */
  async claim(limit: number): Promise<QueuedEntry[] | undefined> {
    if (!(await this.take(this.environmentId))) return undefined;
    return this.query<QueuedEntry>(
      `SELECT entry_id AS "entryId", ids, (SELECT min(batch_id::text) FROM search_queue q
         WHERE q.environment_id = $1 AND q.entry_id = waiting.entry_id AND batch_id IS NOT NULL) AS "batchId"
       FROM (SELECT entry_id, array_agg(id::text) AS ids, min(id) AS first FROM (
           SELECT id, entry_id FROM search_queue WHERE environment_id = $1 ORDER BY id LIMIT ${String(NOTES)}) AS noted
         GROUP BY 1 ORDER BY min(noted.id) LIMIT $2) AS waiting
       ORDER BY first`,
      [this.environmentId, limit],
    );
  }

  /** All entries of a batch, and of those that share an entry with it. To be taken under the lock of {@link claim}. */
  async batch(id: string): Promise<QueuedEntry[]> {
    return this.query<QueuedEntry>(
      `WITH RECURSIVE noted AS (SELECT id, entry_id, batch_id FROM search_queue WHERE environment_id = $1 AND batch_id IS NOT NULL),
         batches AS (SELECT $2::uuid AS id UNION SELECT other.batch_id FROM batches
           JOIN noted AS mine ON mine.batch_id = batches.id JOIN noted AS other ON other.entry_id = mine.entry_id)
       SELECT entry_id AS "entryId", array_agg(id::text) AS ids, $2 AS "batchId" FROM noted
       WHERE batch_id IN (SELECT id FROM batches) GROUP BY 1 ORDER BY 1`,
      [this.environmentId, id],
    );
  }

  /** Keeps other workers from an environment until the transaction ends; false while one of them indexes it. */
  async take(environmentId: string): Promise<boolean> {
    const [lock] = await this.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken',
      [INDEX_LOCK, environmentId],
    );
    return lock?.taken === true;
  }

  async finish(ids: readonly string[]): Promise<void> {
    await this.query('DELETE FROM search_queue WHERE id = ANY($1::bigint[])', [ids]);
  }

  /** Rows of an environment that is gone. */
  async forget(environmentId: string): Promise<void> {
    await this.query('DELETE FROM search_queue WHERE environment_id = $1', [environmentId]);
  }

  /** Deleted environments whose index may still exist. */
  async removals(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT gone_id AS id FROM search_removals r
       WHERE NOT EXISTS (SELECT FROM environment_heads h WHERE h.environment_id = r.gone_id)`,
    );
    return rows.map(({ id }) => id);
  }

  async finishRemoval(environmentId: string): Promise<void> {
    await this.query('DELETE FROM search_removals WHERE gone_id = $1', [environmentId]);
  }

  /** Notes entries, whose documents are written even if they did not change; returns how many. */
  async noteAll({ contentTypeIds, siteIds }: Reindexed): Promise<number> {
    await this.allowTime(600);
    const bind = [this.environmentId, contentTypeIds, siteIds];
    await this.query(
      `UPDATE search_documents d SET hash = '' FROM entries e
       WHERE d.environment_id = $1 AND e.id = d.entry_id AND ${chosenEntries}`,
      bind,
    );
    return this.note({ contentTypeIds, siteIds });
  }

  /** Notes entries, whose documents are written if they changed; returns how many. */
  async note({ contentTypeIds, siteIds }: Reindexed): Promise<number> {
    await this.allowTime(600);
    const [row] = await this.query<{ noted: number }>(
      `WITH noted AS (INSERT INTO search_queue (environment_id, entry_id)
         SELECT e.environment_id, e.id FROM entries e WHERE ${chosenEntries} AND e.deleted_at IS NULL ORDER BY e.id RETURNING 1)
       SELECT count(*)::int AS noted FROM noted`,
      [this.environmentId, contentTypeIds, siteIds],
    );
    return row?.noted ?? 0;
  }

  /** Higher than all before. To be taken under the lock of {@link claim}. */
  async nextVersion(): Promise<string> {
    const [row] = await this.query<{ version: string }>(`SELECT nextval('search_queue_id')::text AS version`);
    return row?.version ?? '0';
  }

  /** The number of the last entry noted. */
  async last(): Promise<string> {
    const [row] = await this.query<{ id: string }>(
      'SELECT coalesce(max(id), 0)::text AS id FROM search_queue WHERE environment_id = $1',
      [this.environmentId],
    );
    return row?.id ?? '0';
  }

  async leftUpTo(last: string): Promise<number> {
    const [row] = await this.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM search_queue WHERE environment_id = $1 AND id <= $2',
      [this.environmentId, last],
    );
    return row?.left ?? 0;
  }

  async waiting(entryIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.query<{ id: string }>(
      'SELECT DISTINCT entry_id AS id FROM search_queue WHERE environment_id = $1 AND entry_id = ANY($2::uuid[])',
      [this.environmentId, entryIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Seconds that the oldest entry has waited. */
  async lag(): Promise<number> {
    const [row] = await this.query<{ seconds: number }>(
      `SELECT coalesce((SELECT extract(epoch FROM clock_timestamp() - noted_at) FROM search_queue ORDER BY id LIMIT 1), 0)::float8 AS seconds`,
    );
    return Math.max(0, row?.seconds ?? 0);
  }
}
