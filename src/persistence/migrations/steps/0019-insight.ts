import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Roll-ups of reports: activity from audit records, and calls of API keys; custom reports; analyses of governance with the
 * issues that they found.
 */
export const insight: Migration = {
  name: '0019-insight',
  up: `
    CREATE TABLE governance_analyses (
      tenant_id uuid NOT NULL,
      environment_id uuid PRIMARY KEY,
      id uuid NOT NULL,
      status text NOT NULL CHECK (status IN ('running', 'completed', 'failed')),
      started_at timestamptz NOT NULL,
      stepped_at timestamptz NOT NULL,
      completed_at timestamptz,
      scans jsonb NOT NULL DEFAULT '{}',
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN governance_analyses.stepped_at IS 'Start of the last step. A running analysis whose step takes too long has died.';
    COMMENT ON COLUMN governance_analyses.scans IS 'By detector, what it has scanned up to.';

    CREATE TABLE governance_issues (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      detector text NOT NULL,
      severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
      status text NOT NULL CHECK (status IN ('open', 'acknowledged', 'resolved')),
      subject_type text NOT NULL,
      subject_id uuid NOT NULL,
      subject_name text NOT NULL,
      message text NOT NULL,
      evidence jsonb NOT NULL,
      fingerprint text NOT NULL,
      count integer NOT NULL,
      first_seen_at timestamptz NOT NULL,
      last_seen_at timestamptz NOT NULL,
      resolved_at timestamptz,
      resolved_by jsonb,
      note text,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT governance_issues_subject_key UNIQUE (environment_id, detector, subject_id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX governance_issues_first_seen ON governance_issues (environment_id, first_seen_at DESC, id DESC);
    CREATE INDEX governance_issues_last_seen ON governance_issues (environment_id, last_seen_at DESC, id DESC);
    CREATE INDEX governance_issues_open ON governance_issues (environment_id, detector, severity) WHERE status = 'open';
    CREATE INDEX governance_issues_subjects ON governance_issues (environment_id, subject_id);
    COMMENT ON COLUMN governance_issues.fingerprint IS 'Of the evidence: another one opens an acknowledged issue again.';

    CREATE TABLE activity_counts (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      grain text NOT NULL CHECK (grain IN ('quarter', 'day', 'hour_total', 'day_total')),
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
      PRIMARY KEY (project_id, environment_id, grain, start, action, actor_type, actor_id, interface, site_id, locale, content_type_id)
    );
    COMMENT ON TABLE activity_counts IS 'Audit records up to the number in report_marks: by quarter of an hour and by day, and by hour and by day without actor and interface, in UTC. All zeros and empty: none.';

    CREATE TABLE report_marks (
      name text PRIMARY KEY,
      number bigint NOT NULL
    );

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
    COMMENT ON TABLE api_key_usage IS 'Management operations called with a key, by quarter of an hour and by day in UTC. calls = reads + writes, which succeeded.';

    CREATE TABLE custom_reports (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      description text,
      source text NOT NULL,
      metrics jsonb NOT NULL,
      group_by text[] NOT NULL,
      filters jsonb NOT NULL,
      range jsonb,
      chart text NOT NULL,
      visibility text NOT NULL CHECK (visibility IN ('private', 'shared')),
      owner_id uuid NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    CREATE INDEX custom_reports_project ON custom_reports (tenant_id, project_id, updated_at DESC, id DESC);
    COMMENT ON COLUMN custom_reports.owner_id IS 'Id of the user or key in created_by.';

    CREATE VIEW activity_records WITH (security_invoker=true) AS
     SELECT e.number,
        e.at,
        e.id,
        e.chain_id,
        e.tenant_id,
        e.project_id,
        COALESCE(e.environment_id, '00000000-0000-0000-0000-000000000000'::uuid) AS environment_id,
        date_bin('00:15:00'::interval, e.at, '1970-01-01 00:00:00+00'::timestamp with time zone) AS start,
        e.action,
        COALESCE(e.actor ->> 'type'::text, ''::text) AS actor_type,
        COALESCE(e.actor ->> 'id'::text, ''::text) AS actor_id,
        COALESCE(e.context ->> 'interface'::text, ''::text) AS interface,
        COALESCE(e.site_id, n.site_id, '00000000-0000-0000-0000-000000000000'::uuid) AS site_id,
        COALESCE(e.locale, ''::text) AS locale,
        COALESCE(n.content_type_id, '00000000-0000-0000-0000-000000000000'::uuid) AS content_type_id,
        n.id AS entry_id,
        e.actor,
        e.target
       FROM audit_events e
         LEFT JOIN LATERAL ( SELECT o.id,
                o.site_id,
                o.content_type_id
               FROM ( SELECT
                            CASE
                                WHEN (e.target ->> 'type'::text) = 'entry'::text AND (e.target ->> 'id'::text) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text THEN (e.target ->> 'id'::text)::uuid
                                ELSE NULL::uuid
                            END AS id
                     OFFSET 0) k
                 JOIN entries o ON o.environment_id = e.environment_id AND o.id = k.id) n ON true
      WHERE e.project_id IS NOT NULL;

    CREATE VIEW activity_counted WITH (security_invoker=true) AS
     SELECT r.number,
        r.at,
        r.chain_id,
        r.tenant_id,
        r.project_id,
        r.environment_id,
        g.grain,
        g.start,
        r.action,
        r.actor_type,
        g.actor_id,
        g.interface,
        r.site_id,
        r.locale,
        r.content_type_id
       FROM activity_records r
         CROSS JOIN LATERAL ( VALUES ('quarter'::text,r.start,r.actor_id,r.interface), ('day'::text,date_bin('1 day'::interval, r.at, '1970-01-01 00:00:00+00'::timestamp with time zone),r.actor_id,r.interface), ('hour_total'::text,date_bin('01:00:00'::interval, r.at, '1970-01-01 00:00:00+00'::timestamp with time zone),''::text,''::text), ('day_total'::text,date_bin('1 day'::interval, r.at, '1970-01-01 00:00:00+00'::timestamp with time zone),''::text,''::text)) g(grain, start, actor_id, interface);
    COMMENT ON VIEW activity_counted IS 'Audit records, once for each count that they belong to.';

    CREATE FUNCTION count_activity(numbers bigint)
      RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
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
        
      INSERT INTO activity_counts AS c (tenant_id, project_id, environment_id, grain, start, action, actor_type, actor_id, interface, site_id, locale,
    content_type_id, events, last_at)
        SELECT r.tenant_id, r.project_id, r.environment_id, r.grain, r.start, r.action, r.actor_type, r.actor_id,
          r.interface, r.site_id, r.locale, r.content_type_id, count(*), max(r.at)
        FROM activity_counted r
        WHERE r.number > counted AND r.number <= reach AND r.tenant_id = owner GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 ORDER BY 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
      ON CONFLICT (project_id, environment_id, grain, start, action, actor_type, actor_id, interface, site_id, locale,
    content_type_id) DO UPDATE
        SET events = c.events + excluded.events, last_at = greatest(c.last_at, excluded.last_at);
      END LOOP;
      UPDATE report_marks SET number = reach WHERE name = 'activity';
      PERFORM set_config('headwater.platform', platform, true), set_config('headwater.tenant_id', tenant, true);
      RETURN reach - counted;
    END $$;

    CREATE FUNCTION recount_activity(project uuid, environment uuid)
      RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
    DECLARE
      counted bigint;
      since timestamptz := date_bin('1 day', now() - interval '390 days', 'epoch');
    BEGIN
      SELECT number INTO counted FROM report_marks WHERE name = 'activity' FOR UPDATE;
      IF counted IS NULL THEN RETURN; END IF;
      DELETE FROM activity_counts WHERE project_id = project AND environment_id = environment AND start >= since;
      
      INSERT INTO activity_counts AS c (tenant_id, project_id, environment_id, grain, start, action, actor_type, actor_id, interface, site_id, locale,
    content_type_id, events, last_at)
        SELECT r.tenant_id, r.project_id, r.environment_id, r.grain, r.start, r.action, r.actor_type, r.actor_id,
          r.interface, r.site_id, r.locale, r.content_type_id, count(*), max(r.at)
        FROM activity_counted r
        WHERE r.chain_id = project AND r.environment_id = environment AND r.number <= counted AND r.at >= since GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 ORDER BY 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
      ON CONFLICT (project_id, environment_id, grain, start, action, actor_type, actor_id, interface, site_id, locale,
    content_type_id) DO UPDATE
        SET events = c.events + excluded.events, last_at = greatest(c.last_at, excluded.last_at);
    END $$;
    COMMENT ON FUNCTION recount_activity IS 'Older counts stay: their records may have been pruned.';

    CREATE FUNCTION prune_activity() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE platform text := coalesce(current_setting('headwater.platform', true), '');
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      DELETE FROM activity_counts WHERE start < now() - interval '401 days';
      DELETE FROM api_key_usage WHERE start < now() - interval '401 days';
      PERFORM set_config('headwater.platform', platform, true);
    END $$;

    ${tenantWall('activity_counts', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('api_key_usage', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('custom_reports')}
    ${tenantWall('governance_analyses', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('governance_issues')}
    ${grant('SELECT', 'activity_counted, activity_records, activity_counts, report_marks')}
    ${grant('SELECT, INSERT, UPDATE', 'api_key_usage')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'governance_analyses, governance_issues, custom_reports')}
    REVOKE ALL ON FUNCTION count_activity(bigint) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION count_activity(bigint) TO headwater_service;
    REVOKE ALL ON FUNCTION recount_activity(uuid, uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION recount_activity(uuid, uuid) TO headwater_service;
    REVOKE ALL ON FUNCTION prune_activity() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION prune_activity() TO headwater_service;
  `,
  down: `
    DROP VIEW activity_records, activity_counted;
    DROP FUNCTION count_activity, recount_activity, prune_activity CASCADE;
    DROP TABLE custom_reports, api_key_usage, report_marks, activity_counts, governance_issues,
      governance_analyses CASCADE;
  `,
};
