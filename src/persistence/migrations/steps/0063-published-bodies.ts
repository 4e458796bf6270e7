import type { Migration } from './migration.js';

/**
 * Published documents also as the text that is sent. Whatever changes the values without it removes it: the values are
 * then sent, until it is written again. It is stored within the row, which is all that most reads need.
 */
export const publishedBodies: Migration = {
  name: '0063-published-bodies',
  up: `
    ALTER TABLE published_entries ADD COLUMN body text;
    ALTER TABLE published_entries ALTER COLUMN body SET STORAGE MAIN;
    COMMENT ON COLUMN published_entries.body IS
      'A digest, then one line of JSON per field. Null: not written yet since the values changed.';
    CREATE INDEX published_without_body ON published_entries (environment_id, entry_id, locale) WHERE body IS NULL;

    CREATE FUNCTION drop_published_body() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.body = NULL;
      RETURN NEW;
    END $$;
    CREATE TRIGGER drop_published_body BEFORE UPDATE OF fields ON published_entries FOR EACH ROW
      WHEN (OLD.body IS NOT NULL AND NEW.body IS NOT DISTINCT FROM OLD.body AND NEW.fields IS DISTINCT FROM OLD.fields)
      EXECUTE FUNCTION drop_published_body();

    -- A text says what the values say, so that no answer changes when it is written later.
    DROP TRIGGER purge_published_entries_update ON published_entries;
    CREATE TRIGGER purge_published_entries_update AFTER UPDATE ON published_entries
      REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
      WHEN (current_setting('headwater.writing_bodies', true) IS DISTINCT FROM 'on')
      EXECUTE FUNCTION purge_published_entries_update();
  `,
  down: `
    DROP TRIGGER purge_published_entries_update ON published_entries;
    CREATE TRIGGER purge_published_entries_update AFTER UPDATE ON published_entries
      REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
      EXECUTE FUNCTION purge_published_entries_update();
    DROP TRIGGER drop_published_body ON published_entries;
    DROP FUNCTION drop_published_body();
    ALTER TABLE published_entries DROP COLUMN body;
  `,
};
