import { isHomeSql, placeSql } from './place-sql.js';
import { scheduledSql } from './scheduled-sql.js';

export const entryColumns = `id, content_type_id AS "contentTypeId", site_id AS "siteId", version, external_id AS "externalId", shared_fields AS "sharedFields",
  shared_hash AS "sharedHash", created_at AS "createdAt", created_by AS "createdBy", updated_at AS "updatedAt",
  updated_by AS "updatedBy", deleted_at AS "deletedAt", ${isHomeSql('entries')} AS "isHome"`;

const localeColumns = `locale, slug, title, pg_column_size(fields) AS "storedBytes", content_hash AS "contentHash", published_content_hash AS "publishedContentHash",
  published_shared_hash AS "publishedSharedHash", published_version AS "publishedVersion", published_at AS "publishedAt",
  first_published_at AS "firstPublishedAt", updated_at AS "updatedAt", workflow_state AS "workflowState",
  assignee_id AS "assigneeId", due_at AS "dueAt", ${scheduledSql('entry_locales')} AS scheduled`;

/** `$3` has the locales by entry whose values are read, with '' for the shown one; null reads all. */
export const readLocales = {
  name: 'read_entry_locales',
  text: `SELECT entry_id AS "entryId", ${localeColumns},
      CASE WHEN $3::jsonb IS NULL OR $3 -> entry_id::text ? locale OR (is_shown AND $3 -> entry_id::text ? '') THEN fields END AS fields,
      ${placeSql('entry_locales.environment_id', 'entry_locales.entry_id')} AS place FROM entry_locales
    WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) ORDER BY created_at, locale`,
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
