import { Repository } from '../../../persistence/repositories/repository.js';
import type { SearchStage } from '../../../content/search/search-document.js';

export interface DocumentRow {
  readonly entryId: string;
  readonly locale: string;
  readonly stage: SearchStage;
  readonly siteId: string;
  readonly title: string;
  /** Literal of a `tsvector`. */
  readonly vector: string;
  /** Literal of a `tsvector` of what the texts with marks are found by; null without any. */
  readonly boosted: string | null;
  readonly hash: string;
}

export type DocumentKey = Pick<DocumentRow, 'entryId' | 'locale' | 'stage' | 'hash'>;

/** Characters of vectors, which the driver converts in one turn. */
const WRITTEN_AT_ONCE = 250_000;

function* inParts(rows: readonly DocumentRow[]): Generator<DocumentRow[]> {
  let some: DocumentRow[] = [];
  let size = 0;
  for (const row of rows) {
    if (size > WRITTEN_AT_ONCE) {
      yield some;
      some = [];
      size = 0;
    }
    some.push(row);
    size += row.vector.length + (row.boosted?.length ?? 0);
  }
  if (some.length > 0) yield some;
}

/** Rows of the index. */
export class SearchDocumentRepository extends Repository {
  /** Removes what the entries have no longer, and writes rows. */
  async replace(
    entryIds: readonly string[],
    kept: readonly Pick<DocumentRow, 'entryId' | 'locale' | 'stage'>[],
    rows: readonly DocumentRow[],
  ): Promise<void> {
    await this.query(
      `DELETE FROM search_documents d WHERE d.environment_id = $1 AND d.entry_id = ANY($2::uuid[])
         AND NOT EXISTS (SELECT FROM unnest($3::uuid[], $4::text[], $5::text[]) AS k (entry_id, locale, stage)
           WHERE k.entry_id = d.entry_id AND k.locale = d.locale AND k.stage = d.stage)`,
      [
        this.environmentId,
        entryIds,
        kept.map(({ entryId }) => entryId),
        kept.map(({ locale }) => locale),
        kept.map(({ stage }) => stage),
      ],
    );
    for (const some of inParts(rows)) await this.#write(some);
  }

  /** Shows the database that the transaction is in use. */
  async keepOpen(): Promise<void> {
    await this.query('SELECT 1');
  }

  /** Rows of these entries. */
  keys(entryIds: readonly string[]): Promise<DocumentKey[]> {
    return this.query<DocumentKey>(
      `SELECT entry_id AS "entryId", locale, stage, hash FROM search_documents
       WHERE environment_id = $1 AND entry_id = ANY($2::uuid[])`,
      [this.environmentId, entryIds],
    );
  }

  async #write(rows: readonly DocumentRow[]): Promise<void> {
    const column = (key: keyof DocumentRow) => rows.map((row) => row[key]);
    await this.query(
      `INSERT INTO search_documents AS d (environment_id, entry_id, locale, stage, site_id, title, vector, boosted, hash)
       SELECT $1, entry_id, locale, stage, site_id, title, vector::tsvector, boosted::tsvector, hash
       FROM unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[])
         AS r (entry_id, locale, stage, site_id, title, vector, boosted, hash)
       ON CONFLICT (environment_id, entry_id, locale, stage) DO UPDATE SET site_id = excluded.site_id,
         title = excluded.title, vector = excluded.vector, boosted = excluded.boosted, hash = excluded.hash`,
      [
        this.environmentId,
        column('entryId'),
        column('locale'),
        column('stage'),
        column('siteId'),
        column('title'),
        column('vector'),
        column('boosted'),
        column('hash'),
      ],
    );
  }
}
