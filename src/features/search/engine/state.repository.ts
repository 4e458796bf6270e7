import { Repository } from '../../../persistence/repositories/repository.js';

/** What is known of the index of an environment in a search engine. */
export interface EngineIndexState {
  /** How the documents that are searched were made; null without a complete index. */
  readonly form: number | null;
  /** The rebuild that made the newest index, complete or not: documents that others wrote are written again. */
  readonly generation: string;
  /** Set while a new index is filled. */
  readonly rebuildId: string | null;
  /** Entries that the new index is to hold. */
  readonly rebuildTotal: number | null;
}

const NONE: EngineIndexState = { form: null, generation: '', rebuildId: null, rebuildTotal: null };

/** Indexes of a search engine. Rows are in no wall. */
export class EngineStateRepository extends Repository {
  /** Undefined before the first one. */
  async find(): Promise<EngineIndexState | undefined> {
    const [row] = await this.query<EngineIndexState>(
      `SELECT serving_form AS form, coalesce(rebuild_id, serving_id)::text AS generation, rebuild_id AS "rebuildId", rebuild_total AS "rebuildTotal"
       FROM search_indexes WHERE environment_id = $1`,
      [this.environmentId],
    );
    return row;
  }

  async read(): Promise<EngineIndexState> {
    return (await this.find()) ?? NONE;
  }

  /** Notes that an index is being filled, up to the last note of the queue. */
  async begin(id: string, total: number): Promise<void> {
    await this.query(
      `INSERT INTO search_indexes (environment_id, rebuild_id, rebuild_until, rebuild_total)
       VALUES ($1, $2, (SELECT coalesce(max(id), 0) FROM search_queue WHERE environment_id = $1), $3)
       ON CONFLICT (environment_id) DO UPDATE SET rebuild_id = excluded.rebuild_id,
         rebuild_until = excluded.rebuild_until, rebuild_total = excluded.rebuild_total`,
      [this.environmentId, id, total],
    );
  }

  /** The rebuild whose index has all that it is to hold, if there is one. */
  async complete(): Promise<string | undefined> {
    const [row] = await this.query<{ id: string }>(
      `SELECT i.rebuild_id AS id FROM search_indexes i WHERE i.environment_id = $1 AND i.rebuild_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM search_queue q WHERE q.environment_id = $1 AND q.id <= i.rebuild_until)`,
      [this.environmentId],
    );
    return row?.id;
  }

  async finish(form: number): Promise<void> {
    await this.query(
      `UPDATE search_indexes SET serving_form = $2, serving_id = rebuild_id, rebuild_id = NULL, rebuild_until = NULL, rebuild_total = NULL
       WHERE environment_id = $1`,
      [this.environmentId, form],
    );
  }

  /** Notes that the index that was searched is gone. */
  async lose(): Promise<void> {
    await this.query('UPDATE search_indexes SET serving_form = NULL WHERE environment_id = $1', [
      this.environmentId,
    ]);
  }

  /** Whether an entry should be in an index: it does not wait for it. */
  async hasIndexedEntry(): Promise<boolean> {
    const [row] = await this.query<{ has: boolean }>(
      `SELECT EXISTS (SELECT FROM entries e WHERE e.environment_id = $1 AND e.deleted_at IS NULL
         AND NOT EXISTS (SELECT FROM search_queue q WHERE q.environment_id = $1 AND q.entry_id = e.id)) AS has`,
      [this.environmentId],
    );
    return row?.has ?? true;
  }

  /** Entries at or below tree nodes, up to a number. */
  async below(nodeIds: readonly string[], limit: number): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `WITH RECURSIVE below AS (
         SELECT id, entry_id FROM tree_nodes WHERE environment_id = $1 AND id = ANY($2::uuid[])
         UNION
         SELECT c.id, c.entry_id FROM below b CROSS JOIN LATERAL (SELECT n.id, n.entry_id FROM tree_nodes n
           WHERE n.environment_id = $1 AND n.parent_id = b.id OFFSET 0) c)
       SELECT DISTINCT entry_id AS id FROM below WHERE entry_id IS NOT NULL LIMIT $3`,
      [this.environmentId, nodeIds, limit],
    );
    return rows.map(({ id }) => id);
  }
}
