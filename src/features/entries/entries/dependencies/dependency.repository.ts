import type { EntryStatus } from '../../../../../contracts/entries/entries/entry.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { readableEntries } from '../../../shared/readable-entries.js';

export type Direction = 'out' | 'in';

/** An entry or asset that a draft names in a field of the entry or its blocks. */
interface DraftLink {
  readonly entryId: string;
  readonly targetId: string;
  readonly fieldId: string;
  /** Null for a field shared by all locales. */
  readonly locale: string | null;
}

/** What a published document names; some only look like ids of a link. */
export interface DocumentLink {
  readonly entryId: string;
  readonly targetId: string;
  /** Of the entry, or of the block that has the field. */
  readonly typeId: string;
  readonly fieldApiName: string;
  readonly locale: string;
}

export interface LinkedEntry {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly title: string;
  readonly status: EntryStatus;
}

export interface LinkedAsset {
  readonly id: string;
  readonly fileName: string;
}

const ends = { out: 'entry_id', in: 'target_id' } as const;

/** Links between drafts and in published documents, in either direction. */
export class DependencyRepository extends Repository {
  async inDrafts(ids: readonly string[], direction: Direction): Promise<DraftLink[]> {
    return this.query<DraftLink>(
      `SELECT k.entry_id AS "entryId", k.target_id AS "targetId", k.field_id AS "fieldId", nullif(k.locale, '') AS locale
       FROM entry_links k WHERE k.environment_id = $1 AND k.${ends[direction]} = ANY($2::uuid[]) ORDER BY 1, 2, 3, 4`,
      [this.environmentId, [...ids]],
    );
  }

  /** Found by an index of the ids that documents name. Materialized: otherwise the planner scans all documents for their order. */
  async inDocuments(ids: readonly string[], direction: Direction): Promise<DocumentLink[]> {
    const [found, named] =
      direction === 'out'
        ? ['entry_id = ANY($2::uuid[])', 'true']
        : ['link_targets(fields, blocks) && $2::text[]', 't.id = ANY($2::text[])'];
    return this.query<DocumentLink>(
      `WITH p AS MATERIALIZED (SELECT entry_id, locale, content_type_id, fields, blocks FROM published_entries
         WHERE environment_id = $1 AND ${found})
       SELECT DISTINCT p.entry_id AS "entryId", t.id AS "targetId", h.type AS "typeId", h.name AS "fieldApiName", p.locale
       FROM p
         CROSS JOIN LATERAL (
           SELECT p.content_type_id::text AS type, f.key AS name, f.value FROM jsonb_each(p.fields) AS f
           UNION ALL
           SELECT b.value ->> 'type', f.key, f.value FROM jsonb_each(p.blocks) AS b
             CROSS JOIN LATERAL jsonb_each(b.value -> 'fields') AS f) AS h
         CROSS JOIN LATERAL unnest(link_targets(h.value, NULL)) AS t (id)
       WHERE ${named} ORDER BY 1, 2, 3, 4, 5`,
      [this.environmentId, [...ids]],
    );
  }

  /** Those that exist and that the caller can read. */
  async entries(ids: readonly string[]): Promise<LinkedEntry[]> {
    const bind: unknown[] = [this.environmentId, [...ids]];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bind.push(value))}`);
    return this.query<LinkedEntry>(
      `SELECT e.id, e.content_type_id AS "contentTypeId", e.site_id AS "siteId", l.title, l.status
       FROM entries e JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND l.is_shown
       WHERE e.environment_id = $1 AND e.id = ANY($2::uuid[]) AND e.deleted_at IS NULL ${readable === null ? '' : `AND ${readable}`}
       ORDER BY e.id`,
      bind,
    );
  }

  async assets(ids: readonly string[]): Promise<LinkedAsset[]> {
    return this.query<LinkedAsset>(
      `SELECT id, file_name AS "fileName" FROM media_assets
       WHERE environment_id = $1 AND id = ANY($2::uuid[]) ORDER BY id`,
      [this.environmentId, [...ids]],
    );
  }
}
