import type { Migration } from './migration.js';

/**
 * Entries in the order of their titles (rule lists/text), of one locale and of the locales that stand for them. The
 * last column lets a list of one type skip the others in the index.
 */
export const entryTitles: Migration = {
  name: '0090-entry-titles',
  up: `
    CREATE INDEX entry_locales_title ON entry_locales
      (environment_id, locale, title COLLATE "und-x-icu", entry_id, content_type_id) WHERE NOT is_deleted;
    CREATE INDEX entry_locales_shown_title ON entry_locales
      (environment_id, title COLLATE "und-x-icu", entry_id, content_type_id) WHERE is_shown AND NOT is_deleted;
  `,
  down: 'DROP INDEX entry_locales_title, entry_locales_shown_title;',
};
