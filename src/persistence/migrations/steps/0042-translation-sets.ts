import { translationCounters, translationKeys as keys, unwalledTranslations } from './0035-translations.js';
import { recountByStatus, recountFunction } from './0039-recounts.js';
import type { Migration } from './migration.js';

const entryKeys = 'environment_id, is_deleted, content_type_id, site_id, entry_id';
const slot = 'get_byte(uuid_send(entry_id), 15) & 15';
const setOf = "string_agg(status, ',' ORDER BY status)";

/** An entry leaves the set of statuses that its translations had before the statement, and enters the one of now. */
const bySet = `
        SELECT environment_id, is_deleted, '', side.statuses, content_type_id, site_id, entry_id, side.step
        FROM (SELECT ${entryKeys}, jsonb_object_agg(status, step) AS steps
            FROM (SELECT ${entryKeys}, status, sum(step) AS step FROM changed GROUP BY ${entryKeys}, status
              HAVING sum(step) <> 0) AS by_status GROUP BY ${entryKeys}) AS e
          CROSS JOIN LATERAL (SELECT ${setOf} FILTER (WHERE held > 0) AS now, ${setOf} FILTER (WHERE held > step) AS former
            FROM (SELECT status, sum(held) AS held, sum(step) AS step
              FROM (SELECT t.status, 1 AS held, 0 AS step FROM translations t WHERE t.environment_id = e.environment_id
                  AND t.entry_id = e.entry_id AND t.is_deleted = e.is_deleted
                UNION ALL SELECT key, 0, value::int FROM jsonb_each_text(e.steps)) AS rows GROUP BY status) AS counts) AS sets
          CROSS JOIN LATERAL (VALUES (sets.now, 1), (sets.former, -1)) AS side (statuses, step)
        WHERE sets.now IS DISTINCT FROM sets.former AND side.statuses IS NOT NULL`;

const recountBySet = (where: string): string => `
        SELECT environment_id, is_deleted, '', statuses, content_type_id, site_id, ${slot} AS slot, count(*)
          FROM (SELECT ${entryKeys}, string_agg(DISTINCT status, ',' ORDER BY status) AS statuses FROM translations
            ${where} GROUP BY ${entryKeys}) AS sets GROUP BY 1, 2, 3, 4, 5, 6, 7`;

const fill = (counts: string): string => `
    DELETE FROM translation_counts WHERE locale = '';
    ${unwalledTranslations(`INSERT INTO translation_counts (${keys}, slot, entries) ${counts};`)}`;

/**
 * Counts entries by the set of statuses of their translations, e.g. `complete,missing`, so that a total for several
 * statuses reads no translations.
 */
export const translationSets: Migration = {
  name: '0042-translation-sets',
  up: `
    LOCK TABLE translations IN SHARE ROW EXCLUSIVE MODE;
    ${translationCounters(bySet)}
    ${recountFunction(recountBySet('WHERE environment_id = environment'))}
    REVOKE EXECUTE ON FUNCTION recount_environment(uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION recount_environment(uuid) TO headwater_service;
    ${fill(recountBySet(''))}
    COMMENT ON COLUMN translation_counts.locale IS
      'Empty for entries, whose status is the sorted set of the statuses of their translations, separated by commas.';
  `,
  down: `
    LOCK TABLE translations IN SHARE ROW EXCLUSIVE MODE;
    ${translationCounters()}
    ${recountFunction(recountByStatus)}
    ${fill(recountByStatus.replace('WHERE environment_id = environment', ''))}
    COMMENT ON COLUMN translation_counts.locale IS 'Empty for entries that have a translation of the status in any locale.';
  `,
};
