import { Repository } from '../../persistence/repository.js';

/** An entry that others link to. */
export interface LinkTarget {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
}

/** An entry that links to another one. */
export interface Referrer {
  readonly targetId: string;
  readonly entryId: string;
  readonly fieldId: string;
  /** Locales in which the link is live. */
  readonly publishedLocales: readonly string[];
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

  /** Entries that link to these, each entry's links to itself aside. */
  async referrersOf(targetIds: readonly string[]): Promise<Referrer[]> {
    return this.query<Referrer>(
      `SELECT DISTINCT k.target_id AS "targetId", k.entry_id AS "entryId", k.field_id AS "fieldId",
         ARRAY(SELECT p.locale FROM published_entries p WHERE p.environment_id = k.environment_id AND p.entry_id = k.entry_id
           AND k.locale IN ('', p.locale) ORDER BY p.locale) AS "publishedLocales"
       FROM entry_links k JOIN entries e ON e.environment_id = k.environment_id AND e.id = k.entry_id AND e.deleted_at IS NULL
       WHERE k.environment_id = $1 AND k.target_id = ANY($2::uuid[]) AND k.entry_id <> k.target_id`,
      [this.environmentId, [...targetIds]],
    );
  }
}
