import type { Page } from '../../../contracts/envelopes.js';
import type { EntryStatus } from '../../../contracts/resources/entry.js';
import { Repository } from '../../persistence/repository.js';
import { statusSql } from './status-sql.js';

/** A field that refers to an entry. */
export interface StoredReference {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly fieldId: string;
  readonly locale: string | null;
  readonly title: string;
  readonly status: EntryStatus;
}

const from = `FROM entry_links k JOIN entries e ON e.environment_id = k.environment_id AND e.id = k.entry_id AND e.deleted_at IS NULL
  WHERE k.environment_id = $1 AND k.target_id = $2 AND k.entry_id <> $2`;

/** Where entries are referred to. */
export class ReferenceListRepository extends Repository {
  /** Title and status are those of the locale that refers, for a shared field those of the site's default locale. */
  async list(
    targetId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<Page<StoredReference>> {
    const bind = [this.environmentId, targetId];
    const items = await this.query<StoredReference>(
      `SELECT e."entryId", e."contentTypeId", e."siteId", e."fieldId", nullif(e.link_locale, '') AS locale, l.title,
         ${statusSql} AS status
       FROM (SELECT k.environment_id, k.entry_id AS "entryId", e.content_type_id AS "contentTypeId", e.site_id AS "siteId",
           k.field_id AS "fieldId", k.locale AS link_locale, e.tenant_id, e.shared_hash
         ${from} ORDER BY k.entry_id DESC, k.field_id, k.locale LIMIT $3 OFFSET $4) AS e
       JOIN sites site ON site.tenant_id = e.tenant_id AND site.id = e."siteId"
       JOIN LATERAL (SELECT * FROM entry_locales c WHERE c.environment_id = e.environment_id AND c.entry_id = e."entryId"
         ORDER BY c.locale = e.link_locale DESC, c.locale = site.default_locale DESC, c.created_at, c.locale LIMIT 1) l ON true
       ORDER BY e."entryId" DESC, e."fieldId", e.link_locale`,
      [...bind, limit, offset],
    );
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${from}`, bind);
    return { items, total: count?.total ?? 0 };
  }
}
