import { bumpRevision, grant, tenantWall, type Migration } from './migration.js';

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

const bumpFunction = (column: string): string => `
    CREATE FUNCTION bump_revision_by_${column}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      UPDATE environment_heads SET revision = nextval('catalog_revision')
        WHERE ${column} IN (SELECT DISTINCT ${column} FROM changed);
      RETURN NULL;
    END $$;`;

/**
 * Tenants, their projects, sites, locales, environments and users; and a head row for each environment. The owner
 * migrates, `headwater_service` writes, `headwater_reader` reads the read model. Roles belong to the cluster and may be
 * used by other databases, so `down` keeps them.
 *
 * A head resolves a project's slug before a tenant is known. Triggers raise its `revision`, which invalidates caches, on
 * every write path.
 */
export const tenants: Migration = {
  name: '0001-tenants',
  up: `
    ${createRole('headwater_service')}
    ${createRole('headwater_reader')}
    GRANT SELECT ON schema_migrations TO headwater_service;
    CREATE SEQUENCE catalog_revision;
    CREATE TABLE tenants (
      id uuid PRIMARY KEY,
      slug text NOT NULL UNIQUE,
      name text NOT NULL,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deactivated')),
      default_locale text NOT NULL,
      data_region text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      limits jsonb NOT NULL DEFAULT '{}',
      mail_sender jsonb NOT NULL DEFAULT '{"name": null, "address": null, "replyTo": null}',
      require_second_factor boolean NOT NULL DEFAULT false
    );
    CREATE INDEX tenants_updated ON tenants (updated_at DESC, id DESC);

    CREATE TABLE locales (
      tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
      code text NOT NULL,
      name text NOT NULL,
      fallback_code text,
      is_active boolean NOT NULL DEFAULT true,
      "position" integer NOT NULL,
      PRIMARY KEY (tenant_id, code),
      CONSTRAINT locales_fallback_fkey FOREIGN KEY (tenant_id, fallback_code) REFERENCES locales (tenant_id, code) DEFERRABLE INITIALLY DEFERRED
    );

    CREATE TABLE projects (
      tenant_id uuid NOT NULL REFERENCES tenants,
      id uuid NOT NULL,
      slug text NOT NULL UNIQUE,
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id)
    );

    CREATE TABLE environments (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      slug text NOT NULL,
      name text NOT NULL,
      is_default boolean NOT NULL DEFAULT false,
      is_protected boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      description text,
      status text NOT NULL DEFAULT 'ready',
      base_environment_id uuid,
      created_by jsonb NOT NULL DEFAULT '{"id": null, "name": "Headwater", "type": "system"}',
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT environments_slug_key UNIQUE (tenant_id, project_id, slug),
      CONSTRAINT environments_status CHECK (status IN ('creating', 'ready', 'promoting', 'failed', 'deleting')),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    CREATE UNIQUE INDEX environments_default_key ON environments (tenant_id, project_id) WHERE is_default;
    COMMENT ON COLUMN environments.base_environment_id IS 'The one it was copied from, which may be gone.';

    CREATE TABLE users (
      id uuid PRIMARY KEY,
      tenant_id uuid REFERENCES tenants,
      email text NOT NULL,
      name text NOT NULL,
      password_hash text,
      is_super_admin boolean NOT NULL DEFAULT false,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'invited', 'suspended')),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      avatar_url text,
      last_active_at timestamptz,
      is_tenant_owner boolean NOT NULL DEFAULT false,
      language text,
      time_zone text,
      theme text CHECK (theme IN ('light', 'dark')),
      CONSTRAINT users_tenant_key UNIQUE (tenant_id, id)
    );
    CREATE UNIQUE INDEX users_email_key ON users (lower(email), tenant_id) NULLS NOT DISTINCT;

    CREATE TABLE environment_heads (
      environment_id uuid PRIMARY KEY,
      tenant_id uuid NOT NULL,
      tenant_slug text NOT NULL,
      tenant_active boolean NOT NULL,
      data_region text,
      project_id uuid NOT NULL,
      project_slug text NOT NULL,
      project_name text NOT NULL,
      environment_slug text NOT NULL,
      is_default boolean NOT NULL,
      revision bigint NOT NULL DEFAULT nextval('catalog_revision'),
      is_protected boolean NOT NULL DEFAULT false,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX environment_heads_key ON environment_heads (project_slug, environment_slug);
    CREATE INDEX environment_heads_project ON environment_heads (project_id);
    CREATE INDEX environment_heads_tenant ON environment_heads (tenant_id);

    CREATE TABLE sites (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      slug text NOT NULL,
      name text NOT NULL,
      description text,
      domain text,
      base_url text,
      default_locale text NOT NULL,
      locales text[] NOT NULL,
      locale_path_strategy text NOT NULL DEFAULT 'none' CHECK (locale_path_strategy IN ('prefix', 'none')),
      preview_url_template text,
      home_entry_id uuid,
      is_active boolean NOT NULL DEFAULT true,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      allowed_targets text[],
      required_locales text[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT sites_slug_key UNIQUE (tenant_id, project_id, slug),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    COMMENT ON COLUMN sites.allowed_targets IS 'Hosts that redirects may lead to. Null: every host.';
    COMMENT ON COLUMN sites.required_locales IS 'Empty: the default locale.';

    CREATE FUNCTION current_tenant_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT nullif(current_setting('headwater.tenant_id', true), '')::uuid $$;

    CREATE FUNCTION is_platform_work() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT coalesce(current_setting('headwater.platform', true), '') = 'on' $$;

    CREATE FUNCTION keep_environment_heads() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      IF NOT (NEW.status IN ('ready', 'promoting')) THEN
        DELETE FROM environment_heads WHERE environment_id = NEW.id;
        RETURN NULL;
      END IF;
      INSERT INTO environment_heads (environment_id, tenant_id, tenant_slug, tenant_active, data_region,
          project_id, project_slug, project_name, environment_slug, is_default, is_protected)
        SELECT NEW.id, NEW.tenant_id, t.slug, t.status = 'active', t.data_region,
            NEW.project_id, p.slug, p.name, NEW.slug, NEW.is_default, NEW.is_protected
          FROM tenants t JOIN projects p ON p.tenant_id = t.id
          WHERE t.id = NEW.tenant_id AND p.id = NEW.project_id
        ON CONFLICT (environment_id) DO UPDATE SET environment_slug = excluded.environment_slug,
          is_default = excluded.is_default, is_protected = excluded.is_protected, revision = nextval('catalog_revision');
      RETURN NULL;
    END $$;
    CREATE TRIGGER keep_heads AFTER INSERT OR UPDATE ON environments
      FOR EACH ROW EXECUTE FUNCTION keep_environment_heads();

    CREATE FUNCTION copy_tenant_to_heads() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      UPDATE environment_heads SET tenant_active = NEW.status = 'active', data_region = NEW.data_region,
        revision = nextval('catalog_revision') WHERE tenant_id = NEW.id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER keep_heads AFTER UPDATE ON tenants FOR EACH ROW EXECUTE FUNCTION copy_tenant_to_heads();

    ${['tenant_id', 'project_id', 'environment_id'].map(bumpFunction).join('')}

    ${bumpRevision('locales', 'tenant_id')}
    ${bumpRevision('sites', 'project_id')}
    ${tenantWall('environments')}
    ${tenantWall('locales', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('projects', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('sites')}
    ${tenantWall('tenants', 'id', 'OR is_platform_work()')}
    ${tenantWall('users', 'tenant_id', 'OR is_platform_work()')}
    GRANT SELECT ON environment_heads TO headwater_reader;
    ${grant('SELECT', 'environment_heads')}
    ${grant('SELECT, INSERT, UPDATE', 'tenants, projects, environments, users')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'locales, sites')}
  `,
  down: `
    DROP FUNCTION current_tenant_id, is_platform_work, keep_environment_heads, copy_tenant_to_heads,
      bump_revision_by_tenant_id, bump_revision_by_project_id, bump_revision_by_environment_id CASCADE;
    DROP TABLE sites, environment_heads, users, environments, projects, locales, tenants CASCADE;
    DROP SEQUENCE catalog_revision;
    REVOKE USAGE ON SCHEMA public FROM headwater_reader;
    REVOKE USAGE ON SCHEMA public FROM headwater_service;
  `,
};
