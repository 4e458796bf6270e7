import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Jobs with a due time. This table decides; pg-boss only says when to look. Due jobs are found before a tenant is
 * known, so platform work may read these rows, nothing else.
 */
export const schedules: Migration = {
  name: '0012-schedules',
  up: `
    CREATE TABLE scheduled_jobs (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('publish', 'unpublish')),
      entry_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      version integer,
      status text NOT NULL DEFAULT 'scheduled' CHECK (status IN ('scheduled', 'succeeded', 'failed', 'canceled')),
      scheduled_at timestamptz NOT NULL,
      timezone text NOT NULL,
      wall_time timestamp NOT NULL,
      options jsonb NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz NOT NULL,
      completed_at timestamptz,
      error jsonb,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id)
    );
    CREATE INDEX scheduled_jobs_due ON scheduled_jobs (next_attempt_at, id) WHERE status = 'scheduled';
    CREATE INDEX scheduled_jobs_pending ON scheduled_jobs (environment_id, entry_id, locale) WHERE status = 'scheduled';
    CREATE INDEX scheduled_jobs_entry ON scheduled_jobs (environment_id, entry_id);
    CREATE INDEX scheduled_jobs_calendar ON scheduled_jobs (environment_id, scheduled_at, id);
    COMMENT ON COLUMN scheduled_jobs.version IS 'The job fails unless the entry stands at this version when it runs.';
    COMMENT ON COLUMN scheduled_jobs.wall_time IS 'What a clock in the time zone shows at scheduled_at.';

    ${tenantWall('scheduled_jobs')}
    CREATE POLICY due_jobs ON scheduled_jobs FOR SELECT USING (is_platform_work());
    ${grant('SELECT, INSERT, UPDATE', 'scheduled_jobs')}

    CREATE SCHEMA pgboss;
    GRANT USAGE ON SCHEMA pgboss TO headwater_service;
    ALTER DEFAULT PRIVILEGES IN SCHEMA pgboss GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO headwater_service;
    ALTER DEFAULT PRIVILEGES IN SCHEMA pgboss GRANT USAGE ON SEQUENCES TO headwater_service;
  `,
  down: 'DROP SCHEMA pgboss CASCADE; DROP TABLE scheduled_jobs;',
};
