import { grant, tenantWall, type Migration } from './migration.js';

/** Triggers that raise the revision of the environments whose rows change. */
export const bump = (table: string, where: string): string =>
  (['INSERT', 'UPDATE', 'DELETE'] as const)
    .map(
      (verb) => `
    CREATE TRIGGER bump_revision_${verb.toLowerCase()} AFTER ${verb} ON ${table}
      REFERENCING ${verb === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION bump_revision_by_${where}();`,
    )
    .join('');

const bumpFunction = (column: string): string => `
    CREATE FUNCTION bump_revision_by_${column}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      UPDATE environment_heads SET revision = nextval('catalog_revision')
        WHERE ${column} IN (SELECT DISTINCT ${column} FROM changed);
      RETURN NULL;
    END $$;`;

/**
 * Sites, content types, fields, and a head row per environment. A head resolves a project's slug before a tenant is
 * known; triggers raise its `revision`, which invalidates caches, on every write path.
 */
export const contentModel: Migration = {
  name: '0003-content-model',
  up: `
    CREATE SEQUENCE catalog_revision;
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
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX environment_heads_key ON environment_heads (project_slug, environment_slug);
    CREATE INDEX environment_heads_tenant ON environment_heads (tenant_id);
    CREATE INDEX environment_heads_project ON environment_heads (project_id);

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
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT sites_slug_key UNIQUE (tenant_id, project_id, slug),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );

    CREATE TABLE content_types (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      api_name text NOT NULL,
      type_name text NOT NULL,
      name text NOT NULL,
      description text,
      display_field text,
      is_page boolean NOT NULL,
      is_block boolean NOT NULL,
      is_singleton boolean NOT NULL,
      is_localized boolean NOT NULL,
      workflow_slug text,
      slug_pattern text,
      preview_path text,
      schema_version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT content_types_api_name_key UNIQUE (environment_id, api_name),
      CONSTRAINT content_types_type_name_key UNIQUE (environment_id, type_name),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );

    CREATE TABLE fields (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      api_name text NOT NULL,
      name text NOT NULL,
      type text NOT NULL,
      description text,
      required boolean NOT NULL,
      localized boolean NOT NULL,
      "unique" boolean NOT NULL,
      is_list boolean NOT NULL,
      default_value jsonb,
      position integer NOT NULL,
      "group" text,
      hidden boolean NOT NULL,
      deprecated boolean NOT NULL,
      settings jsonb NOT NULL DEFAULT '{}',
      validations jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT fields_api_name_key UNIQUE (environment_id, content_type_id, api_name),
      FOREIGN KEY (environment_id, content_type_id) REFERENCES content_types (environment_id, id) ON DELETE CASCADE
    );

    CREATE FUNCTION keep_environment_heads() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO environment_heads (environment_id, tenant_id, tenant_slug, tenant_active, data_region,
          project_id, project_slug, project_name, environment_slug, is_default)
        SELECT NEW.id, NEW.tenant_id, t.slug, t.status = 'active', t.data_region,
            NEW.project_id, p.slug, p.name, NEW.slug, NEW.is_default
          FROM tenants t JOIN projects p ON p.tenant_id = t.id
          WHERE t.id = NEW.tenant_id AND p.id = NEW.project_id
        ON CONFLICT (environment_id) DO UPDATE SET environment_slug = excluded.environment_slug,
          is_default = excluded.is_default, revision = nextval('catalog_revision');
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

    ${bumpFunction('tenant_id')}
    ${bumpFunction('project_id')}
    ${bumpFunction('environment_id')}
    ${bump('locales', 'tenant_id')}
    ${bump('sites', 'project_id')}
    ${bump('content_types', 'environment_id')}
    ${bump('fields', 'environment_id')}

    ${tenantWall('sites')}
    ${tenantWall('content_types')}
    ${tenantWall('fields')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'sites, content_types, fields')}
    ${grant('SELECT', 'environment_heads')}
    GRANT SELECT ON environment_heads TO headwater_reader;
  `,
  down: `
    DROP TABLE fields, content_types, sites;
    DROP TRIGGER keep_heads ON tenants;
    DROP TRIGGER keep_heads ON environments;
    DROP TABLE environment_heads;
    DROP TRIGGER bump_revision_insert ON locales;
    DROP TRIGGER bump_revision_update ON locales;
    DROP TRIGGER bump_revision_delete ON locales;
    DROP FUNCTION bump_revision_by_environment_id(), bump_revision_by_project_id(), bump_revision_by_tenant_id(),
      copy_tenant_to_heads(), keep_environment_heads();
    DROP SEQUENCE catalog_revision;
  `,
};
