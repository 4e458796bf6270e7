import { grant, tenantWall, type Migration } from './migration.js';

/** The write model: entries, their locales, versions and links. */
export const entries: Migration = {
  name: '0004-entries',
  up: `
    CREATE TABLE entries (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      version integer NOT NULL,
      shared_fields jsonb NOT NULL,
      shared_hash text NOT NULL GENERATED ALWAYS AS (md5(shared_fields::text)) STORED,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      updated_by jsonb NOT NULL,
      deleted_at timestamptz,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, content_type_id) REFERENCES content_types (environment_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id),
      FOREIGN KEY (tenant_id, site_id) REFERENCES sites (tenant_id, id)
    );
    CREATE INDEX entries_updated ON entries (environment_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_created ON entries (environment_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_type_updated ON entries (environment_id, content_type_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
    CREATE INDEX entries_deleted ON entries (environment_id, deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
    CREATE INDEX entries_content_type ON entries (environment_id, content_type_id, site_id);
    CREATE INDEX entries_site ON entries (tenant_id, site_id);

    CREATE TABLE entry_locales (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      slug text NOT NULL,
      title text NOT NULL,
      fields jsonb NOT NULL,
      content_hash text NOT NULL GENERATED ALWAYS AS (md5(slug || chr(10) || fields::text)) STORED,
      published_content_hash text,
      published_shared_hash text,
      published_version integer,
      published_at timestamptz,
      first_published_at timestamptz,
      is_deleted boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX entry_locales_slug_key ON entry_locales (environment_id, site_id, content_type_id, locale, slug)
      WHERE NOT is_deleted;
    CREATE INDEX entry_locales_by_slug ON entry_locales (environment_id, locale, slug) WHERE NOT is_deleted;
    CREATE INDEX entry_locales_by_locale ON entry_locales (tenant_id, locale);

    CREATE TABLE entry_versions (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      version_num integer NOT NULL,
      locale text NOT NULL,
      change_type text NOT NULL,
      slug text NOT NULL,
      fields jsonb NOT NULL,
      shared_fields jsonb NOT NULL,
      changed_fields text[] NOT NULL,
      comment text,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (environment_id, entry_id, version_num, locale),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE entry_versions IS
      'Append-only. A row holds one locale after a change; the whole entry at version n is the newest row up to n of each locale.';

    CREATE TABLE entry_links (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      field_id uuid NOT NULL,
      target_id uuid NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale, field_id, target_id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE,
      FOREIGN KEY (environment_id, field_id) REFERENCES fields (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX entry_links_target ON entry_links (environment_id, target_id);
    COMMENT ON COLUMN entry_links.locale IS 'Empty for fields that are the same in every locale.';

    ${tenantWall('entries')}
    ${tenantWall('entry_locales')}
    ${tenantWall('entry_versions')}
    ${tenantWall('entry_links')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'entries, entry_locales, entry_links')}
    ${grant('SELECT, INSERT', 'entry_versions')}
  `,
  down: 'DROP TABLE entry_links, entry_versions, entry_locales, entries;',
};
