import { activityFunctions, activityTables, activityView, entryIdOfTarget } from './activity-sql.js';
import { grant, tenantWall, type Migration } from './migration.js';

export const entryByTarget = `LEFT JOIN entries n ON n.environment_id = e.environment_id AND n.id = ${entryIdOfTarget}`;

/** Roll-ups of reports: activity from audit records, and calls of API keys. */
export const reports: Migration = {
  name: '0056-reports',
  up: `
    ${activityTables}
    ${activityView(entryByTarget)}
    CREATE TABLE api_key_usage (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      api_key_id uuid NOT NULL,
      grain text NOT NULL CHECK (grain IN ('quarter', 'day')),
      start timestamptz NOT NULL,
      surface text NOT NULL,
      tool text NOT NULL,
      calls bigint NOT NULL,
      reads bigint NOT NULL,
      writes bigint NOT NULL,
      errors bigint NOT NULL,
      rate_limited bigint NOT NULL,
      last_at timestamptz NOT NULL,
      PRIMARY KEY (project_id, environment_id, grain, start, api_key_id, surface, tool)
    );
    COMMENT ON TABLE api_key_usage IS
      'Management operations called with a key, by quarter of an hour and by day in UTC. calls = reads + writes, which succeeded.';
    ${activityFunctions}
    ${tenantWall('activity_counts', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('api_key_usage', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT', 'activity_counts, activity_records, report_marks')}
    ${grant('SELECT, INSERT, UPDATE', 'api_key_usage')}
  `,
  down: `
    DROP FUNCTION prune_activity(), recount_activity(uuid, uuid), count_activity(bigint);
    DROP VIEW activity_records;
    DROP TABLE api_key_usage, report_marks, activity_counts;
  `,
};
