import type { Migration } from './migration.js';

/**
 * Lists count and search the locales of entries in their indexes by title: with the tenant, which the wall compares,
 * no row is read for it.
 */
export const titleIndexes: Migration = {
  name: '0039-title-indexes',
  up: `
    CREATE INDEX entry_locales_of_title ON entry_locales (environment_id, locale, title COLLATE "und-x-icu", entry_id, content_type_id)
      INCLUDE (tenant_id) WHERE NOT is_deleted;
    CREATE INDEX entry_locales_of_shown_title ON entry_locales (environment_id, title COLLATE "und-x-icu", entry_id, content_type_id)
      INCLUDE (tenant_id, locale) WHERE is_shown AND NOT is_deleted;
    DROP INDEX entry_locales_title;
    DROP INDEX entry_locales_shown_title;
  `,
  down: `
    CREATE INDEX entry_locales_title ON entry_locales (environment_id, locale, title COLLATE "und-x-icu", entry_id, content_type_id) WHERE NOT is_deleted;
    CREATE INDEX entry_locales_shown_title ON entry_locales (environment_id, title COLLATE "und-x-icu", entry_id, content_type_id) WHERE is_shown AND NOT is_deleted;
    DROP INDEX entry_locales_of_title;
    DROP INDEX entry_locales_of_shown_title;
  `,
};
