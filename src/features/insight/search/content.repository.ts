import { composeValues } from '../../../content/blocks/stored-values.js';
import type { DeliveredBlocks } from '../../../content/deliver-fields.js';
import { Repository } from '../../../persistence/repositories/repository.js';

/** Content of one locale of an entry, as the index reads it. */
export interface IndexedContent {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly locale: string;
  readonly title: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Null if the locale is not published. */
  readonly live: Readonly<Record<string, unknown>> | null;
  readonly liveSlug: string | null;
  /** Of the published locale. */
  readonly liveBlocks: DeliveredBlocks | null;
  /** Names and texts of the assets that the entry shows. */
  readonly assets: readonly string[];
}

const ASSETS = `(SELECT coalesce(array_agg(DISTINCT t.text), '{}') FROM entry_links k
    JOIN media_assets a ON a.environment_id = k.environment_id AND a.id = k.target_id
    LEFT JOIN media_asset_locales o ON o.environment_id = a.environment_id AND o.asset_id = a.id AND o.locale = l.locale
    CROSS JOIN LATERAL (VALUES (a.file_name), (o.alt_text), (o.title), (o.description)) AS t (text)
  WHERE k.environment_id = e.environment_id AND k.entry_id = e.id AND k.is_media AND t.text IS NOT NULL)`;

type ContentRow = IndexedContent & { readonly shared: IndexedContent['fields'] };

/** Texts of entries. */
export class IndexedContentRepository extends Repository {
  async of(entryIds: readonly string[]): Promise<IndexedContent[]> {
    const rows = await this.query<ContentRow>(
      `SELECT e.id AS "entryId", e.content_type_id AS "contentTypeId", e.site_id AS "siteId", l.locale, l.title,
         e.shared_fields AS shared, l.fields, p.fields AS live, p.slug AS "liveSlug", p.blocks AS "liveBlocks", ${ASSETS} AS assets
       FROM entries e JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id
         LEFT JOIN published_entries p ON p.environment_id = l.environment_id AND p.entry_id = l.entry_id AND p.locale = l.locale
       WHERE e.environment_id = $1 AND e.id = ANY($2::uuid[]) AND e.deleted_at IS NULL AND NOT l.is_deleted`,
      [this.environmentId, entryIds],
    );
    return rows.map(({ shared, ...row }) => ({ ...row, fields: composeValues(shared, row.fields) }));
  }

  /** Bytes of the entries' values as they are stored, without those of the shared values. */
  async sizes(entryIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.query<{ id: string; size: number }>(
      `SELECT l.entry_id AS id, sum(pg_column_size(l.fields))::float8 AS size FROM entry_locales l
       WHERE l.environment_id = $1 AND l.entry_id = ANY($2::uuid[]) GROUP BY 1`,
      [this.environmentId, entryIds],
    );
    return new Map(rows.map(({ id, size }) => [id, size]));
  }

  /** Ids after this one, and ids of documents whose entries have none. */
  async idsAfter(id: string, limit: number): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT id FROM (
         (SELECT id FROM entries WHERE environment_id = $1 AND id > $2 AND deleted_at IS NULL ORDER BY id LIMIT $3)
         UNION (SELECT DISTINCT entry_id FROM search_documents WHERE environment_id = $1 AND entry_id > $2 ORDER BY 1 LIMIT $3)) AS ids
       ORDER BY id LIMIT $3`,
      [this.environmentId, id, limit],
    );
    return rows.map((row) => row.id);
  }
}
