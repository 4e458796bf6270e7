import { entryByTarget } from './0056-reports.js';
import { activityView, entryIdOfTarget } from './activity-sql.js';
import type { Migration } from './migration.js';

/**
 * Row-level security admits no index for a comparison that reads JSON: each record read all entries of its environment.
 * A key that is computed first, in a subquery, is looked up by index.
 */
const entryByKey = `LEFT JOIN LATERAL (SELECT o.id, o.site_id, o.content_type_id
        FROM (SELECT ${entryIdOfTarget} AS id OFFSET 0) AS k JOIN entries o ON o.environment_id = e.environment_id AND o.id = k.id) AS n ON true`;

const functions = ['count_activity(bigint)', 'recount_activity(uuid, uuid)'];
const each = (change: string): string =>
  functions.map((name) => `ALTER FUNCTION ${name} ${change};`).join(' ');

/** Finds entries by key where activity is counted, also with plans of a connection that found the tables empty. */
export const activityEntries: Migration = {
  name: '0060-activity-entries',
  up: `${activityView(entryByKey)} ${each('SET plan_cache_mode = force_custom_plan')}`,
  down: `${activityView(entryByTarget)} ${each('RESET plan_cache_mode')}`,
};
