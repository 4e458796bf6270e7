import type { Page } from '../../../../../contracts/envelopes.js';
import type { EntryStatus } from '../../../../../contracts/entries/entries/entry.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { linkingBlocksSql } from '../../../environments/renames/index.js';
import { readableEntries } from '../../../shared/readable-entries.js';
import type { MediaFacts } from '../../../../content/field-kinds/index.js';

interface StoredUse {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly fieldId: string;
  /** Ids of own blocks of the draft that have the field. */
  readonly blocks: string[];
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
           ${linkingBlocksSql({ fieldId: 'u.field_id', locale: 'u.locale', targetId: '$2' })} AS blocks,
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

/** What publishing checks about an asset. */
export interface UsedAsset extends MediaFacts {
  readonly id: string;
  /** Whether its scan permits delivery. */
  readonly isDelivered: boolean;
}

const byIds = {
  name: 'read_media_facts',
  text: `SELECT id, mime_type AS "mimeType", size::float8 AS size, width, height,
      scan_status NOT IN ('pending', 'infected') AS "isDelivered"
    FROM media_assets WHERE environment_id = $1 AND id = ANY($2::uuid[])`,
};

export class MediaFactsRepository extends Repository {
  /** Does nothing without ids. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, UsedAsset>> {
    if (ids.length === 0) return new Map();
    const rows = await this.query<UsedAsset>(byIds, [this.environmentId, [...new Set(ids)]]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** A published locale and the assets that its fields name. */
interface PublishedMedia {
  readonly entryId: string;
  readonly locale: string;
  readonly named: readonly { readonly fieldId: string; readonly assetId: string }[];
}

const replace = {
  name: 'replace_published_media',
  text: `WITH given AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS g (entry_id, locale)),
    named AS (SELECT * FROM jsonb_to_recordset($4::jsonb) AS n ("entryId" uuid, locale text, "fieldId" uuid, "assetId" uuid)),
    gone AS (
      DELETE FROM published_media p USING given g WHERE p.environment_id = $1 AND p.entry_id = g.entry_id AND p.locale = g.locale
        AND NOT EXISTS (SELECT FROM named n WHERE n."entryId" = p.entry_id AND n.locale = p.locale
          AND n."fieldId" = p.field_id AND n."assetId" = p.asset_id))
    INSERT INTO published_media (environment_id, entry_id, locale, field_id, asset_id)
    SELECT DISTINCT $1::uuid, "entryId", locale, "fieldId", "assetId" FROM named ORDER BY 5 ON CONFLICT DO NOTHING`,
};

/** The assets that published documents show. Unpublishing removes them along with the documents. */
export class PublishedMediaRepository extends Repository {
  /** Does not wait for the write. */
  replace(documents: readonly PublishedMedia[]): void {
    if (documents.length === 0) return;
    const named = documents.flatMap(({ entryId, locale, named: assets }) =>
      assets.map((asset) => ({ entryId, locale, ...asset })),
    );
    const written = this.query(replace, [
      this.environmentId,
      documents.map(({ entryId }) => entryId),
      documents.map(({ locale }) => locale),
      JSON.stringify(named),
    ]);
    this.defer(written);
  }
}
