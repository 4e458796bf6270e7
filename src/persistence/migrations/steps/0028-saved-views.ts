import { grant, tenantWall, type Migration } from './migration.js';

/** At most one default per owner and resource. */
export const savedViews: Migration = {
  name: '0028-saved-views',
  up: `
    CREATE TABLE saved_views (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      resource text NOT NULL,
      filters jsonb NOT NULL,
      columns text[] NOT NULL,
      order_by text,
      visibility text NOT NULL CHECK (visibility IN ('private', 'shared')),
      is_default boolean NOT NULL,
      owner_id uuid NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    COMMENT ON COLUMN saved_views.owner_id IS 'Id of the user or key in created_by.';
    CREATE INDEX saved_views_project ON saved_views (tenant_id, project_id, updated_at DESC, id DESC);
    CREATE UNIQUE INDEX saved_views_default_key ON saved_views (tenant_id, project_id, owner_id, resource) WHERE is_default;
    ${tenantWall('saved_views')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'saved_views')}
  `,
  down: 'DROP TABLE saved_views;',
};
