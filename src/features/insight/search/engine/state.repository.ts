import { Repository } from '../../../../persistence/repositories/repository.js';

/** What one locale of an entry is filtered, sorted and counted by, as a draft and as published. */
export interface EntryFacts {
  readonly entryId: string;
  readonly locale: string;
  readonly contentTypeId: string;
  readonly status: string;
  /** Empty for the base state. */
  readonly workflowState: string;
  readonly assigneeId: string | null;
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly publishedAt: Date | null;
  readonly title: string;
  readonly slug: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Null if the locale is not published. */
  readonly live: {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly slug: string;
    readonly createdAt: string;
    readonly publishedAt: string;
  } | null;
}

/** States and values of entries. */
export class EntryFactsRepository extends Repository {
  of(entryIds: readonly string[]): Promise<EntryFacts[]> {
    return this.query<EntryFacts>(
      `SELECT e.id AS "entryId", l.locale, e.content_type_id AS "contentTypeId", l.status,
         coalesce(l.workflow_state, '') AS "workflowState", l.assignee_id AS "assigneeId",
         e.created_by_id AS "createdBy", e.updated_by_id AS "updatedBy", e.created_at AS "createdAt",
         e.updated_at AS "updatedAt", l.published_at AS "publishedAt", l.title, l.slug, l.fields || e.shared_fields AS fields,
         CASE WHEN p.entry_id IS NOT NULL THEN jsonb_build_object('fields', p.fields, 'slug', p.slug,
           'createdAt', p.created_at, 'publishedAt', p.published_at) END AS live
       FROM entries e JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id
         LEFT JOIN published_entries p ON p.environment_id = l.environment_id AND p.entry_id = l.entry_id AND p.locale = l.locale
       WHERE e.environment_id = $1 AND e.id = ANY($2::uuid[]) AND e.deleted_at IS NULL AND NOT l.is_deleted`,
      [this.environmentId, entryIds],
    );
  }
}

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
