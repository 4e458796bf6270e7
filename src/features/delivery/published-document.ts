import { PublishedBody } from '../shared/index.js';
import type { StoredDocument } from './document.js';

/** Bytes above which less than the whole text of a document is read, if few fields are asked for. */
const LARGE = 4096;

/**
 * The text of a document; null where none is stored, whatever its length.
 * @param names number of the parameter with the fields to read, all if null
 */
const bodySql = (names: number | null): string =>
  names === null
    ? 'p.body'
    : `CASE WHEN octet_length(p.body) > ${String(LARGE)} THEN (
      SELECT chr(10) || coalesce(string_agg(l.line, chr(10)), '') FROM string_to_table(p.body, chr(10)) AS l (line)
      WHERE split_part(l.line, '"', 2) = ANY ($${String(names)}::text[])) ELSE p.body END`;

/** What the read model stores as `p`: the text and, only where it is missing, the values. @param names as in `bodySql` */
export const storedSql = (names: number | null): string =>
  `${bodySql(names)} AS body, CASE WHEN p.body IS NULL THEN p.fields END AS fields`;

/** A row of the read model: its text or, if it has none, its values. */
export interface PublishedRow extends Omit<StoredDocument, 'updatedAt' | 'publishedAt' | 'fields' | 'body'> {
  readonly publishedAt: Date;
  readonly body: string | null;
  readonly fields: StoredDocument['fields'] | null;
}

/** A published document; its fields are parsed on access. The last change of published content is its last publish. */
class PublishedDocument implements StoredDocument {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly slug: string;
  readonly locale: string;
  readonly publishedAt: Date;
  readonly body: PublishedBody | undefined;
  #fields: StoredDocument['fields'] | null;

  constructor(row: PublishedRow) {
    this.id = row.id;
    this.contentTypeId = row.contentTypeId;
    this.siteId = row.siteId;
    this.slug = row.slug;
    this.locale = row.locale;
    this.publishedAt = row.publishedAt;
    this.body = row.body === null ? undefined : new PublishedBody(row.body);
    this.#fields = row.fields;
  }

  get updatedAt(): Date {
    return this.publishedAt;
  }

  get fields(): StoredDocument['fields'] {
    this.#fields ??= this.body?.values() ?? null;
    if (this.#fields === null) throw new Error(`The document ${this.id} has neither text nor values`);
    return this.#fields;
  }
}

export const documentOf = (row: PublishedRow): StoredDocument => new PublishedDocument(row);
