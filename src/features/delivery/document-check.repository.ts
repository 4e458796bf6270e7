import type { Catalog } from '../../content/catalog.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { deliverFields } from '../../content/deliver-fields.js';
import { Repository } from '../../persistence/repositories/repository.js';

/** A published document that differs from its unchanged draft. */
interface DocumentDifference {
  readonly entryId: string;
  readonly locale: string;
  readonly problem: 'missing' | 'left over' | 'differs';
}

export interface DocumentCheck {
  readonly checked: number;
  /** Documents with newer drafts, which cannot be compared. */
  readonly skipped: number;
  readonly differences: DocumentDifference[];
}

interface Row {
  readonly entryId: string;
  readonly locale: string;
  readonly contentTypeId: string;
  readonly slug: string | null;
  readonly draftSlug: string;
  readonly document: Readonly<Record<string, unknown>> | null;
  readonly draft: Readonly<Record<string, unknown>>;
  readonly isPublished: boolean;
  readonly isLatest: boolean;
}

const BATCH = 500;

/** Compares published documents with their drafts. */
export class DocumentCheckRepository extends Repository {
  async check(catalog: Catalog, limit: number): Promise<DocumentCheck> {
    const differences: DocumentDifference[] = [];
    await this.query("SELECT set_config('statement_timeout', '10min', true)");
    let checked = 0;
    let skipped = 0;
    let last: Pick<Row, 'entryId' | 'locale'> = {
      entryId: '00000000-0000-0000-0000-000000000000',
      locale: '',
    };
    for (let rows = await this.#after(last); rows.length > 0; rows = await this.#after(last)) {
      for (const row of rows) {
        const problem = problemOf(row, catalog);
        if (row.isLatest) checked += 1;
        else skipped += 1;
        if (problem !== undefined && differences.length < limit)
          differences.push({ entryId: row.entryId, locale: row.locale, problem });
      }
      last = rows.at(-1) ?? last;
    }
    return { checked, skipped, differences };
  }

  #after({ entryId, locale }: Pick<Row, 'entryId' | 'locale'>): Promise<Row[]> {
    return this.query<Row>(
      `SELECT l.entry_id AS "entryId", l.locale, l.content_type_id AS "contentTypeId", p.slug, l.slug AS "draftSlug",
         p.fields AS document, e.shared_fields || l.fields AS draft, l.published_at IS NOT NULL AS "isPublished",
         l.published_content_hash = l.content_hash AND l.published_shared_hash = e.shared_hash AS "isLatest"
       FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
         LEFT JOIN published_entries p ON p.environment_id = l.environment_id AND p.entry_id = l.entry_id AND p.locale = l.locale
       WHERE l.environment_id = $1 AND (l.entry_id, l.locale) > ($2::uuid, $3) AND (l.published_at IS NOT NULL OR p.entry_id IS NOT NULL)
       ORDER BY l.entry_id, l.locale LIMIT $4`,
      [this.environmentId, entryId, locale, BATCH],
    );
  }
}

function problemOf(row: Row, catalog: Catalog): DocumentDifference['problem'] | undefined {
  if (row.document === null) return 'missing';
  if (!row.isPublished) return 'left over';
  if (!row.isLatest) return undefined;
  const { fields = [] } = catalog.contentTypeById(row.contentTypeId) ?? {};
  const { document } = row;
  const isSame = Object.entries(deliverFields(fields, row.draft)).every(([name, value]) =>
    // A field added after the publish is absent in the document.
    name in document ? isEqualJson(document[name], value) : isEmpty(value),
  );
  return isSame && row.slug === row.draftSlug ? undefined : 'differs';
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
