import { grant, tenantWall, type Migration } from './migration.js';

/** Promotions, and the state from which later comparisons of what they promoted start (rule environments/comparison). */
export const promotions: Migration = {
  name: '0047-promotions',
  up: `
    CREATE TABLE promotions (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      source_environment text NOT NULL,
      environment_id uuid NOT NULL,
      comment text,
      summary jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN promotions.environment_id IS 'The target, which was changed.';
    CREATE INDEX promotions_environment ON promotions (environment_id, created_at DESC);

    CREATE TABLE environment_bases (
      tenant_id uuid NOT NULL,
      branch_id uuid NOT NULL,
      kind text NOT NULL,
      item_id uuid NOT NULL,
      part text NOT NULL,
      environment_id uuid NOT NULL,
      row json,
      rename_number bigint NOT NULL DEFAULT last_rename(),
      PRIMARY KEY (branch_id, kind, item_id, part),
      FOREIGN KEY (tenant_id, branch_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE environment_bases IS
      'Items of a branch and its base that were promoted: the state of the source at the time, which later comparisons start from.';
    COMMENT ON COLUMN environment_bases.environment_id IS 'The source, whose names the row uses.';

    ${tenantWall('promotions')}
    ${tenantWall('environment_bases')}
    ${grant('SELECT, INSERT', 'promotions')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'environment_bases')}

  `,
  down: 'DROP TABLE environment_bases, promotions;',
};
