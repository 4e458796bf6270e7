import { Repository } from '../../persistence/repositories/repository.js';

/** Other processes may claim the work after this time. */
const CLAIM = "'10 minutes'::interval";
const IS_FREE = '(q.claim IS NULL OR q.claimed_until < clock_timestamp())';
const NEXT = "nextval('search_vector_queue_id')";
/** Rows looked at for environments with work. */
const ROUND = 1000;

export interface ClaimedEntry {
  readonly entryId: string;
  /** Of its latest note. */
  readonly id: string;
}

/** Entries whose texts may need other vectors. Rows are in no wall. */
export class VectorQueueRepository extends Repository {
  async note(entryIds: readonly string[]): Promise<void> {
    await this.query(
      `INSERT INTO search_vector_queue (environment_id, entry_id)
       SELECT $1, entry_id FROM unnest($2::uuid[]) AS entry_id ORDER BY entry_id
       ON CONFLICT (environment_id, entry_id) DO UPDATE SET id = ${NEXT}`,
      [this.environmentId, entryIds],
    );
  }

  /** Notes all entries that are indexed. */
  async noteAll(): Promise<void> {
    await this.allowTime(600);
    await this.query(
      `INSERT INTO search_vector_queue (environment_id, entry_id)
       SELECT DISTINCT environment_id, entry_id FROM search_documents WHERE environment_id = $1 ORDER BY entry_id
       ON CONFLICT (environment_id, entry_id) DO UPDATE SET id = ${NEXT}`,
      [this.environmentId],
    );
  }

  /** Environments with unclaimed work, the oldest first. */
  async environments(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT environment_id AS id FROM (SELECT q.environment_id, q.id FROM search_vector_queue q
           JOIN environment_heads h ON h.environment_id = q.environment_id
         WHERE ${IS_FREE} ORDER BY q.id LIMIT ${String(ROUND)}) AS oldest
       GROUP BY 1 ORDER BY min(oldest.id)`,
    );
    return rows.map(({ id }) => id);
  }

  claim(claim: string, limit: number): Promise<ClaimedEntry[]> {
    return this.query<ClaimedEntry>(
      `UPDATE search_vector_queue w SET claim = $2, claimed_until = clock_timestamp() + ${CLAIM}
       WHERE w.environment_id = $1 AND w.entry_id IN (SELECT q.entry_id FROM search_vector_queue q
         WHERE q.environment_id = $1 AND ${IS_FREE} ORDER BY q.id LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING w.entry_id AS "entryId", w.id::text AS id`,
      [this.environmentId, claim, limit],
    );
  }

  /** Entries still claimed by this process; they stay claimed until the transaction ends. */
  async held(claim: string): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT entry_id AS id FROM search_vector_queue
       WHERE environment_id = $1 AND claim = $2 ORDER BY entry_id FOR UPDATE`,
      [this.environmentId, claim],
    );
    return rows.map(({ id }) => id);
  }

  /** Removes what was done, unless it was noted again. */
  async finish(claim: string, done: readonly ClaimedEntry[]): Promise<void> {
    await this.query(
      `DELETE FROM search_vector_queue q USING unnest($3::uuid[], $4::bigint[]) AS d (entry_id, id)
       WHERE q.environment_id = $1 AND q.claim = $2 AND q.entry_id = d.entry_id AND q.id = d.id`,
      [this.environmentId, claim, done.map(({ entryId }) => entryId), done.map(({ id }) => id)],
    );
    await this.#release(claim);
  }

  /** Releases what the server failed on, behind all others: a text that it always fails on does not keep them. */
  async postpone(claim: string): Promise<void> {
    await this.query(
      `UPDATE search_vector_queue SET claim = NULL, claimed_until = NULL, id = ${NEXT}
       WHERE environment_id = $1 AND claim = $2`,
      [this.environmentId, claim],
    );
  }

  async #release(claim: string): Promise<void> {
    await this.query(
      `UPDATE search_vector_queue SET claim = NULL, claimed_until = NULL WHERE environment_id = $1 AND claim = $2`,
      [this.environmentId, claim],
    );
  }
}
