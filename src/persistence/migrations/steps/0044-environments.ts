import { grant, tenantWall, type Migration } from './migration.js';

const systemActor = '{"type": "system", "id": null, "name": "Headwater"}';

/** Heads make an environment reachable; one that is being created or deleted has none. */
const keepHeads = (
  isReachable: string,
  extra: { columns: string; values: string; updates: string },
): string => `
    CREATE OR REPLACE FUNCTION keep_environment_heads() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      IF NOT (${isReachable}) THEN
        DELETE FROM environment_heads WHERE environment_id = NEW.id;
        RETURN NULL;
      END IF;
      INSERT INTO environment_heads (environment_id, tenant_id, tenant_slug, tenant_active, data_region,
          project_id, project_slug, project_name, environment_slug, is_default${extra.columns})
        SELECT NEW.id, NEW.tenant_id, t.slug, t.status = 'active', t.data_region,
            NEW.project_id, p.slug, p.name, NEW.slug, NEW.is_default${extra.values}
          FROM tenants t JOIN projects p ON p.tenant_id = t.id
          WHERE t.id = NEW.tenant_id AND p.id = NEW.project_id
        ON CONFLICT (environment_id) DO UPDATE SET environment_slug = excluded.environment_slug,
          is_default = excluded.is_default${extra.updates}, revision = nextval('catalog_revision');
      RETURN NULL;
    END $$;`;

/** Rows that are copied have no readers yet, so they purge nothing. */
const notePurge = (guard: string): string => `
    CREATE OR REPLACE FUNCTION note_purge(tags text[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      message text := '';
      tag text;
    BEGIN
      IF cardinality(tags) = 0${guard} THEN RETURN; END IF;
      FOREACH tag IN ARRAY tags LOOP
        IF octet_length(message) + octet_length(tag) > 7000 THEN
          PERFORM pg_notify('headwater_purge', message);
          message := '';
        END IF;
        message := message || ' ' || tag;
      END LOOP;
      PERFORM pg_notify('headwater_purge', message);
      PERFORM set_config('headwater.purge',
        coalesce(current_setting('headwater.purge', true), '') || ' ' || array_to_string(tags, ' '), true);
    END $$;`;

/**
 * Environments that are created from others and deleted in the background, and the choice of one by users and keys.
 * Jobs are found before a tenant is known, so platform work may see them.
 */
export const environments: Migration = {
  name: '0044-environments',
  up: `
    ALTER TABLE environments
      ADD COLUMN description text,
      ADD COLUMN status text NOT NULL DEFAULT 'ready'
        CONSTRAINT environments_status CHECK (status IN ('creating', 'ready', 'promoting', 'failed', 'deleting')),
      ADD COLUMN base_environment_id uuid,
      ADD COLUMN created_by jsonb NOT NULL DEFAULT '${systemActor}';
    COMMENT ON COLUMN environments.base_environment_id IS 'The one it was copied from, which may be gone.';

    ALTER TABLE environment_heads ADD COLUMN is_protected boolean NOT NULL DEFAULT false;
    ALTER TABLE environments NO FORCE ROW LEVEL SECURITY;
    UPDATE environment_heads h SET is_protected = true FROM environments e WHERE e.id = h.environment_id AND e.is_protected;
    ALTER TABLE environments FORCE ROW LEVEL SECURITY;
    ${keepHeads("NEW.status IN ('ready', 'promoting')", {
      columns: ', is_protected',
      values: ', NEW.is_protected',
      updates: ', is_protected = excluded.is_protected',
    })}

    CREATE TABLE environment_jobs (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      project_slug text NOT NULL,
      environment_id uuid NOT NULL,
      environment_slug text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('copy', 'delete')),
      copies_content boolean NOT NULL,
      done integer NOT NULL DEFAULT 0,
      total integer NOT NULL DEFAULT 0,
      attempts integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, environment_id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE environment_jobs IS 'One for each environment that is being created or deleted; done and total are steps.';
    ${tenantWall('environment_jobs', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'environment_jobs')}

    ALTER TABLE api_keys DROP CONSTRAINT api_keys_tenant_id_environment_id_fkey,
      ADD COLUMN selected_environment_id uuid,
      ADD CONSTRAINT api_keys_selection_fkey FOREIGN KEY (tenant_id, selected_environment_id)
        REFERENCES environments (tenant_id, id) ON DELETE SET NULL (selected_environment_id);
    COMMENT ON COLUMN api_keys.environment_id IS 'Stays when the environment is deleted, so that the key never reaches another.';
    CREATE INDEX api_keys_selection ON api_keys (tenant_id, selected_environment_id) WHERE selected_environment_id IS NOT NULL;

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
    ${tenantWall('environment_selections', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'environment_selections')}
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

    ${notePurge(" OR current_setting('headwater.copying', true) = 'on'")}
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
    REVOKE EXECUTE ON FUNCTION forget_environment FROM PUBLIC;
    ${grant('EXECUTE', 'FUNCTION forget_environment(uuid)')}
    COMMENT ON FUNCTION forget_environment IS 'Removes an environment whose content was deleted, and what is left of it.';
  `,
  down: `
    DROP FUNCTION forget_environment(uuid);
    ${notePurge('')}
    DROP FUNCTION selected_environment(uuid, text);
    DROP TABLE environment_selections, environment_jobs;
    DROP INDEX api_keys_selection;
    ALTER TABLE api_keys DROP COLUMN selected_environment_id,
      ADD CONSTRAINT api_keys_tenant_id_environment_id_fkey FOREIGN KEY (tenant_id, environment_id)
        REFERENCES environments (tenant_id, id) NOT VALID;
    ${keepHeads('true', { columns: '', values: '', updates: '' })}
    ALTER TABLE environment_heads DROP COLUMN is_protected;
    ALTER TABLE environments DROP COLUMN status, DROP COLUMN description, DROP COLUMN base_environment_id, DROP COLUMN created_by;
  `,
};
