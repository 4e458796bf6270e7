import type { Migration } from './migration.js';

/** Jobs that publish a release instead of an entry. */
export const releaseSchedules: Migration = {
  name: '0028-release-schedules',
  up: `
    ALTER TABLE scheduled_jobs ADD COLUMN release_id uuid, ALTER COLUMN entry_id DROP NOT NULL, ALTER COLUMN site_id DROP NOT NULL,
      ALTER COLUMN locale DROP NOT NULL, DROP CONSTRAINT scheduled_jobs_kind_check,
      ADD CONSTRAINT scheduled_jobs_kind_check CHECK (kind IN ('publish', 'unpublish', 'release')),
      ADD CONSTRAINT scheduled_jobs_subject CHECK (CASE WHEN kind = 'release' THEN release_id IS NOT NULL AND entry_id IS NULL
        ELSE release_id IS NULL AND entry_id IS NOT NULL AND site_id IS NOT NULL AND locale IS NOT NULL END),
      ADD FOREIGN KEY (environment_id, release_id) REFERENCES releases (environment_id, id) ON DELETE CASCADE;
    CREATE INDEX scheduled_jobs_release ON scheduled_jobs (environment_id, release_id) WHERE release_id IS NOT NULL;
  `,
  down: `
    ALTER TABLE scheduled_jobs NO FORCE ROW LEVEL SECURITY;
    DELETE FROM scheduled_jobs WHERE kind = 'release';
    ALTER TABLE scheduled_jobs FORCE ROW LEVEL SECURITY;
    ALTER TABLE scheduled_jobs DROP CONSTRAINT scheduled_jobs_subject, DROP CONSTRAINT scheduled_jobs_kind_check,
      DROP COLUMN release_id, ALTER COLUMN entry_id SET NOT NULL, ALTER COLUMN site_id SET NOT NULL, ALTER COLUMN locale SET NOT NULL,
      ADD CONSTRAINT scheduled_jobs_kind_check CHECK (kind IN ('publish', 'unpublish'));
  `,
};
