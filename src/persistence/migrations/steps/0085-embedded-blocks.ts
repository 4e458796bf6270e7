import { historyFunctions } from './embedded-blocks-history.js';
import { journalFunctions } from './embedded-blocks-journal.js';
import { planFunctions, planTables } from './embedded-blocks-plan.js';
import { rowFunctions } from './embedded-blocks-rows.js';
import { valueFunctions, valueTables } from './embedded-blocks-values.js';
import type { Migration } from './migration.js';

/** Entries whose blocks one transaction embeds: writers of their project wait for it. */
const OWNERS_AT_ONCE = 50;
/** A project that is written to while it is migrated is planned again, to an end. */
const PLANS = 5;

const nextFunction = `
    CREATE OR REPLACE FUNCTION pg_temp.embed_next() RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_temp AS $f$
    DECLARE
      next record;
      chosen integer;
    BEGIN
      SELECT tenant_id, project_id, environment_id, (array_agg(id))[1:${OWNERS_AT_ONCE}] AS owners INTO next
        FROM embedding_owners GROUP BY 1, 2, 3 LIMIT 1;
      IF FOUND THEN
        PERFORM set_config('headwater.tenant_id', next.tenant_id::text, true),
          pg_advisory_xact_lock(hashtextextended('project:' || next.project_id, 0));
        chosen := pg_temp.embed_blocks(next.tenant_id, next.environment_id, next.owners);
        DELETE FROM embedding_owners WHERE environment_id = next.environment_id AND id = ANY (next.owners);
        IF chosen < cardinality(next.owners) THEN
          UPDATE embedding_projects SET is_planned = false WHERE project_id = next.project_id AND plans < ${PLANS};
        END IF;
        RETURN true;
      END IF;
      UPDATE embedding_projects p SET is_planned = true, plans = p.plans + 1 WHERE p.project_id = (
        SELECT project_id FROM embedding_projects WHERE NOT is_planned LIMIT 1) RETURNING * INTO next;
      IF NOT FOUND THEN RETURN false; END IF;
      PERFORM set_config('headwater.tenant_id', next.tenant_id::text, true);
      PERFORM pg_temp.plan_blocks(next.tenant_id, next.project_id);
      RETURN true;
    END $f$;`;

/**
 * Blocks were separate entries. Those that one entry holds become part of it, with their ids, drafts and what is published
 * of them (rule entries/own-blocks). They stay entries, shared blocks, where several entries hold them, where they are linked in
 * another way, or where something of theirs would be lost: a place in a tree, a schedule, a task, a locale that the entry lacks.
 */
export const embeddedBlocks: Migration = {
  name: '0085-embedded-blocks',
  batches: {
    prepare: [
      planTables,
      valueTables,
      valueFunctions,
      planFunctions,
      historyFunctions,
      journalFunctions,
      rowFunctions,
      nextFunction,
    ].join('\n'),
    next: 'SELECT pg_temp.embed_next() AS "isUnfinished"',
  },
  up: 'SELECT 1;',
  // Blocks stay part of their entries: nothing says which of them were entries.
  down: 'SELECT 1;',
};
