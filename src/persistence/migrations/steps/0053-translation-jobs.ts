import { grant, tenantWall, type Migration } from './migration.js';

/** Exports and imports of several translations, and the outcome of each of their files (rule translations/archives). */
export const translationJobs: Migration = {
  name: '0053-translation-jobs',
  up: `
    CREATE TABLE translation_jobs (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('export', 'import')),
      status text NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed')),
      options jsonb NOT NULL,
      total integer NOT NULL,
      done integer NOT NULL DEFAULT 0,
      failed integer NOT NULL DEFAULT 0,
      size bigint,
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
    COMMENT ON COLUMN translation_jobs.size IS 'Bytes of the archive.';
    COMMENT ON COLUMN translation_jobs.lease_id IS 'Of the process that works on it; each claim has a new one.';
    COMMENT ON COLUMN translation_jobs.due_at IS 'When a process may claim it: of a running job, when its lease ends.';
    CREATE INDEX translation_jobs_due ON translation_jobs (due_at, id) WHERE status IN ('queued', 'running');
    CREATE INDEX translation_jobs_open ON translation_jobs (environment_id) WHERE status IN ('queued', 'running');
    CREATE INDEX translation_jobs_expired ON translation_jobs (expires_at);

    CREATE TABLE translation_job_files (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      job_id uuid NOT NULL,
      position integer NOT NULL,
      name text NOT NULL,
      entry_id uuid,
      locale text,
      status text NOT NULL CHECK (status IN ('waiting', 'done', 'failed')),
      code text,
      message text,
      units jsonb,
      PRIMARY KEY (environment_id, job_id, position),
      FOREIGN KEY (environment_id, job_id) REFERENCES translation_jobs (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN translation_job_files.units IS 'Number of units by outcome.';

    ${tenantWall('translation_jobs', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('translation_job_files')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'translation_jobs')}
    ${grant('SELECT, INSERT, UPDATE', 'translation_job_files')}
  `,
  down: 'DROP TABLE translation_job_files, translation_jobs;',
};
