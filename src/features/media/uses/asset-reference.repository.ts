import type { Page } from '../../../../contracts/envelopes.js';
import type { EntryStatus } from '../../../../contracts/resources/entry.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { readableEntries } from '../../shared/index.js';

interface StoredUse {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly fieldId: string;
  readonly locale: string | null;
  readonly title: string;
  readonly status: EntryStatus;
  readonly inDraft: boolean;
  readonly inPublished: boolean;
}

/** A field that all locales share is published in each. */
const uses = `SELECT u.entry_id, u.field_id, u.locale, bool_or(u.in_draft) AS in_draft, bool_or(NOT u.in_draft) AS in_published
  FROM (
    SELECT k.entry_id, k.field_id, k.locale, true AS in_draft FROM entry_links k
      WHERE k.environment_id = $1 AND k.target_id = $2 AND k.is_media
    UNION ALL
    SELECT p.entry_id, p.field_id, CASE WHEN f.localized THEN p.locale ELSE '' END, false FROM published_media p
      JOIN fields f ON f.environment_id = p.environment_id AND f.id = p.field_id
      WHERE p.environment_id = $1 AND p.asset_id = $2) AS u
  JOIN entries e ON e.environment_id = $1 AND e.id = u.entry_id AND e.deleted_at IS NULL`;

export class AssetReferenceRepository extends Repository {
  /** Entries that the caller may read. Title and status are of the using locale, for shared fields of the default one. */
  async list(
    assetId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<Page<StoredUse>> {
    const bind: unknown[] = [this.environmentId, assetId];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bind.push(value))}`);
    const all = `${uses}${readable === null ? '' : ` WHERE ${readable}`} GROUP BY u.entry_id, u.field_id, u.locale`;
    const next = bind.length + 1;
    const [items, [count]] = await Promise.all([
      this.query<StoredUse>(
        `SELECT u.entry_id AS "entryId", e.content_type_id AS "contentTypeId", e.site_id AS "siteId", u.field_id AS "fieldId",
           nullif(u.locale, '') AS locale, coalesce(l.title, '') AS title, coalesce(l.status, 'draft') AS status,
           u.in_draft AS "inDraft", u.in_published AS "inPublished"
         FROM (${all} ORDER BY u.entry_id DESC, u.field_id, u.locale LIMIT $${String(next)} OFFSET $${String(next + 1)}) AS u
           JOIN entries e ON e.environment_id = $1 AND e.id = u.entry_id
           LEFT JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = u.entry_id
             AND CASE u.locale WHEN '' THEN l.is_shown ELSE l.locale = u.locale END
         ORDER BY u.entry_id DESC, u.field_id, u.locale`,
        [...bind, limit, offset],
      ),
      this.query<{ total: number }>(`SELECT count(*)::int AS total FROM (${all}) AS u`, bind),
    ]);
    return { items, total: count?.total ?? 0 };
  }
}
