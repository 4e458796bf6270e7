import { Repository } from '../../persistence/repository.js';

/** An entry that others link to. */
export interface LinkTarget {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
}

/** A field by which entries of a type may hold others. */
export interface HoldingField {
  readonly contentTypeId: string;
  readonly apiName: string;
}

/** Links among entries. */
export class LinkRepository extends Repository {
  /** Those of the given entries that exist and are not deleted. */
  async targets(ids: readonly string[]): Promise<Map<string, LinkTarget>> {
    if (ids.length === 0) return new Map();
    const rows = await this.query<LinkTarget>(
      `SELECT id, content_type_id AS "contentTypeId", site_id AS "siteId" FROM entries
       WHERE environment_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL`,
      [this.environmentId, ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Lets nobody remove the given entries until the end of this work. */
  async hold(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.query(
      'SELECT 1 FROM entries WHERE environment_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE',
      [this.environmentId, ids],
    );
  }

  /** How many entries link to one in their drafts, itself aside. */
  async countReferrers(targetId: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `SELECT count(DISTINCT k.entry_id)::int AS count FROM entry_links k
         JOIN entries e ON e.environment_id = k.environment_id AND e.id = k.entry_id AND e.deleted_at IS NULL
       WHERE k.environment_id = $1 AND k.target_id = $2 AND k.entry_id <> $2`,
      [this.environmentId, targetId],
    );
    return row?.count ?? 0;
  }

  /** The first ten entries, itself aside, whose live documents link to one by the given fields, whatever their drafts say. */
  async liveHolders(targetId: string, fields: readonly HoldingField[]): Promise<string[]> {
    if (fields.length === 0) return [];
    const rows = await this.query<{ id: string }>(
      `SELECT DISTINCT p.entry_id AS id FROM published_entries p
         JOIN jsonb_to_recordset($3::jsonb) AS f("contentTypeId" uuid, "apiName" text) ON p.content_type_id = f."contentTypeId"
       WHERE p.environment_id = $1 AND p.entry_id <> $2
         AND p.fields -> f."apiName" @> ANY (ARRAY[
           jsonb_build_object('_ref', $2::text), jsonb_build_array(jsonb_build_object('_ref', $2::text))])
       ORDER BY 1 LIMIT 10`,
      [this.environmentId, targetId, JSON.stringify(fields)],
    );
    return rows.map(({ id }) => id);
  }
}
