import { grant, tenantWall, type Migration } from './migration.js';

export const tenants: Migration = {
  name: '0002-tenants',
  up: `
    CREATE TABLE tenants (
      id uuid PRIMARY KEY,
      slug text NOT NULL CONSTRAINT tenants_slug_key UNIQUE,
      name text NOT NULL,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'deactivated')),
      default_locale text NOT NULL,
      data_region text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX tenants_updated ON tenants (updated_at DESC, id DESC);

    CREATE TABLE locales (
      tenant_id uuid NOT NULL REFERENCES tenants ON DELETE CASCADE,
      code text NOT NULL,
      name text NOT NULL,
      fallback_code text,
      is_active boolean NOT NULL DEFAULT true,
      position integer NOT NULL,
      PRIMARY KEY (tenant_id, code),
      CONSTRAINT locales_fallback_fkey FOREIGN KEY (tenant_id, fallback_code) REFERENCES locales (tenant_id, code)
        DEFERRABLE INITIALLY DEFERRED
    );

    CREATE TABLE projects (
      tenant_id uuid NOT NULL REFERENCES tenants,
      id uuid NOT NULL,
      slug text NOT NULL CONSTRAINT projects_slug_key UNIQUE,
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
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT environments_slug_key UNIQUE (tenant_id, project_id, slug),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    CREATE UNIQUE INDEX environments_default_key ON environments (tenant_id, project_id) WHERE is_default;

    CREATE TABLE users (
      id uuid PRIMARY KEY,
      tenant_id uuid REFERENCES tenants,
      email text NOT NULL,
      name text NOT NULL,
      password_hash text,
      is_super_admin boolean NOT NULL DEFAULT false,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'invited', 'suspended')),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE UNIQUE INDEX users_email_key ON users (lower(email));

    ${tenantWall('tenants', 'id', 'OR is_platform_work()')}
    ${tenantWall('locales', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('projects', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('environments')}
    ${tenantWall('users', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE', 'tenants, projects, environments, users')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'locales')}
  `,
  down: 'DROP TABLE users, environments, projects, locales, tenants;',
};
