import type { EntryStatus } from '../../../contracts/resources/entry.js';
import { Repository } from '../../persistence/repositories/repository.js';
import { readableEntries } from '../shared/index.js';
import type { SearchHit } from './search-index.js';

/** A draft that was found, as it is now. */
export interface FoundDraft {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly locale: string;
  readonly title: string;
  readonly slug: string;
  readonly status: EntryStatus;
  readonly updatedAt: Date;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What results show of entries. */
export class FoundDraftRepository extends Repository {
  /**
   * In the order of the hits. An index may be late: what was deleted or may not be read any more is left out.
   * @param withFields whether values are needed
   */
  of(hits: readonly SearchHit[], withFields: boolean): Promise<FoundDraft[]> {
    const fields = withFields ? 'e.shared_fields || l.fields' : `'{}'::jsonb`;
    const bound: unknown[] = [
      this.environmentId,
      hits.map(({ entryId }) => entryId),
      hits.map(({ locale }) => locale),
    ];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bound.push(value))}`);
    return this.query<FoundDraft>(
      `SELECT e.id AS "entryId", e.content_type_id AS "contentTypeId", e.site_id AS "siteId", l.locale, l.title, l.slug, l.status,
         e.updated_at AS "updatedAt", ${fields} AS fields
       FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS h (id, locale, place)
         JOIN entries e ON e.environment_id = $1 AND e.id = h.id
         JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = h.id AND l.locale = h.locale
       WHERE e.deleted_at IS NULL AND ${readable ?? 'true'} ORDER BY h.place`,
      bound,
    );
  }
}
