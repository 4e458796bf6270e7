import { bumpRevision, grant, tenantWall, type Migration } from './migration.js';

/**
 * Workflows with their history and approvals, comments with their mentions, and jobs with a due time. The table of jobs
 * decides; pg-boss, whose schema the service role uses, only says when to look. Due jobs are found before a tenant is
 * known, so platform work may read these rows, nothing else.
 */
export const editorial: Migration = {
  name: '0012-editorial',
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
      owner_key_id uuid,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id)
    );
    CREATE INDEX scheduled_jobs_calendar ON scheduled_jobs (environment_id, scheduled_at, id);
    CREATE INDEX scheduled_jobs_due ON scheduled_jobs (next_attempt_at, id) WHERE status = 'scheduled';
    CREATE INDEX scheduled_jobs_entry ON scheduled_jobs (environment_id, entry_id);
    CREATE INDEX scheduled_jobs_pending ON scheduled_jobs (environment_id, entry_id, locale) WHERE status = 'scheduled';
    COMMENT ON COLUMN scheduled_jobs.version IS 'The job fails unless the entry stands at this version when it runs.';
    COMMENT ON COLUMN scheduled_jobs.wall_time IS 'What a clock in the time zone shows at scheduled_at.';
    COMMENT ON COLUMN scheduled_jobs.owner_key_id IS 'The key that made or moved it. It does not run once the key is expired or revoked. Null: a user''s.';

    CREATE TABLE workflows (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      slug text NOT NULL,
      name text NOT NULL,
      is_default boolean NOT NULL,
      content_type_ids uuid[] NOT NULL,
      site_ids uuid[] NOT NULL,
      enforcement text NOT NULL CHECK (enforcement IN ('advisory', 'strict')),
      per_locale boolean NOT NULL,
      base_state text NOT NULL,
      states jsonb NOT NULL,
      transitions jsonb NOT NULL,
      role_ids uuid[] NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT workflows_slug_key UNIQUE (environment_id, slug),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id)
    );
    CREATE UNIQUE INDEX workflows_default_key ON workflows (environment_id) WHERE is_default;
    COMMENT ON COLUMN workflows.base_state IS 'State of locales whose workflow_state is null.';
    COMMENT ON COLUMN workflows.role_ids IS 'Roles that states and transitions name.';

    CREATE TABLE workflow_history (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      id uuid NOT NULL,
      locale text NOT NULL,
      from_state text NOT NULL,
      to_state text NOT NULL,
      at timestamptz NOT NULL,
      by jsonb NOT NULL,
      comment text,
      approvals jsonb NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale, id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX workflow_history_time ON workflow_history (environment_id, at);
    COMMENT ON COLUMN workflow_history.locale IS 'Empty where the entry has one state for all locales.';

    CREATE TABLE workflow_approvals (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      from_state text NOT NULL,
      to_state text NOT NULL,
      user_id uuid NOT NULL,
      by jsonb NOT NULL,
      at timestamptz NOT NULL,
      version integer NOT NULL,
      comment text,
      PRIMARY KEY (environment_id, entry_id, locale, from_state, to_state, user_id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN workflow_approvals.version IS 'Version of the entry that was approved.';

    CREATE TABLE entry_comments (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      id uuid NOT NULL,
      parent_id uuid,
      text text NOT NULL,
      mentions uuid[] NOT NULL,
      field_id uuid,
      field_name text,
      locale text,
      range_from integer,
      range_to integer,
      quote text,
      author_id uuid,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      resolved_at timestamptz,
      resolved_by jsonb,
      block_id uuid,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE,
      FOREIGN KEY (environment_id, parent_id) REFERENCES entry_comments (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX entry_comments_anchors ON entry_comments (environment_id, entry_id) WHERE range_from IS NOT NULL;
    CREATE INDEX entry_comments_entry ON entry_comments (environment_id, entry_id, id);
    CREATE INDEX entry_comments_parent ON entry_comments (environment_id, parent_id) WHERE parent_id IS NOT NULL;
    COMMENT ON COLUMN entry_comments.field_name IS 'Name of the field when the comment was written.';
    COMMENT ON COLUMN entry_comments.range_from IS 'With a quote but without a range, the quoted text was deleted.';
    COMMENT ON COLUMN entry_comments.author_id IS 'Id of the user or key in created_by.';
    COMMENT ON COLUMN entry_comments.block_id IS 'The block of the entry that has the field.';

    CREATE TABLE comment_mentions (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      comment_id uuid NOT NULL,
      user_id uuid NOT NULL,
      is_open boolean NOT NULL,
      PRIMARY KEY (environment_id, comment_id, user_id),
      FOREIGN KEY (environment_id, comment_id) REFERENCES entry_comments (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX comment_mentions_user ON comment_mentions (environment_id, user_id, comment_id) WHERE is_open;
    COMMENT ON COLUMN comment_mentions.is_open IS 'Whether the thread is not resolved.';

    CREATE SCHEMA pgboss;
    GRANT USAGE ON SCHEMA pgboss TO headwater_service;
    ALTER DEFAULT PRIVILEGES IN SCHEMA pgboss GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO headwater_service;
    ALTER DEFAULT PRIVILEGES IN SCHEMA pgboss GRANT USAGE ON SEQUENCES TO headwater_service;

    ${bumpRevision('workflows', 'environment_id')}
    ${tenantWall('comment_mentions')}
    ${tenantWall('entry_comments')}
    CREATE POLICY due_jobs ON scheduled_jobs FOR SELECT
      USING (is_platform_work());
    ${tenantWall('scheduled_jobs')}
    ${tenantWall('workflow_approvals')}
    ${tenantWall('workflow_history')}
    ${tenantWall('workflows')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'workflows, workflow_approvals, entry_comments, comment_mentions')}
    ${grant('SELECT, INSERT, UPDATE', 'scheduled_jobs')}
    ${grant('SELECT, INSERT', 'workflow_history')}
  `,
  down: `
    DROP SCHEMA pgboss CASCADE;
    DROP TABLE comment_mentions, entry_comments, workflow_approvals, workflow_history, workflows, scheduled_jobs
      CASCADE;
  `,
};
