import type { Migration } from './migration.js';

/** Retention of audit records is a setting, of at least the 400 days that the guards of the tables require. */
export const auditRetention: Migration = {
  name: '0041-audit-retention',
  up: `
    CREATE FUNCTION prune_audit(days integer) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
      caller text := coalesce(current_setting('headwater.platform', true), '');
      horizon timestamptz := now() - make_interval(days => greatest(days, 400));
      old record;
      gone bigint;
      pruned bigint := 0;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true), set_config('headwater.audit_retention', 'on', true);
      FOR old IN
        SELECT DISTINCT ON (chain_id) chain_id, tenant_id, number, to_number, hash FROM (
          SELECT * FROM audit_blocks b WHERE sealed_at < horizon AND NOT EXISTS (
            SELECT FROM audit_events e WHERE e.chain_id = b.chain_id AND e.number <= b.to_number AND e.at >= horizon)
          ORDER BY sealed_at, number LIMIT 50) due
        ORDER BY chain_id, number DESC
      LOOP
        DELETE FROM audit_events WHERE chain_id = old.chain_id AND number <= old.to_number;
        GET DIAGNOSTICS gone = ROW_COUNT;
        pruned := pruned + gone;
        INSERT INTO audit_prunings (chain_id, tenant_id, number, to_number, hash)
          VALUES (old.chain_id, old.tenant_id, old.number, old.to_number, old.hash);
        DELETE FROM audit_blocks WHERE chain_id = old.chain_id AND number <= old.number;
      END LOOP;
      PERFORM set_config('headwater.platform', caller, true), set_config('headwater.audit_retention', '', true);
      RETURN pruned;
    END $$;
    COMMENT ON FUNCTION prune_audit(integer) IS 'Deletes whole blocks, days after they were sealed. The release before calls it without days.';
    REVOKE ALL ON FUNCTION prune_audit(integer) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION prune_audit(integer) TO headwater_service;
  `,
  down: 'DROP FUNCTION prune_audit(integer);',
};
