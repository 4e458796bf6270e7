import type { Catalog } from '../../../../content/catalog.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { placesIn } from './filter-indexer.js';
import { filterEntryOf } from './filter-terms.js';

/** A document whose rows in the index do not say what is published. */
export interface FilterDifference {
  readonly of: string;
  readonly problem: 'missing' | 'not published' | 'lacks values';
}

interface DocumentKey {
  readonly entryId: string;
  readonly locale: string;
}

interface IndexedDocument extends DocumentKey {
  readonly contentTypeId: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Null if there is no row. */
  readonly indexedTypeId: string | null;
  readonly terms: readonly number[];
  readonly keys: readonly string[];
}

/** Documents compared at once. */
const BATCH = 500;
const FIRST: DocumentKey = { entryId: '00000000-0000-0000-0000-000000000000', locale: '' };

const named = ({ entryId, locale }: DocumentKey): string => `filters of document ${locale} of ${entryId}`;
const hasAll = (expected: readonly (string | number)[], actual: readonly (string | number)[]): boolean => {
  const set = new Set(actual);
  return expected.every((one) => set.has(one));
};

const isNoted = (alias: string): string => `EXISTS (SELECT FROM filter_notes n WHERE n.environment_id = $1
  AND n.entry_id = ${alias}.entry_id AND n.locale = ${alias}.locale)`;
const isTypeNoted = (alias: string): string => `EXISTS (SELECT FROM filter_notes n WHERE n.environment_id = $1
  AND n.entry_id IS NULL AND n.content_type_id = ${alias}.content_type_id)`;
const isPublished = (
  alias: string,
): string => `EXISTS (SELECT FROM published_entries p WHERE p.environment_id = $1
  AND p.entry_id = ${alias}.entry_id AND p.locale = ${alias}.locale)`;

/**
 * Compares the index of delivery filters with published documents; what waits to be indexed is no difference. Neither
 * is what the index has besides, such as values of a removed field: it costs a look at a document and changes no result.
 */
export class FilterCheckRepository extends Repository {
  async differences(catalog: Catalog, limit: number): Promise<FilterDifference[]> {
    await this.allowTime(600);
    const left = await this.#leftOver(limit);
    const found = left.map((key): FilterDifference => ({ of: named(key), problem: 'not published' }));
    const places = placesIn(catalog, this.environmentId);
    for (let last: DocumentKey = FIRST; found.length < limit;) {
      const documents = await this.#after(last);
      for (const document of documents) {
        const problem = problemOf(document, places(document.contentTypeId));
        if (problem !== undefined) found.push({ of: named(document), problem });
      }
      if (documents.length < BATCH) break;
      last = documents.at(-1) ?? last;
    }
    return found.slice(0, limit);
  }

  #after({ entryId, locale }: DocumentKey): Promise<IndexedDocument[]> {
    return this.query<IndexedDocument>(
      `SELECT p.content_type_id AS "contentTypeId", p.entry_id AS "entryId", p.locale, p.fields,
         d.content_type_id AS "indexedTypeId", coalesce(d.terms, '{}') AS terms,
         ARRAY(SELECT k.place || ' ' || k.key FROM filter_keys k
           WHERE k.environment_id = $1 AND k.entry_id = p.entry_id AND k.locale = p.locale) AS keys
       FROM published_entries p
         LEFT JOIN filter_documents d ON d.environment_id = $1 AND d.entry_id = p.entry_id AND d.locale = p.locale
       WHERE p.environment_id = $1 AND (p.entry_id, p.locale) > ($2::uuid, $3)
         AND NOT ${isNoted('p')} AND NOT ${isTypeNoted('p')}
       ORDER BY p.entry_id, p.locale LIMIT ${String(BATCH)}`,
      [this.environmentId, entryId, locale],
    );
  }

  /** Rows of documents that are not published. Keys say no type: only with its document can a type be noted. */
  #leftOver(limit: number): Promise<DocumentKey[]> {
    return this.query<DocumentKey>(
      `SELECT d.entry_id AS "entryId", d.locale FROM filter_documents d
         WHERE d.environment_id = $1 AND NOT ${isPublished('d')} AND NOT ${isNoted('d')} AND NOT ${isTypeNoted('d')}
       UNION SELECT k.entry_id, k.locale FROM filter_keys k
         WHERE k.environment_id = $1 AND NOT ${isPublished('k')} AND NOT ${isNoted('k')}
           AND NOT EXISTS (SELECT FROM filter_documents d
             WHERE d.environment_id = $1 AND d.entry_id = k.entry_id AND d.locale = k.locale)
       ORDER BY 1, 2 LIMIT $2`,
      [this.environmentId, limit],
    );
  }
}

function problemOf(
  { contentTypeId, indexedTypeId, fields, terms, keys }: IndexedDocument,
  places: ReadonlyMap<string, number>,
): FilterDifference['problem'] | undefined {
  if (indexedTypeId === null) return 'missing';
  const expected = filterEntryOf(fields, places);
  const expectedKeys = expected.keys.map(({ place, key }) => `${String(place)} ${key}`);
  const isRight =
    indexedTypeId === contentTypeId && hasAll(expected.terms, terms) && hasAll(expectedKeys, keys);
  return isRight ? undefined : 'lacks values';
}
