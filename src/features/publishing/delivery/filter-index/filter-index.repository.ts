import { Repository } from '../../../../persistence/repositories/repository.js';
import type { FilterEntry } from './filter-terms.js';

/** Arbitrary but fixed: the documents of an environment are indexed by one worker at a time. */
const INDEX_LOCK = 7_420_047;

/** Notes looked at in one batch. */
export const NOTES = 1000;

export interface NotedDocument {
  readonly contentTypeId: string;
  readonly entryId: string;
  readonly locale: string;
  /** Numbers of its notes. */
  readonly ids: readonly string[];
}

/** All documents of a type, after the last one that was indexed. */
export interface NotedType {
  readonly id: string;
  readonly contentTypeId: string;
  readonly afterEntryId: string | null;
  readonly afterLocale: string | null;
}

export interface PublishedValues {
  readonly contentTypeId: string;
  readonly entryId: string;
  readonly locale: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type IndexedValues = Omit<PublishedValues, 'fields'> & FilterEntry;

const values = `SELECT p.content_type_id AS "contentTypeId", p.entry_id AS "entryId", p.locale, p.fields FROM published_entries p`;

/** The index of delivery filters, and the documents that wait for it. Rows are in no wall. */
export class FilterIndexRepository extends Repository {
  /** Environments with work. */
  async environments(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `WITH RECURSIVE noted AS (
         (SELECT environment_id AS id FROM filter_notes ORDER BY 1 LIMIT 1)
         UNION ALL SELECT (SELECT environment_id FROM filter_notes WHERE environment_id > noted.id ORDER BY 1 LIMIT 1)
           FROM noted WHERE noted.id IS NOT NULL)
       SELECT id FROM noted WHERE id IS NOT NULL`,
    );
    return rows.map(({ id }) => id);
  }

