import type { Migration } from './migration.js';

/** A source may have a query, a target a query, a fragment or another host; what is gone has none (rule routing/redirect-targets). */
export const redirectTargets: Migration = {
  name: '0072-redirect-targets',
  up: `
    ALTER TABLE redirects
      ALTER COLUMN target DROP NOT NULL,
      ADD COLUMN query_match text NOT NULL DEFAULT 'ignore' CHECK (query_match IN ('ignore', 'exact', 'pass')),
      DROP CONSTRAINT redirects_status_check,
      ADD CONSTRAINT redirects_status_check CHECK (status IN (301, 302, 307, 308, 410)),
      ADD CONSTRAINT redirects_target_check CHECK ((target IS NULL) = (status = 410));
    GRANT SELECT (query_match) ON redirects TO headwater_reader;
    ALTER TABLE sites ADD COLUMN allowed_targets text[];
    COMMENT ON COLUMN sites.allowed_targets IS 'Hosts that redirects may lead to. Null: every host.';
  `,
  down: `
    ALTER TABLE sites DROP COLUMN allowed_targets;
    ALTER TABLE redirects NO FORCE ROW LEVEL SECURITY;
    DELETE FROM redirects WHERE status = 410;
    ALTER TABLE redirects FORCE ROW LEVEL SECURITY;
    ALTER TABLE redirects
      DROP CONSTRAINT redirects_target_check,
      DROP CONSTRAINT redirects_status_check,
      ADD CONSTRAINT redirects_status_check CHECK (status IN (301, 302, 307, 308)),
      DROP COLUMN query_match,
      ALTER COLUMN target SET NOT NULL;
  `,
};
