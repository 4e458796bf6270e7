import type { Migration } from './migration.js';

const journalUpdates = (changed: string): string => `
    DROP TRIGGER journal_entries_update ON entries;
    CREATE TRIGGER journal_entries_update AFTER UPDATE ON entries FOR EACH ROW WHEN (${changed})
      EXECUTE FUNCTION journal_entries_update();`;
const content = 'OLD.shared_hash <> NEW.shared_hash OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)';

/** Ids of entries in other systems. A deleted entry leaves its own to others. */
export const externalIds: Migration = {
  name: '0049-external-ids',
  up: `
    ALTER TABLE entries ADD COLUMN external_id text COLLATE "C";
    COMMENT ON COLUMN entries.external_id IS 'Id in another system, unique within the type.';
    CREATE UNIQUE INDEX entries_external_id_key ON entries (environment_id, external_id, content_type_id)
      WHERE external_id IS NOT NULL AND deleted_at IS NULL;
    ${journalUpdates(`${content} OR OLD.external_id IS DISTINCT FROM NEW.external_id`)}
  `,
  down: `
    ${journalUpdates(content)}
    DROP INDEX entries_external_id_key;
    ALTER TABLE entries DROP COLUMN external_id;
  `,
};
