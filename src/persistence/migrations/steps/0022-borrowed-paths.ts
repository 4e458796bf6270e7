import type { Migration } from './migration.js';

/** Finds drafts at the paths that locales without a translation will show them at (rule delivery/paths). */
export const borrowedPaths: Migration = {
  name: '0022-borrowed-paths',
  up: `
    CREATE INDEX routes_borrowed ON routes (environment_id, site_id, locale, path) WHERE NOT is_own AND served_path IS NULL;
  `,
  down: 'DROP INDEX routes_borrowed;',
};
