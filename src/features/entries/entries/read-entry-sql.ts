import type { StoredEntry, StoredLocale } from './stored-entry.js';

/** JSON or null. @param entryId SQL expression @param environmentId SQL expression */
const placeSql = (environmentId: string, entryId: string): string =>
  `(SELECT jsonb_build_object('nodeId', n.id, 'parentId', n.parent_id, 'siteId', n.site_id) FROM tree_nodes n
    WHERE n.environment_id = ${environmentId} AND n.entry_id = ${entryId})`;

/** Whether the entry is its site's home. @param entry alias of `entries` */
const isHomeSql = (entry: string): string =>
  `coalesce((SELECT s.home_entry_id = ${entry}.id FROM sites s WHERE s.tenant_id = ${entry}.tenant_id AND s.id = ${entry}.site_id), false)`;

/**
 * Pending jobs of a locale, soonest first, as JSON.
 * @param locale alias of `entry_locales`
 */
const scheduledSql = (locale: string): string =>
  `(SELECT coalesce(jsonb_agg(jsonb_build_object('jobId', j.id, 'kind', j.kind, 'timezone', j.timezone,
       'scheduledAt', to_char(j.scheduled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY j.scheduled_at, j.id), '[]')
     FROM scheduled_jobs j WHERE j.environment_id = ${locale}.environment_id AND j.entry_id = ${locale}.entry_id
       AND j.locale = ${locale}.locale AND j.status = 'scheduled')`;

export const entryColumns = `id, content_type_id AS "contentTypeId", site_id AS "siteId", version, external_id AS "externalId", shared_fields AS "sharedFields",
  shared_hash AS "sharedHash", created_at AS "createdAt", created_by AS "createdBy", updated_at AS "updatedAt",
  updated_by AS "updatedBy", deleted_at AS "deletedAt", ${isHomeSql('entries')} AS "isHome"`;

const localeColumns = `locale, slug, title, pg_column_size(fields) AS "storedBytes", content_hash AS "contentHash", published_content_hash AS "publishedContentHash",
  published_shared_hash AS "publishedSharedHash", published_version AS "publishedVersion", published_at AS "publishedAt",
  first_published_at AS "firstPublishedAt", updated_at AS "updatedAt", workflow_state AS "workflowState",
  assignee_id AS "assigneeId", due_at AS "dueAt", ${scheduledSql('entry_locales')} AS scheduled`;

/** Whether a locale is one of the entry: types without locales have the shown one only. @param l alias of `entry_locales` */
export const isReadSql = (
  l: string,
): string => `(NOT ${l}.is_deleted OR ${l}.is_shown OR EXISTS (SELECT FROM content_types t
    WHERE t.environment_id = ${l}.environment_id AND t.id = ${l}.content_type_id AND t.is_localized))`;

/** `$3` has the locales by entry whose values are read, with '' for the shown one; null reads all. */
export const readLocales = {
  name: 'read_entry_locales',
  text: `SELECT entry_id AS "entryId", ${localeColumns},
      CASE WHEN $3::jsonb IS NULL OR $3 -> entry_id::text ? locale OR (is_shown AND $3 -> entry_id::text ? '') THEN fields END AS fields,
      ${placeSql('entry_locales.environment_id', 'entry_locales.entry_id')} AS place FROM entry_locales
    WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) AND ${isReadSql('entry_locales')} ORDER BY created_at, locale`,
};

export const readFields = {
  name: 'read_locale_fields',
  text: `SELECT l.entry_id AS "entryId", l.locale, l.fields FROM unnest($2::uuid[], $3::text[]) AS g (entry_id, locale)
    JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = g.entry_id AND l.locale = g.locale`,
};

export const readVersions = {
  name: 'read_entry_versions',
  text: 'SELECT id, version FROM entries WHERE environment_id = $1 AND id = ANY($2::uuid[])',
};

/**
 * `$3` is a fallback chain, `$5` the types whose entries have one document for every locale.
 * @param readable condition over `e`
 */
