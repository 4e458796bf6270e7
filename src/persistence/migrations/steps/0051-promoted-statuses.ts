import type { Migration } from './migration.js';

const columns = 'content_hash, is_deleted';

const journalWhen = (changed: string): string => `
    DROP TRIGGER journal_entry_locales_update ON entry_locales;
    CREATE TRIGGER journal_entry_locales_update AFTER UPDATE ON entry_locales FOR EACH ROW
      WHEN ((${changed
        .split(', ')
        .map((column) => `OLD.${column}`)
        .join(', ')}) IS DISTINCT FROM (${changed
        .split(', ')
        .map((column) => `NEW.${column}`)
        .join(', ')}))
      EXECUTE FUNCTION journal_entry_locales_update();`;

/** What a branch publishes and unpublishes is a change, too (rule environments/promotion). */
export const promotedStatuses: Migration = {
  name: '0051-promoted-statuses',
  up: `
    ALTER TABLE environment_bases ADD COLUMN status text;
    COMMENT ON COLUMN environment_bases.status IS
      'Of a locale: the status that both environments last agreed on, if that of the row was not promoted.';
    ${journalWhen(`${columns}, published_version`)}
  `,
  down: `
    ${journalWhen(columns)}
    ALTER TABLE environment_bases DROP COLUMN status;
  `,
};
