const NOWHERE = '00000000-0000-0000-0000-000000000000';

/** Columns that identify a count of activity, in the order in which all writers lock the rows. */
export const activityKeys = `project_id, environment_id, grain, start, action, actor_type, actor_id, interface, site_id, locale,
    content_type_id`;

export const entryIdOfTarget = `CASE
        WHEN e.target ->> 'type' = 'entry' AND e.target ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        THEN (e.target ->> 'id')::uuid END`;

/**
 * Audit records of projects with the columns that activity is counted by.
 * @param entry SQL that joins the entry of a record `e`, as `n`
 */
export const activityView = (entry: string): string => `
    CREATE OR REPLACE VIEW activity_records WITH (security_invoker = true) AS
      SELECT e.number, e.at, e.id, e.chain_id, e.tenant_id, e.project_id, coalesce(e.environment_id, '${NOWHERE}') AS environment_id,
        date_bin('15 minutes', e.at, 'epoch') AS start, e.action, coalesce(e.actor ->> 'type', '') AS actor_type,
        coalesce(e.actor ->> 'id', '') AS actor_id, coalesce(e.context ->> 'interface', '') AS interface,
        coalesce(e.site_id, n.site_id, '${NOWHERE}') AS site_id, coalesce(e.locale, '') AS locale,
        coalesce(n.content_type_id, '${NOWHERE}') AS content_type_id, n.id AS entry_id, e.actor, e.target
      FROM audit_events e ${entry}
      WHERE e.project_id IS NOT NULL;`;

/** Rows that a record `r` counts in. */
export interface CountedRows {
  readonly from: string;
  /** Prefix of the columns that differ between the rows. */
  readonly alias: string;
}

/** By quarter of an hour and by day. */
export const countsByActor: CountedRows = {
  from: `activity_records r CROSS JOIN LATERAL
          (VALUES ('quarter', r.start, r.actor_id, r.interface),
            ('day', date_bin('1 day', r.at, 'epoch'), r.actor_id, r.interface)) AS g (grain, start, actor_id, interface)`,
  alias: 'g',
};

/** Adds the records that the condition selects to the counts. */
const countRecords = ({ from, alias }: CountedRows, condition: string): string => `
      INSERT INTO activity_counts AS c (tenant_id, ${activityKeys}, events, last_at)
        SELECT r.tenant_id, r.project_id, r.environment_id, ${alias}.grain, ${alias}.start, r.action, r.actor_type, ${alias}.actor_id,
          ${alias}.interface, r.site_id, r.locale, r.content_type_id, count(*), max(r.at)
        FROM ${from}
        WHERE ${condition} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 ORDER BY 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
      ON CONFLICT (${activityKeys}) DO UPDATE
        SET events = c.events + excluded.events, last_at = greatest(c.last_at, excluded.last_at);`;

export const activityTables = `
    CREATE TABLE activity_counts (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      grain text NOT NULL CHECK (grain IN ('quarter', 'day')),
      start timestamptz NOT NULL,
      action text NOT NULL,
      actor_type text NOT NULL,
      actor_id text NOT NULL,
      interface text NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      content_type_id uuid NOT NULL,
      events bigint NOT NULL,
      last_at timestamptz NOT NULL,
      PRIMARY KEY (${activityKeys})
    );
    COMMENT ON TABLE activity_counts IS
      'Audit records up to the number in report_marks, by quarter of an hour and by day, both in UTC. All zeros and empty: none.';
    CREATE TABLE report_marks (name text PRIMARY KEY, number bigint NOT NULL);`;

/**
 * Sealed records are complete: no transaction can still write one with a lower number. So writers never wait for
 * counts, and each record is counted once.
 */
export const countFunctions = (rows: CountedRows): string => `
    CREATE OR REPLACE FUNCTION count_activity(numbers bigint) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = public, pg_temp AS $$
    DECLARE
      platform text := coalesce(current_setting('headwater.platform', true), '');
      tenant text := coalesce(current_setting('headwater.tenant_id', true), '');
      counted bigint;
      reach bigint;
      owner uuid;
    BEGIN
      INSERT INTO report_marks VALUES ('activity', 0) ON CONFLICT DO NOTHING;
      SELECT number INTO counted FROM report_marks WHERE name = 'activity' FOR UPDATE SKIP LOCKED;
      IF counted IS NULL THEN RETURN 0; END IF;
      reach := least(counted + numbers, audit_sealed_to());
      IF reach <= counted THEN RETURN 0; END IF;
      PERFORM set_config('headwater.platform', 'on', true);
      FOR owner IN SELECT DISTINCT tenant_id FROM audit_events
        WHERE number > counted AND number <= reach AND project_id IS NOT NULL
      LOOP
        PERFORM set_config('headwater.tenant_id', owner::text, true);
        ${countRecords(rows, 'r.number > counted AND r.number <= reach AND r.tenant_id = owner')}
      END LOOP;
      UPDATE report_marks SET number = reach WHERE name = 'activity';
      PERFORM set_config('headwater.platform', platform, true), set_config('headwater.tenant_id', tenant, true);
      RETURN reach - counted;
    END $$;

    CREATE OR REPLACE FUNCTION recount_activity(project uuid, environment uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = public, pg_temp AS $$
    DECLARE
      counted bigint;
      since timestamptz := date_bin('1 day', now() - interval '390 days', 'epoch');
    BEGIN
      SELECT number INTO counted FROM report_marks WHERE name = 'activity' FOR UPDATE;
      IF counted IS NULL THEN RETURN; END IF;
      DELETE FROM activity_counts WHERE project_id = project AND environment_id = environment AND start >= since;
      ${countRecords(rows, 'r.chain_id = project AND r.environment_id = environment AND r.number <= counted AND r.at >= since')}
    END $$;
    COMMENT ON FUNCTION recount_activity IS 'Older counts stay: their records may have been pruned.';`;

export const activityFunctions = `
    ${countFunctions(countsByActor)}

    CREATE FUNCTION prune_activity() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE platform text := coalesce(current_setting('headwater.platform', true), '');
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      DELETE FROM activity_counts WHERE start < now() - interval '401 days';
      DELETE FROM api_key_usage WHERE start < now() - interval '401 days';
      PERFORM set_config('headwater.platform', platform, true);
    END $$;
    REVOKE EXECUTE ON FUNCTION count_activity(bigint), recount_activity(uuid, uuid), prune_activity() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION count_activity(bigint), recount_activity(uuid, uuid), prune_activity() TO headwater_service;`;
