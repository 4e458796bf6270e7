import type { Migration } from './migration.js';

const byEntry = 'get_byte(uuid_send(entry_id), 15) & 15';
const chosen = `coalesce(nullif(current_setting('headwater.count_slot', true), '')::int, ${byEntry})`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Rewrites the triggers that count entries, their translations and documents. */
const replaceSlot = (from: string, to: string): string => `
    DO $do$
    DECLARE definition text;
    BEGIN
      FOR definition IN SELECT pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prorettype = 'trigger'::regtype AND strpos(prosrc, ${quoted(from)}) > 0
      LOOP
        EXECUTE replace(definition, ${quoted(from)}, ${quoted(to)});
      END LOOP;
    END $do$;`;

/**
 * A transaction that writes many entries names one slot for all its counts. Spread over the slots of its entries it
 * would hold every slot of a type until its commit, and all other writers of the type would wait for it.
 */
export const countSlots: Migration = {
  name: '0059-count-slots',
  up: replaceSlot(byEntry, chosen),
  down: replaceSlot(chosen, byEntry),
};
