import type { Page } from '../../../../../contracts/envelopes.js';
import type { EntryStatus } from '../../../../../contracts/entries/entries/entry.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { linkingBlocksSql } from '../../../environments/renames/index.js';
import { readableEntries } from '../../../shared/readable-entries.js';

export interface StoredReference {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly fieldId: string;
  /** Ids of own blocks that have the field. */
  readonly blocks: string[];
  readonly locale: string | null;
  readonly title: string;
  readonly status: EntryStatus;
}

const from = `FROM entry_links k JOIN entries e ON e.environment_id = k.environment_id AND e.id = k.entry_id AND e.deleted_at IS NULL
  WHERE k.environment_id = $1 AND k.target_id = $2 AND k.entry_id <> $2`;

export class ReferenceListRepository extends Repository {
  /** Title and status are of the linking locale, for shared fields of the default locale. */
  async list(
    targetId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<Page<StoredReference>> {
    const bind: unknown[] = [this.environmentId, targetId];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bind.push(value))}`);
    const scope = readable === null ? from : `${from} AND ${readable}`;
    const next = bind.length + 1;
    const items = await this.query<StoredReference>(
      `SELECT k."entryId", k."contentTypeId", k."siteId", k."fieldId", nullif(k.link_locale, '') AS locale, l.title, l.status,
         ${linkingBlocksSql({ fieldId: 'k."fieldId"', locale: 'k.link_locale', targetId: '$2' })} AS blocks
       FROM (SELECT k.environment_id, k.entry_id AS "entryId", e.content_type_id AS "contentTypeId", e.site_id AS "siteId",
           k.field_id AS "fieldId", k.locale AS link_locale
         ${scope} ORDER BY k.entry_id DESC, k.field_id, k.locale LIMIT $${String(next)} OFFSET $${String(next + 1)}) AS k
       JOIN entries e ON e.environment_id = $1 AND e.id = k."entryId"
       JOIN entry_locales l ON l.environment_id = k.environment_id AND l.entry_id = k."entryId"
         AND CASE k.link_locale WHEN '' THEN l.is_shown ELSE l.locale = k.link_locale END
       ORDER BY k."entryId" DESC, k."fieldId", k.link_locale`,
      [...bind, limit, offset],
    );
    if (readable !== null) {
      const [seen] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${scope}`, bind);
      return { items, total: seen?.total ?? 0 };
    }
    // Subtracts the few deleted referrers; joining every referrer would be slow.
    const [count] = await this.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM entry_links k
       WHERE k.environment_id = $1 AND k.target_id = $2 AND k.entry_id <> $2 AND NOT EXISTS (SELECT FROM entries e
         WHERE e.environment_id = $1 AND e.id = k.entry_id AND e.deleted_at IS NOT NULL)`,
      bind,
    );
    return { items, total: count?.total ?? 0 };
  }
}
