import { replacePurge } from '../../purge-triggers.js';
import { documentPurge } from './0022-purges.js';
import type { Migration } from './migration.js';

/** The update wrote missing texts, which say what the values say, and nothing else. */
export const onlyMissingTexts = `NOT EXISTS (SELECT FROM removed WHERE body IS NOT NULL) AND NOT EXISTS (
        SELECT FROM added a JOIN removed r USING (environment_id, entry_id, locale)
        WHERE to_jsonb(a) - 'body' IS DISTINCT FROM to_jsonb(r) - 'body')`;

const renamed = (from: string, to: string): string => `
    ALTER TRIGGER ${from} ON published_entries RENAME TO ${to};
    ALTER FUNCTION ${from}() RENAME TO ${to};`;

/**
 * Neither form of a published document changes without the other: a text is removed when the values change without it,
 * and not written unless it says what they say. What an update purges depends on the rows alone. An
 * apply of a schema notes which versions were before it.
 */
export const publishedTexts: Migration = {
  name: '0070-published-texts',
  up: `
    ${renamed('drop_published_body', 'drop_outdated_text')}

    CREATE FUNCTION published_values(body text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ('{' || replace(substr(body, strpos(body, chr(10)) + 1), chr(10), ',') || '}')::jsonb;

    CREATE FUNCTION refuse_other_text() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF published_values(NEW.body) IS DISTINCT FROM NEW.fields THEN NEW.body = NULL; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse_other_text BEFORE UPDATE OF body ON published_entries FOR EACH ROW
      WHEN (NEW.body IS DISTINCT FROM OLD.body AND NEW.fields IS NOT DISTINCT FROM OLD.fields AND NEW.body IS NOT NULL)
      EXECUTE FUNCTION refuse_other_text();

    ${replacePurge(documentPurge, 'UPDATE', onlyMissingTexts)}

    ALTER TABLE schema_applies ADD COLUMN rename_number bigint NOT NULL DEFAULT 0;
    COMMENT ON COLUMN schema_applies.rename_number IS
      'Versions with a lower number were written before the apply: its undo restores their values. 0: it restores none.';
  `,
  down: `
    ALTER TABLE schema_applies DROP COLUMN rename_number;
    ${replacePurge(documentPurge, 'UPDATE')}
    CREATE OR REPLACE TRIGGER purge_published_entries_update AFTER UPDATE ON published_entries
      REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT
      WHEN (current_setting('headwater.writing_bodies', true) IS DISTINCT FROM 'on')
      EXECUTE FUNCTION purge_published_entries_update();

    DROP TRIGGER refuse_other_text ON published_entries;
    DROP FUNCTION refuse_other_text();
    DROP FUNCTION published_values(text);
    ${renamed('drop_outdated_text', 'drop_published_body')}
  `,
};
