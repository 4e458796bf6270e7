import { grant, tenantWall, type Migration } from './migration.js';

/** Rows that name others before these; assets before what uses them, so that no use is counted again. */
export const emptiedTables = [
  'health_issues',
  'health_notes',
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
  'owned_blocks',
  'entries',
  'redirects',
];

const quoted = (tables: readonly string[]): string => tables.map((table) => `'${table}'`).join(', ');
/** The function that deletes rows of these tables. Migrations that add tables with the rows of an environment create it again. */
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
 * Copies and deletions of environments. An environment is deleted table by table: with the
 * rows of their entries, rows took milliseconds each, since the triggers of every table ran for each entry. What they keep
 * (counters, purges, the search queue, the journal) has no readers any more and goes with the environment.
 */
export const environments: Migration = {
  name: '0015-environments',
  up: `
    CREATE TABLE environment_jobs (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      project_slug text NOT NULL,
      environment_id uuid NOT NULL,
      environment_slug text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('copy', 'delete', 'promote', 'rollback')),
      copies_content boolean NOT NULL,
      done integer NOT NULL DEFAULT 0,
      total integer NOT NULL DEFAULT 0,
      attempts integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      details jsonb,
      PRIMARY KEY (tenant_id, environment_id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE environment_jobs IS 'One for each environment that is being created, deleted, promoted into or rolled back; done and total are steps.';
    COMMENT ON COLUMN environment_jobs.details IS 'Input of a promotion or rollback, and the roles of who asked for it.';

    CREATE TABLE environment_selections (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      project_id uuid NOT NULL,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      PRIMARY KEY (tenant_id, project_id, user_id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX environment_selections_environment ON environment_selections (tenant_id, environment_id);
    CREATE INDEX environment_selections_user ON environment_selections (user_id);

    CREATE FUNCTION selected_environment(wanted_user uuid, wanted_project text) RETURNS uuid LANGUAGE plpgsql AS $$
    DECLARE selected uuid;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      SELECT s.environment_id INTO selected FROM environment_selections s
        JOIN environment_heads h ON h.environment_id = s.environment_id AND h.project_slug = wanted_project
        WHERE s.user_id = wanted_user;
      PERFORM set_config('headwater.platform', '', true);
      RETURN selected;
    END $$;

    CREATE FUNCTION forget_environment(gone uuid) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    DECLARE derived text;
    BEGIN
      PERFORM FROM environments WHERE tenant_id = current_tenant_id() AND id = gone AND status = 'deleting' FOR UPDATE;
      IF NOT FOUND THEN RETURN false; END IF;
      -- Read models and counters have no tenant_id.
      FOR derived IN
        SELECT c.relname FROM pg_class c JOIN pg_attribute e ON e.attrelid = c.oid AND e.attname = 'environment_id'
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
          AND NOT EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'tenant_id')
      LOOP
        EXECUTE format('DELETE FROM %I WHERE environment_id = $1', derived) USING gone;
      END LOOP;
      DELETE FROM workflows WHERE environment_id = gone;
      DELETE FROM environments WHERE tenant_id = current_tenant_id() AND id = gone;
      RETURN true;
    END $$;
    COMMENT ON FUNCTION forget_environment IS 'Removes an environment whose content was deleted, and what is left of it.';

    CREATE FUNCTION analyze_content() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      ANALYZE search_documents, media_asset_tags, media_search, media_asset_locales, media_asset_versions, media_assets, published_media, published_entries, routes, tree_nodes, workflow_history, workflow_approvals, translations, translation_sources, unique_values, entry_links, scheduled_jobs, entry_publications, entry_versions, entry_locales, entries, redirects;
    END $$;
    COMMENT ON FUNCTION analyze_content IS 'Statistics for plans: an environment that they do not know seems to have no rows.';

    ${emptyEnvironment(emptiedTables)}
    COMMENT ON FUNCTION empty_environment IS
      'Deletes up to so many rows of an environment that is being deleted; returns how many. Nodes without children go first.';

    ${tenantWall('environment_jobs', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('environment_selections', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'environment_jobs, environment_selections')}
    REVOKE ALL ON FUNCTION forget_environment(uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION forget_environment(uuid) TO headwater_service;
    REVOKE ALL ON FUNCTION empty_environment(uuid, integer) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION empty_environment(uuid, integer) TO headwater_service;
    REVOKE ALL ON FUNCTION analyze_content() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION analyze_content() TO headwater_service;
  `,
  down: `
    DROP FUNCTION selected_environment, forget_environment, empty_environment, analyze_content CASCADE;
    DROP TABLE environment_selections, environment_jobs CASCADE;
  `,
};
