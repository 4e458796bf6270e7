import type { Migration } from './migration.js';

/** @param mark SQL of a notification's first word */
const notePurge = (mark: string): string => `
    CREATE OR REPLACE FUNCTION note_purge(tags text[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      mark text := ${mark};
      message text := mark;
      tag text;
    BEGIN
      IF cardinality(tags) = 0 OR current_setting('headwater.copying', true) = 'on' THEN RETURN; END IF;
      FOREACH tag IN ARRAY tags LOOP
        IF octet_length(message) + octet_length(tag) > 7000 THEN
          PERFORM pg_notify('headwater_purge', message);
          message := mark;
        END IF;
        message := message || ' ' || tag;
      END LOOP;
      PERFORM pg_notify('headwater_purge', message);
      PERFORM set_config('headwater.purge',
        coalesce(current_setting('headwater.purge', true), '') || ' ' || array_to_string(tags, ' '), true);
    END $$;`;

/**
 * Notifications begin with the mark of their write again: without it a process purged its own writes a second time,
 * and lost what it had cached since then.
 */
export const markedPurges: Migration = {
  name: '0068-purge-marks',
  up: notePurge("coalesce(current_setting('headwater.mark', true), '')"),
  down: notePurge("''"),
};
