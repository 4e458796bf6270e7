import type { Migration } from './migration.js';

/** Promotions and rollbacks that continue in the background, and the outcome of each. */
export const promotionJobs: Migration = {
  name: '0054-promotion-jobs',
  up: `
    ALTER TABLE promotions ALTER COLUMN summary DROP NOT NULL,
      ADD COLUMN status text NOT NULL DEFAULT 'succeeded'
        CONSTRAINT promotions_status CHECK (status IN ('running', 'succeeded', 'failed', 'rolling_back', 'rolled_back')),
      ADD COLUMN error jsonb,
      ADD COLUMN applied_at timestamptz;
    COMMENT ON COLUMN promotions.error IS 'Why it failed, or why its last rollback did.';
    COMMENT ON COLUMN promotions.applied_at IS 'When the target was changed; its renames have this time.';
    ALTER TABLE promotions NO FORCE ROW LEVEL SECURITY;
    UPDATE promotions SET applied_at = created_at,
      status = CASE WHEN rolled_back_at IS NULL THEN 'succeeded' ELSE 'rolled_back' END;
    ALTER TABLE promotions FORCE ROW LEVEL SECURITY;

    ALTER TABLE environment_jobs DROP CONSTRAINT environment_jobs_kind_check,
      ADD CONSTRAINT environment_jobs_kind_check CHECK (kind IN ('copy', 'delete', 'promote', 'rollback')),
      ADD COLUMN details jsonb;
    COMMENT ON COLUMN environment_jobs.details IS 'Input of a promotion or rollback, and the roles of who asked for it.';
    COMMENT ON TABLE environment_jobs IS
      'One for each environment that is being created, deleted, promoted into or rolled back; done and total are steps.';
  `,
  down: `
    ALTER TABLE environment_jobs NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE promotions NO FORCE ROW LEVEL SECURITY;
    DELETE FROM environment_jobs WHERE kind IN ('promote', 'rollback');
    ALTER TABLE environment_jobs DROP CONSTRAINT environment_jobs_kind_check,
      ADD CONSTRAINT environment_jobs_kind_check CHECK (kind IN ('copy', 'delete')),
      DROP COLUMN details;
    DELETE FROM promotions WHERE summary IS NULL;
    ALTER TABLE promotions ALTER COLUMN summary SET NOT NULL, DROP COLUMN status, DROP COLUMN error, DROP COLUMN applied_at;
    ALTER TABLE environment_jobs FORCE ROW LEVEL SECURITY;
    ALTER TABLE promotions FORCE ROW LEVEL SECURITY;
  `,
};
