import { grant, type Migration } from './migration.js';

/** Rows that name others before these; assets before what uses them, so that no use is counted again. */
export const emptiedTables = [
  'search_documents',
  'media_asset_tags',
  'media_search',
  'media_asset_locales',
  'media_asset_versions',
  'media_assets',
  'published_media',
  'published_entries',
  'routes',
  'tree_nodes',
  'workflow_history',
  'workflow_approvals',
  'translations',
  'translation_sources',
  'unique_values',
  'entry_links',
  'scheduled_jobs',
  'entry_publications',
  'entry_versions',
  'entry_locales',
  'entries',
  'redirects',
];

const quoted = (tables: readonly string[]): string => tables.map((table) => `'${table}'`).join(', ');
const names = quoted(emptiedTables);

const guard = `WHEN ((current_setting(''headwater.deleting''::text, true) IS DISTINCT FROM ''on''::text)) `;

/** Creates the triggers again that run once per statement that deletes, with or without the guard. */
const recreateTriggers = (definition: string): string => `
    DO $$
    DECLARE
      kept record;
    BEGIN
      FOR kept IN
        SELECT t.tgname AS name, t.tgrelid::regclass AS relation, pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t
          WHERE t.tgrelid = ANY (ARRAY[${names}]::regclass[]) AND NOT t.tgisinternal
            -- 1: for each row, 8: on delete.
            AND t.tgtype & 9 = 8
      LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', kept.name, kept.relation);
        EXECUTE ${definition};
      END LOOP;
    END $$;`;

/** The function that deletes rows of these tables. */
export const emptyEnvironment = (tables: readonly string[]): string => `
    CREATE OR REPLACE FUNCTION empty_environment(gone uuid, batch integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
        SET search_path = public SET enable_nestloop = off AS $$
    DECLARE
      emptied text;
      deleted integer;
      total integer := 0;
    BEGIN
      PERFORM FROM environments WHERE tenant_id = current_tenant_id() AND id = gone AND status = 'deleting';
      IF NOT FOUND THEN RETURN 0; END IF;
      PERFORM set_config('headwater.copying', 'on', true), set_config('headwater.deleting', 'on', true);
      FOREACH emptied IN ARRAY ARRAY[${quoted(tables)}] LOOP
        LOOP
          EXECUTE format('DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT r.ctid FROM %1$I r WHERE r.environment_id = $1 %2$s LIMIT $2))',
              emptied, CASE WHEN emptied = 'tree_nodes' THEN 'AND NOT EXISTS (SELECT FROM tree_nodes c
                WHERE c.environment_id = r.environment_id AND c.parent_id = r.id)' END)
            USING gone, batch - total;
          GET DIAGNOSTICS deleted = ROW_COUNT;
          total := total + deleted;
          -- Nodes are deleted level by level.
          EXIT WHEN deleted = 0 OR total >= batch;
        END LOOP;
        EXIT WHEN total >= batch;
      END LOOP;
      PERFORM set_config('headwater.copying', '', true), set_config('headwater.deleting', '', true);
      RETURN total;
    END $$;`;

/**
 * Deletes the rows of an environment table by table. With the rows of their entries they took milliseconds each: the
 * triggers of every table ran for each entry. What they keep (counters, purges, the search queue, the journal) has no
 * readers any more and goes with the environment.
 */
export const environmentDeletion: Migration = {
  name: '0052-environment-deletion',
  up: `
    ${recreateTriggers(`replace(kept.definition, 'EXECUTE FUNCTION', '${guard}EXECUTE FUNCTION')`)}
    ${emptyEnvironment(emptiedTables)}
    COMMENT ON FUNCTION empty_environment IS
      'Deletes up to so many rows of an environment that is being deleted; returns how many. Nodes without children go first.';
    CREATE FUNCTION analyze_content() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      ANALYZE ${emptiedTables.join(', ')};
    END $$;
    COMMENT ON FUNCTION analyze_content IS
      'Statistics for plans: an environment that they do not know seems to have no rows.';
    REVOKE EXECUTE ON FUNCTION empty_environment, analyze_content FROM PUBLIC;
    ${grant('EXECUTE', 'FUNCTION empty_environment(uuid, integer), analyze_content()')}
  `,
  down: `
    DROP FUNCTION analyze_content();
    DROP FUNCTION empty_environment(uuid, integer);
    ${recreateTriggers(`replace(kept.definition, '${guard}', '')`)}
  `,
};