export const findOffline = (readable = 'true') => ({
  name: 'find_offline_entries',
  text: `SELECT e.id FROM entries e WHERE e.environment_id = $1 AND e.id = ANY($2::uuid[]) AND e.deleted_at IS NULL
      AND ${readable} AND EXISTS (
      SELECT FROM entry_locales l WHERE l.environment_id = e.environment_id AND l.entry_id = e.id AND CASE
        WHEN e.content_type_id = ANY($5::uuid[]) THEN l.is_shown AND l.published_at IS NULL
        ELSE l.locale = ANY($3::text[])
          AND NOT EXISTS (SELECT FROM entry_locales p WHERE p.environment_id = e.environment_id AND p.entry_id = e.id
            AND p.locale = ANY($3::text[]) AND p.published_at IS NOT NULL AND (l.locale <> ($3::text[])[1] OR p.locale = l.locale)) END)
    ORDER BY e.id LIMIT $4`,
});

/** Of a listed entry `e` with its shown locale `l`. */
const listedColumns = `e.id, e.content_type_id AS "contentTypeId", e.site_id AS "siteId", e.version, e.external_id AS "externalId", e.shared_fields AS "sharedFields",
  e.shared_hash AS "sharedHash", e.created_at AS "createdAt", e.created_by AS "createdBy", e.updated_at AS "updatedAt",
  e.updated_by AS "updatedBy", e.deleted_at AS "deletedAt", ${placeSql('e.environment_id', 'e.id')} AS place, ${isHomeSql('e')} AS "isHome",
  l.locale AS "shownLocale",
  (SELECT json_agg(json_build_object('locale', s.locale, 'slug', s.slug, 'title', s.title,
      'fields', CASE WHEN s.locale = l.locale THEN s.fields ELSE '{}'::jsonb END, 'contentHash', s.content_hash,
      'publishedContentHash', s.published_content_hash, 'publishedSharedHash', s.published_shared_hash,
      'publishedVersion', s.published_version, 'publishedAt', s.published_at, 'firstPublishedAt', s.first_published_at,
      'updatedAt', s.updated_at, 'workflowState', s.workflow_state, 'assigneeId', s.assignee_id, 'dueAt', s.due_at, 'scheduled', ${scheduledSql('s')}) ORDER BY s.created_at, s.locale)
    FROM entry_locales s WHERE s.environment_id = e.environment_id AND s.entry_id = e.id AND ${isReadSql('s')}) AS locales`;

/**
 * Entries of a page, in the order of their ids in `$2`, in the locale `$3` or without it in the shown one. `$4` has the
 * types whose entries have one document for every locale. Planned once: planning takes longer than reading a page.
 */
export const readListed = {
  name: 'read_listed_entries',
  text: `SELECT ${listedColumns} FROM unnest($2::uuid[]) WITH ORDINALITY AS g (id, place)
    JOIN entries e ON e.environment_id = $1 AND e.id = g.id
    JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id
      AND CASE WHEN $3::text IS NULL OR l.content_type_id = ANY($4::uuid[]) THEN l.is_shown ELSE l.locale = $3 END
    ORDER BY g.place`,
};

const times = ['updatedAt', 'publishedAt', 'firstPublishedAt', 'dueAt'] as const;

/** Times of its locales are strings in JSON. */
function parseTimes(state: Record<string, unknown>): StoredLocale {
  const dates = times.map((key) => [key, typeof state[key] === 'string' ? new Date(state[key]) : null]);
  return { ...state, ...Object.fromEntries(dates) } as StoredLocale;
}

export interface ListedEntry extends StoredEntry {
  readonly shownLocale: string;
}

/** As {@link readListed} returns it. */
export type ListedRow = Omit<ListedEntry, 'locales'> & { locales: Record<string, unknown>[] };

export const listedEntry = (row: ListedRow): ListedEntry => ({
  ...row,
  locales: row.locales.map(parseTimes),
});

/** SQL condition on a listed entry. */
export const hasScheduleSql = ({
  hasSchedule,
  locale,
}: {
  hasSchedule: boolean | null;
  locale: string | null;
}): string =>
  `${hasSchedule === true ? '' : 'NOT '}EXISTS (SELECT FROM scheduled_jobs j WHERE j.environment_id = e.environment_id
    AND j.entry_id = e.id AND j.status = 'scheduled' ${locale === null ? '' : 'AND j.locale = l.locale'})`;
