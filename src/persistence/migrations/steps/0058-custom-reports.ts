import { grant, tenantWall, type Migration } from './migration.js';

/** Definitions; runs store nothing. */
export const customReports: Migration = {
  name: '0058-custom-reports',
  up: `
    CREATE TABLE custom_reports (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      description text,
      source text NOT NULL,
      metrics jsonb NOT NULL,
      group_by text[] NOT NULL,
      filters jsonb NOT NULL,
      range jsonb,
      chart text NOT NULL,
      visibility text NOT NULL CHECK (visibility IN ('private', 'shared')),
      owner_id uuid NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    COMMENT ON COLUMN custom_reports.owner_id IS 'Id of the user or key in created_by.';
    CREATE INDEX custom_reports_project ON custom_reports (tenant_id, project_id, updated_at DESC, id DESC);
    ${tenantWall('custom_reports')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'custom_reports')}
  `,
  down: 'DROP TABLE custom_reports;',
};
