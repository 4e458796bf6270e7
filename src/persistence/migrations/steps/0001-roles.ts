import type { Migration } from './migration.js';

const createRole = (name: string): string => `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${name}') THEN
      CREATE ROLE ${name} NOLOGIN NOSUPERUSER NOBYPASSRLS;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of the cluster was faster
  END $$;
  DO $$ BEGIN
    -- Since PostgreSQL 16, who creates a role may administer it but not work as it without this.
    EXECUTE format('GRANT ${name} TO %I', current_user);
  EXCEPTION WHEN insufficient_privilege THEN NULL; -- another owner's role: the start says whether it can be used
  END $$;
  GRANT USAGE ON SCHEMA public TO ${name};`;

/**
 * The owner migrates, `headwater_service` writes, `headwater_reader` reads the read model. Roles belong to the
 * cluster and may be used by other databases, so `down` keeps them.
 */
export const roles: Migration = {
  name: '0001-roles',
  up: `
    ${createRole('headwater_service')}
    ${createRole('headwater_reader')}
    CREATE FUNCTION current_tenant_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
      AS $$ SELECT nullif(current_setting('headwater.tenant_id', true), '')::uuid $$;
    CREATE FUNCTION is_platform_work() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
      AS $$ SELECT coalesce(current_setting('headwater.platform', true), '') = 'on' $$;
  `,
  down: `
    DROP FUNCTION is_platform_work();
    DROP FUNCTION current_tenant_id();
    REVOKE USAGE ON SCHEMA public FROM headwater_reader;
    REVOKE USAGE ON SCHEMA public FROM headwater_service;
  `,
};
