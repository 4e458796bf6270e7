import type { Migration } from './migration.js';

/**
 * Every process collects hits of all tenants. A function with the owner's rights writes them, so that platform work
 * can change only these two columns; a fixed order of rows prevents deadlocks.
 */
export const redirectHits: Migration = {
  name: '0014-redirect-hits',
  up: `
    CREATE POLICY hits_counted ON redirects FOR ALL TO CURRENT_USER
      USING (is_platform_work()) WITH CHECK (is_platform_work());
    CREATE FUNCTION count_redirect_hits(gathered jsonb) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
      WITH hit AS MATERIALIZED (
        SELECT r.environment_id, r.id, h.count, h.at
        FROM jsonb_to_recordset(gathered) AS h ("environmentId" uuid, id uuid, count integer, at timestamptz)
          JOIN redirects r ON r.environment_id = h."environmentId" AND r.id = h.id
        ORDER BY r.environment_id, r.id FOR NO KEY UPDATE OF r)
      UPDATE redirects r SET hit_count = least(r.hit_count::bigint + hit.count, 2147483647), last_hit_at = greatest(r.last_hit_at, hit.at)
      FROM hit WHERE r.environment_id = hit.environment_id AND r.id = hit.id
    $$;
    REVOKE EXECUTE ON FUNCTION count_redirect_hits FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION count_redirect_hits TO headwater_service;
  `,
  down: `
    DROP FUNCTION count_redirect_hits;
    DROP POLICY hits_counted ON redirects;
  `,
};
