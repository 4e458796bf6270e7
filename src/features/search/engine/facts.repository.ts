import { Repository } from '../../../persistence/repositories/repository.js';

/** What one locale of an entry is filtered, sorted and counted by, as a draft and as published. */
export interface EntryFacts {
  readonly entryId: string;
  readonly locale: string;
  readonly contentTypeId: string;
  readonly status: string;
  /** Empty for the base state. */
  readonly workflowState: string;
  readonly assigneeId: string | null;
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly publishedAt: Date | null;
  readonly title: string;
  readonly slug: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Null if the locale is not published. */
  readonly live: {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly slug: string;
    readonly createdAt: string;
    readonly publishedAt: string;
  } | null;
}

/** States and values of entries. */
export class EntryFactsRepository extends Repository {
  of(entryIds: readonly string[]): Promise<EntryFacts[]> {
    return this.query<EntryFacts>(
      `SELECT e.id AS "entryId", l.locale, e.content_type_id AS "contentTypeId", l.status,
         coalesce(l.workflow_state, '') AS "workflowState", l.assignee_id AS "assigneeId",
         e.created_by_id AS "createdBy", e.updated_by_id AS "updatedBy", e.created_at AS "createdAt",
         e.updated_at AS "updatedAt", l.published_at AS "publishedAt", l.title, l.slug, e.shared_fields || l.fields AS fields,
         CASE WHEN p.entry_id IS NOT NULL THEN jsonb_build_object('fields', p.fields, 'slug', p.slug,
           'createdAt', p.created_at, 'publishedAt', p.published_at) END AS live
       FROM entries e JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id
         LEFT JOIN published_entries p ON p.environment_id = l.environment_id AND p.entry_id = l.entry_id AND p.locale = l.locale
       WHERE e.environment_id = $1 AND e.id = ANY($2::uuid[]) AND e.deleted_at IS NULL`,
      [this.environmentId, entryIds],
    );
  }
}
