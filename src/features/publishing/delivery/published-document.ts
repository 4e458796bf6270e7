import type { DeliveredBlocks } from '../../../content/deliver-fields.js';
import { PublishedBody } from '../../shared/published-body.js';
import type { StoredDocument } from './document.js';
import { ownDocuments } from './own-documents.js';

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

/** Among the names of fields to read: own blocks, too. */
export const BLOCKS = '_blocks';

/** What the read model stores as `p`: the text and, only where it is missing, the values. @param names as in `bodySql` */
export const storedSql = (names: number | null): string =>
  `${bodySql(names)} AS body, CASE WHEN p.body IS NULL THEN p.fields END AS fields,
  ${names === null ? 'p.blocks::text' : `CASE WHEN '${BLOCKS}' = ANY ($${String(names)}::text[]) THEN p.blocks::text END`} AS blocks`;

/** A row of the read model: its text or, if it has none, its values. */
export interface PublishedRow extends Omit<
  StoredDocument,
  'updatedAt' | 'publishedAt' | 'fields' | 'body' | 'ownBlocks' | 'ownerId'
> {
  /** Whether the document is that of every locale; its own is where it was written. */
  readonly allLocales: boolean | null;
  /** Since 1970: most reads need no date of it. */
  readonly publishedSeconds: number;
  readonly body: string | null;
  readonly fields: StoredDocument['fields'] | null;
  /** JSON of `DeliveredBlocks`. */
  readonly blocks: string | null;
}

/** Half a microsecond: seconds with a fraction are not exact. */
const HALF_MICROSECOND_MS = 0.0005;

/** A published document; its fields are parsed on access. The last change of published content is its last publish. */
class PublishedDocument implements StoredDocument {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly slug: string;
  readonly locale: string;
  readonly body: PublishedBody | undefined;
  #fields: StoredDocument['fields'] | null;
  readonly #publishedSeconds: number;
  readonly #blocksText: string | null;
  #blocks: StoredDocument['ownBlocks'];

  constructor(row: PublishedRow, requested: string | undefined) {
    this.id = row.id;
    this.contentTypeId = row.contentTypeId;
    this.siteId = row.siteId;
    this.slug = row.slug;
    this.locale = (row.allLocales === true ? requested : undefined) ?? row.locale;
    this.#publishedSeconds = row.publishedSeconds;
    this.body = row.body === null ? undefined : new PublishedBody(row.body);
    this.#fields = row.fields;
    this.#blocksText = row.blocks;
  }

  get publishedAt(): Date {
    return new Date(Math.floor(this.#publishedSeconds * 1000 + HALF_MICROSECOND_MS));
  }

  get updatedAt(): Date {
    return this.publishedAt;
  }

  get ownBlocks(): StoredDocument['ownBlocks'] {
    if (this.#blocks === undefined && this.#blocksText !== null)
      this.#blocks = ownDocuments(this, JSON.parse(this.#blocksText) as DeliveredBlocks);
    return this.#blocks;
  }

  get fields(): StoredDocument['fields'] {
    this.#fields ??= this.body?.values() ?? null;
    if (this.#fields === null) throw new Error(`The document ${this.id} has neither text nor values`);
    return this.#fields;
  }
}

/** @param requested the locale that a document of every locale is served in */
export const documentOf = (row: PublishedRow, requested: string | undefined): StoredDocument =>
  new PublishedDocument(row, requested);
