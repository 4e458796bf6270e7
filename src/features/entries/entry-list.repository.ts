import type { Page } from '../../../contracts/envelopes.js';
import type { EntryStatus } from '../../../contracts/resources/entry.js';
import { containing, Repository } from '../../persistence/repository.js';
import type { StoredEntry, StoredLocale } from './stored-entry.js';

/** Which entries to list. Absent filters keep everything. */
export interface EntryQuery {
  readonly contentTypeIds: readonly string[] | null;
  readonly siteIds: readonly string[] | null;
  /** Keeps entries written in this locale and looks at it; else at the site's default locale. */
  readonly locale: string | null;
  readonly statuses: readonly EntryStatus[] | null;
  readonly titleContains: string | null;
  readonly isDeleted: boolean;
  readonly orderBy: 'createdAt:asc' | 'createdAt:desc' | 'updatedAt:asc' | 'updatedAt:desc';
  readonly limit: number;
  readonly offset: number;
}

/** An entry of a list and the locale that was looked at. */
export interface ListedEntry extends StoredEntry {
  readonly shownLocale: string;
}

const statusSql = `CASE WHEN l.published_content_hash IS NULL THEN 'draft'
  WHEN l.published_content_hash = l.content_hash AND l.published_shared_hash = e.shared_hash THEN 'published' ELSE 'changed' END`;

const times = ['updatedAt', 'publishedAt', 'firstPublishedAt'] as const;

/** Times come out of JSON as text. */
function revived(state: Record<string, unknown>): StoredLocale {
  const dates = times.map((key) => [key, typeof state[key] === 'string' ? new Date(state[key]) : null]);
  return { ...state, ...Object.fromEntries(dates) } as StoredLocale;
}

/** Lists of entries. */
export class EntryListRepository extends Repository {
  async list(query: EntryQuery): Promise<Page<ListedEntry>> {
    const { filter, bind } = this.#filter(query);
    const column = query.orderBy.startsWith('createdAt') ? 'e.created_at' : 'e.updated_at';
    const direction = query.orderBy.endsWith('asc') ? 'ASC' : 'DESC';
    const items = await this.query<Omit<ListedEntry, 'locales'> & { locales: Record<string, unknown>[] }>(
      `SELECT e.id, e.content_type_id AS "contentTypeId", e.site_id AS "siteId", e.version, e.shared_fields AS "sharedFields",
         e.shared_hash AS "sharedHash", e.created_at AS "createdAt", e.created_by AS "createdBy", e.updated_at AS "updatedAt",
         e.updated_by AS "updatedBy", e.deleted_at AS "deletedAt", l.locale AS "shownLocale",
         (SELECT jsonb_agg(jsonb_build_object('locale', s.locale, 'slug', s.slug, 'title', s.title,
             'fields', CASE WHEN s.locale = l.locale THEN s.fields ELSE '{}'::jsonb END, 'contentHash', s.content_hash,
             'publishedContentHash', s.published_content_hash, 'publishedSharedHash', s.published_shared_hash,
             'publishedVersion', s.published_version, 'publishedAt', s.published_at, 'firstPublishedAt', s.first_published_at,
             'updatedAt', s.updated_at) ORDER BY s.created_at, s.locale)
           FROM entry_locales s WHERE s.environment_id = e.environment_id AND s.entry_id = e.id) AS locales
       ${filter} ORDER BY ${column} ${direction}, e.id ${direction} LIMIT $${String(bind.length + 1)} OFFSET $${String(bind.length + 2)}`,
      [...bind, query.limit, query.offset],
    );
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${filter}`, bind);
    return {
      items: items.map((item) => ({ ...item, locales: item.locales.map(revived) })),
      total: count?.total ?? 0,
    };
  }

  /** Only the conditions that are asked for stand in the statement, so that each can use its index. */
  #filter(query: EntryQuery): { filter: string; bind: unknown[] } {
    const bind: unknown[] = [this.environmentId];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const shown =
      query.locale === null
        ? `JOIN sites site ON site.tenant_id = e.tenant_id AND site.id = e.site_id
           JOIN LATERAL (SELECT * FROM entry_locales c WHERE c.environment_id = e.environment_id AND c.entry_id = e.id
             ORDER BY c.locale = site.default_locale DESC, c.created_at, c.locale LIMIT 1) l ON true`
        : `JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND l.locale = ${value(query.locale)}`;
    const conditions = [`e.environment_id = $1 AND e.deleted_at IS ${query.isDeleted ? 'NOT NULL' : 'NULL'}`];
    if (query.contentTypeIds !== null)
      conditions.push(`e.content_type_id = ANY(${value(query.contentTypeIds)}::uuid[])`);
    if (query.siteIds !== null) conditions.push(`e.site_id = ANY(${value(query.siteIds)}::uuid[])`);
    if (query.statuses !== null) conditions.push(`${statusSql} = ANY(${value(query.statuses)}::text[])`);
    if (query.titleContains !== null)
      conditions.push(`l.title ILIKE ${value(containing(query.titleContains))}`);
    return { filter: `FROM entries e ${shown} WHERE ${conditions.join(' AND ')}`, bind };
  }
}
