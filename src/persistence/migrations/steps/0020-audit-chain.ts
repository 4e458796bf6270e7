import { grant, tenantWall, type Migration } from './migration.js';

const REFUSAL = 'audit records cannot be changed or deleted';

/** Rejects every change except retention's deletion of rows older than 400 days. */
const guard = (table: 'audit_events' | 'audit_blocks', writtenAt: string): string => `
  CREATE FUNCTION guard_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_setting('headwater.audit_retention', true) = 'on'
      AND OLD.${writtenAt} < now() - interval '400 days' THEN RETURN OLD;
    END IF;
    RAISE EXCEPTION '${REFUSAL}' USING ERRCODE = 'insufficient_privilege';
  END $$;`;

const refuse = (table: string, how: string): string => `
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${how};
  CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;

/**
 * Seals audit records: one chain per project, per tenant and for the platform. Records are numbered as they are
 * written; later a job seals a range of numbers into a block per chain, whose hash covers them and the previous
 * block. Writers wait for neither. Numbers survive a dump, transaction ids do not.
 */
export const auditChain: Migration = {
  name: '0020-audit-chain',
  up: `
    CREATE SEQUENCE audit_number;
    CREATE FUNCTION next_audit_number() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
    BEGIN PERFORM pg_current_xact_id(); RETURN nextval('audit_number'); END $$;

    ALTER TABLE audit_events
      ADD COLUMN number bigint NOT NULL DEFAULT next_audit_number(),
      ADD COLUMN project_slug text,
      ADD COLUMN environment text,
      ADD COLUMN chain_id uuid NOT NULL GENERATED ALWAYS AS
        (coalesce(project_id, tenant_id, '00000000-0000-0000-0000-000000000000')) STORED;
    DROP INDEX audit_events_tenant;
    CREATE UNIQUE INDEX audit_events_number ON audit_events (number);
    CREATE INDEX audit_events_chain ON audit_events (chain_id, number);
    CREATE INDEX audit_events_time ON audit_events (chain_id, at, id);
    CREATE INDEX audit_events_target ON audit_events (chain_id, (target ->> 'id'), at, id);
    CREATE INDEX audit_events_target_type ON audit_events (chain_id, (target ->> 'type'), at, id);
    CREATE INDEX audit_events_actor ON audit_events (chain_id, (actor ->> 'id'), at, id);
    CREATE INDEX audit_events_action ON audit_events (chain_id, action, at, id);
    CREATE INDEX audit_events_interface ON audit_events (chain_id, (context ->> 'interface'), at, id)
      WHERE context ->> 'interface' <> 'management';

    CREATE FUNCTION audit_digest(e audit_events) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
      SELECT sha256(convert_to(jsonb_build_array(e.number, e.id, e.tenant_id, e.project_id, e.project_slug,
        e.environment_id, e.environment, e.site_id, e.locale, (extract(epoch FROM e.at) * 1000000)::bigint, e.action,
        e.actor, e.target, e.before, e.after, to_jsonb(e.changed_fields), e.context, e.metadata)::text, 'UTF8')) $$;

    CREATE TABLE audit_blocks (
      chain_id uuid NOT NULL,
      number bigint NOT NULL,
      tenant_id uuid,
      after_number bigint NOT NULL,
      to_number bigint NOT NULL CHECK (to_number > after_number),
      records integer NOT NULL,
      previous_hash bytea NOT NULL,
      hash bytea NOT NULL,
      sealed_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (chain_id, number),
      UNIQUE (chain_id, after_number)
    );
    CREATE INDEX audit_blocks_reach ON audit_blocks (to_number);
    CREATE INDEX audit_blocks_age ON audit_blocks (sealed_at, number);
    COMMENT ON TABLE audit_blocks IS 'Each seals the records of its chain from after_number (without) to to_number (with).';

    CREATE TABLE audit_prunings (
      chain_id uuid NOT NULL,
      tenant_id uuid,
      number bigint NOT NULL,
      to_number bigint NOT NULL,
      hash bytea NOT NULL,
      pruned_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (chain_id, number)
    );
    COMMENT ON TABLE audit_prunings IS 'The last block that retention took away from a chain: the next one goes on from it.';

    CREATE FUNCTION audit_block_hash(block audit_blocks, digests bytea) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
      SELECT sha256(block.previous_hash || convert_to(concat_ws(':', block.chain_id, block.number, block.after_number,
        block.to_number, block.records), 'UTF8') || digests) $$;

    CREATE FUNCTION audit_sealed_to() RETURNS bigint LANGUAGE plpgsql STABLE SECURITY DEFINER
      SET search_path = public, pg_temp AS $$
    DECLARE
      caller text := coalesce(current_setting('headwater.platform', true), '');
      reach bigint;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      SELECT greatest((SELECT max(to_number) FROM audit_blocks), (SELECT max(to_number) FROM audit_prunings), 0) INTO reach;
      PERFORM set_config('headwater.platform', caller, true);
      RETURN reach;
    END $$;

    DROP TRIGGER append_only ON audit_events;
    ${guard('audit_events', 'at')}
    ${guard('audit_blocks', 'sealed_at')}
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW EXECUTE FUNCTION guard_audit_events();
    ${refuse('audit_blocks', 'guard_audit_blocks()')}
    ${refuse('audit_prunings', 'refuse_change()')}

    CREATE FUNCTION prune_audit() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = public, pg_temp AS $$
    DECLARE
      caller text := coalesce(current_setting('headwater.platform', true), '');
      old record;
      gone bigint;
      pruned bigint := 0;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true), set_config('headwater.audit_retention', 'on', true);
      FOR old IN
        SELECT DISTINCT ON (chain_id) chain_id, tenant_id, number, to_number, hash FROM (
          SELECT * FROM audit_blocks b WHERE sealed_at < now() - interval '400 days' AND NOT EXISTS (
            SELECT FROM audit_events e WHERE e.chain_id = b.chain_id AND e.number <= b.to_number
              AND e.at >= now() - interval '400 days')
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
    COMMENT ON FUNCTION prune_audit() IS 'The only way by which records go: whole blocks, 400 days after they were sealed.';
    REVOKE EXECUTE ON FUNCTION prune_audit() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION prune_audit() TO headwater_service;

    ${tenantWall('audit_blocks', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('audit_prunings', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT', 'audit_blocks')}
    ${grant('SELECT', 'audit_prunings')}
    ${grant('SELECT', 'schema_migrations')}
    GRANT USAGE, SELECT ON SEQUENCE audit_number TO headwater_service;
  `,
  down: `
    DROP FUNCTION prune_audit(), audit_sealed_to(), audit_block_hash(audit_blocks, bytea), audit_digest(audit_events);
    DROP TABLE audit_prunings, audit_blocks;
    DROP TRIGGER append_only ON audit_events;
    DROP FUNCTION guard_audit_events(), guard_audit_blocks();
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
    REVOKE SELECT ON schema_migrations FROM headwater_service;
    DROP INDEX audit_events_time, audit_events_target, audit_events_target_type, audit_events_actor, audit_events_action,
      audit_events_interface, audit_events_chain, audit_events_number;
    ALTER TABLE audit_events DROP COLUMN chain_id, DROP COLUMN environment, DROP COLUMN project_slug, DROP COLUMN number;
    DROP FUNCTION next_audit_number();
    DROP SEQUENCE audit_number;
    CREATE INDEX audit_events_tenant ON audit_events (tenant_id, project_id, at DESC, id DESC);
  `,
};
