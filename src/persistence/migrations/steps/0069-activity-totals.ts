import { activityKeys, countFunctions, countsByActor } from './activity-sql.js';
import { grant, type Migration } from './migration.js';

const grains = (names: string): string => `
    ALTER TABLE activity_counts DROP CONSTRAINT activity_counts_grain_check;
    ALTER TABLE activity_counts ADD CONSTRAINT activity_counts_grain_check CHECK (grain IN (${names}));`;

/** `CREATE OR REPLACE` resets the settings of a function. */
const withPlans = (functions: string): string => `${functions}
    ALTER FUNCTION count_activity(bigint) SET plan_cache_mode = force_custom_plan;
    ALTER FUNCTION recount_activity(uuid, uuid) SET plan_cache_mode = force_custom_plan;`;

/** @param start SQL of the start in the coarser grain */
const addTotals = ({ grain, of, start }: Record<'grain' | 'of' | 'start', string>): string => `
    INSERT INTO activity_counts (tenant_id, ${activityKeys}, events, last_at)
      SELECT tenant_id, project_id, environment_id, '${grain}', ${start}, action, actor_type, '', '', site_id, locale, content_type_id,
        sum(events), max(last_at)
      FROM activity_counts WHERE grain = '${of}' GROUP BY 1, 2, 3, 5, 6, 7, 10, 11, 12;`;

const unforced = (work: string): string => `
    ALTER TABLE activity_counts NO FORCE ROW LEVEL SECURITY;
    ${work}
    ALTER TABLE activity_counts FORCE ROW LEVEL SECURITY;`;

/**
 * Counts by hour and by day without actors. Days of most time zones begin at full hours of UTC, not with its days: their
 * reports read all quarters of a period by actor.
 */
export const activityTotals: Migration = {
  name: '0069-activity-totals',
  up: `
    ${grains("'quarter', 'day', 'hour_total', 'day_total'")}
    COMMENT ON TABLE activity_counts IS
      'Audit records up to the number in report_marks: by quarter of an hour and by day, and by hour and by day without actor and interface, in UTC. All zeros and empty: none.';
    CREATE VIEW activity_counted WITH (security_invoker = true) AS
      SELECT r.number, r.at, r.chain_id, r.tenant_id, r.project_id, r.environment_id, g.grain, g.start, r.action, r.actor_type,
        g.actor_id, g.interface, r.site_id, r.locale, r.content_type_id
      FROM activity_records r CROSS JOIN LATERAL (VALUES
        ('quarter', r.start, r.actor_id, r.interface), ('day', date_bin('1 day', r.at, 'epoch'), r.actor_id, r.interface),
        ('hour_total', date_bin('1 hour', r.at, 'epoch'), '', ''), ('day_total', date_bin('1 day', r.at, 'epoch'), '', ''))
        AS g (grain, start, actor_id, interface);
    COMMENT ON VIEW activity_counted IS 'Audit records, once for each count that they belong to.';
    ${grant('SELECT', 'activity_counted')}
    ${withPlans(countFunctions({ from: 'activity_counted r', alias: 'r' }))}
    ${unforced(
      addTotals({ grain: 'hour_total', of: 'quarter', start: "date_bin('1 hour', start, 'epoch')" }) +
        addTotals({ grain: 'day_total', of: 'day', start: 'start' }),
    )}
  `,
  down: `
    ${withPlans(countFunctions(countsByActor))}
    DROP VIEW activity_counted;
    ${unforced("DELETE FROM activity_counts WHERE grain IN ('hour_total', 'day_total');")}
    ${grains("'quarter', 'day'")}
  `,
};