  /** Keeps other workers from the environment until the transaction ends; false while one of them indexes it. */
  async take(): Promise<boolean> {
    const [lock] = await this.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS taken',
      [INDEX_LOCK, this.environmentId],
    );
    return lock?.taken === true;
  }

  noted(limit: number): Promise<NotedDocument[]> {
    return this.query<NotedDocument>(
      `SELECT content_type_id AS "contentTypeId", entry_id AS "entryId", locale, array_agg(id::text) AS ids
       FROM (SELECT * FROM filter_notes WHERE environment_id = $1 AND entry_id IS NOT NULL
         ORDER BY content_type_id, id LIMIT ${String(NOTES)}) AS oldest
       GROUP BY 1, 2, 3 ORDER BY min(id) LIMIT $2`,
      [this.environmentId, limit],
    );
  }

  async notedType(): Promise<NotedType | undefined> {
    const [type] = await this.query<NotedType>(
      `SELECT id::text, content_type_id AS "contentTypeId", after_entry_id AS "afterEntryId", after_locale AS "afterLocale"
       FROM filter_notes WHERE environment_id = $1 AND entry_id IS NULL ORDER BY after_entry_id NULLS LAST, id LIMIT 1`,
      [this.environmentId],
    );
    return type;
  }

  /** Waits for workers, removes rows of what is not published, and notes everything that is. */
  async repair(): Promise<void> {
    await this.allowTime(600);
    await this.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [INDEX_LOCK, this.environmentId]);
    for (const table of ['filter_keys', 'filter_documents'])
      await this.query(
        `DELETE FROM ${table} i WHERE i.environment_id = $1 AND NOT EXISTS (SELECT FROM published_entries p
           WHERE p.environment_id = $1 AND p.entry_id = i.entry_id AND p.locale = i.locale)`,
        [this.environmentId],
      );
    await this.query(
      `INSERT INTO filter_notes (environment_id, content_type_id)
       SELECT DISTINCT environment_id, content_type_id FROM published_entries WHERE environment_id = $1`,
      [this.environmentId],
    );
  }

  valuesOf(noted: readonly NotedDocument[]): Promise<PublishedValues[]> {
    return this.query<PublishedValues>(
      `${values} JOIN unnest($2::uuid[], $3::text[]) AS n (entry_id, locale) ON n.entry_id = p.entry_id AND n.locale = p.locale
       WHERE p.environment_id = $1`,
      [this.environmentId, noted.map(({ entryId }) => entryId), noted.map(({ locale }) => locale)],
    );
  }

  valuesAfter(
    { contentTypeId, afterEntryId, afterLocale }: NotedType,
    limit: number,
  ): Promise<PublishedValues[]> {
    return this.query<PublishedValues>(
      `${values} WHERE p.environment_id = $1 AND p.content_type_id = $2
         AND ($3::uuid IS NULL OR (p.entry_id, p.locale) > ($3, $4)) ORDER BY p.entry_id, p.locale LIMIT $5`,
      [this.environmentId, contentTypeId, afterEntryId, afterLocale, limit],
    );
  }

  async remove(documents: readonly Pick<NotedDocument, 'entryId' | 'locale'>[]): Promise<void> {
    await this.query(
      `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS g (entry_id, locale)), keys AS (
         DELETE FROM filter_keys k USING given g WHERE k.environment_id = $1 AND k.entry_id = g.entry_id AND k.locale = g.locale)
       DELETE FROM filter_documents d USING given g WHERE d.environment_id = $1 AND d.entry_id = g.entry_id AND d.locale = g.locale`,
      [this.environmentId, documents.map(({ entryId }) => entryId), documents.map(({ locale }) => locale)],
    );
  }

  async write(indexed: readonly IndexedValues[]): Promise<void> {
    const keys = indexed.flatMap((document) => document.keys.map((key) => ({ ...document, ...key })));
    await this.query(
      `WITH documents AS (
         INSERT INTO filter_documents (environment_id, entry_id, locale, content_type_id, terms)
         SELECT $1, d.entry_id, d.locale, d.content_type_id, d.terms::integer[]
         FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[]) AS d (entry_id, locale, content_type_id, terms))
       INSERT INTO filter_keys (environment_id, entry_id, locale, place, key)
       SELECT $1, k.entry_id, k.locale, k.place, k.key
       FROM unnest($6::uuid[], $7::text[], $8::integer[], $9::text[]) AS k (entry_id, locale, place, key)`,
      [
        this.environmentId,
        indexed.map(({ entryId }) => entryId),
        indexed.map(({ locale }) => locale),
        indexed.map(({ contentTypeId }) => contentTypeId),
        indexed.map(({ terms }) => `{${terms.join(',')}}`),
        keys.map(({ entryId }) => entryId),
        keys.map(({ locale }) => locale),
        keys.map(({ place }) => place),
        keys.map(({ key }) => key),
      ],
    );
  }

  async finish(ids: readonly string[]): Promise<void> {
    await this.query('DELETE FROM filter_notes WHERE environment_id = $1 AND id = ANY($2::bigint[])', [
      this.environmentId,
      ids,
    ]);
  }

  /** Other notes of the whole type that are as new or older say nothing more. */
  async start({ id, contentTypeId }: NotedType): Promise<void> {
    await this.query(
      `DELETE FROM filter_notes WHERE environment_id = $1 AND content_type_id = $2 AND entry_id IS NULL AND id <> $3`,
      [this.environmentId, contentTypeId, id],
    );
  }

  async advance(type: NotedType, { entryId, locale }: PublishedValues): Promise<void> {
    await this.query(
      `UPDATE filter_notes SET after_entry_id = $4, after_locale = $5
       WHERE environment_id = $1 AND content_type_id = $2 AND id = $3`,
      [this.environmentId, type.contentTypeId, type.id, entryId, locale],
    );
  }

  /** Removes what is no longer published of a type that was indexed. */
  async settle({ id, contentTypeId }: NotedType): Promise<void> {
    await this.allowTime(600);
    const gone = await this.query<Pick<NotedDocument, 'entryId' | 'locale'>>(
      `SELECT d.entry_id AS "entryId", d.locale FROM filter_documents d WHERE d.environment_id = $1 AND d.content_type_id = $2
         AND NOT EXISTS (SELECT FROM published_entries p WHERE p.environment_id = $1 AND p.entry_id = d.entry_id AND p.locale = d.locale)`,
      [this.environmentId, contentTypeId],
    );
    await this.remove(gone);
    await this.finish([id]);
  }

  /** Rows of an environment that is gone. */
  async forget(environmentId: string): Promise<void> {
    for (const table of ['filter_notes', 'filter_keys', 'filter_documents'])
      await this.query(`DELETE FROM ${table} WHERE environment_id = $1`, [environmentId]);
  }
}
