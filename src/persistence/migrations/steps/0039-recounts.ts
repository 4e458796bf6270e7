import { translationKeys } from './0035-translations.js';
import { countedLocales, entryCountKeys } from './0038-workflows.js';
import type { Migration } from './migration.js';

const documentKeys = 'environment_id, content_type_id, site_id, locale';
const slot = 'get_byte(uuid_send(entry_id), 15) & 15';

/** @param byEntry SQL of the counts of `translations` under '' by slot */
export const recountFunction = (byEntry: string): string => `
    CREATE OR REPLACE FUNCTION recount_environment(environment uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM environments WHERE id = environment) THEN RETURN; END IF;
      DELETE FROM entry_counts WHERE environment_id = environment;
      INSERT INTO entry_counts (${entryCountKeys}, slot, entries)
        SELECT ${entryCountKeys}, ${slot} AS slot, sum(step) FROM (${countedLocales('entry_locales', '1')}
          WHERE r.environment_id = environment) AS counted GROUP BY ${entryCountKeys}, slot;
      DELETE FROM published_counts WHERE environment_id = environment;
      INSERT INTO published_counts (${documentKeys}, slot, entries)
        SELECT ${documentKeys}, ${slot} AS slot, count(*) FROM published_entries WHERE environment_id = environment
          GROUP BY ${documentKeys}, slot;
      DELETE FROM translation_counts WHERE environment_id = environment;
      INSERT INTO translation_counts (${translationKeys}, slot, entries)
        SELECT ${translationKeys}, ${slot} AS slot, count(*) FROM translations WHERE environment_id = environment
          GROUP BY ${translationKeys}, slot
        UNION ALL${byEntry};
    END $$;`;

/** Each entry once per status of its translations. */
export const recountByStatus = `
        SELECT environment_id, is_deleted, '', status, content_type_id, site_id, ${slot} AS slot, count(DISTINCT entry_id)
          FROM translations WHERE environment_id = environment GROUP BY 1, 2, 3, 4, 5, 6, 7`;

/**
 * Counts an environment again, for `rebuild`. Only the owner writes counters; under row-level security it sees the rows
 * of the caller's tenant only.
 */
export const recounts: Migration = {
  name: '0039-recounts',
  up: recountFunction(recountByStatus),
  down: 'DROP FUNCTION recount_environment(uuid);',
};
