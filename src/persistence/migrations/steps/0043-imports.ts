import { grant, tenantWall, type Migration } from './migration.js';

export const imports: Migration = {
  name: '0043-imports',
  up: `
    CREATE TABLE import_jobs (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      status text NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed', 'canceled')),
      options jsonb NOT NULL,
      mapping text,
      size bigint NOT NULL,
      progress jsonb NOT NULL DEFAULT '{"done": 0, "total": 0}',
      report jsonb NOT NULL DEFAULT '{"counts": [], "losses": [], "lossCount": 0, "failed": 0, "conflicts": 0}',
      error jsonb,
      attempts integer NOT NULL DEFAULT 0,
      lease_id uuid,
      due_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      completed_at timestamptz,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX import_jobs_due ON import_jobs (due_at, id) WHERE status IN ('queued', 'running');
    CREATE INDEX import_jobs_expired ON import_jobs (expires_at);
    COMMENT ON COLUMN import_jobs.mapping IS 'YAML; written by a dry run without one.';
    COMMENT ON COLUMN import_jobs.size IS 'Bytes of the file.';
    COMMENT ON COLUMN import_jobs.lease_id IS 'Of the process that works on it; each claim has a new one.';
    COMMENT ON COLUMN import_jobs.due_at IS 'When a process may claim it: of a running job, when its lease ends.';
    ${tenantWall('import_jobs', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'import_jobs')}
  `,
  down: 'DROP TABLE import_jobs;',
};
