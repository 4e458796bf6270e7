import { grant, tenantWall, type Migration } from './migration.js';

/** Refuses every change but the deletion of rows that retention may delete, which are older than 400 days. */
const guard = (table: 'audit_events' | 'audit_blocks', writtenAt: string): string => `
    CREATE FUNCTION guard_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' AND current_setting('headwater.audit_retention', true) = 'on'
        AND OLD.${writtenAt} < now() - interval '400 days' THEN RETURN OLD;
      END IF;
      RAISE EXCEPTION 'audit records cannot be changed or deleted' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION guard_${table}();`;

/**
 * Audit records in a chain of hashes, outbox events, webhooks with their deliveries, and stored replies of repeated
 * requests. Sealed records are neither changed nor deleted but by `prune_audit`, which notes what it removed.
 */
export const records: Migration = {
  name: '0009-records',
  up: `
    CREATE SEQUENCE audit_number;
    CREATE FUNCTION next_audit_number() RETURNS bigint LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_current_xact_id(); RETURN nextval('audit_number'); END $$;

    CREATE TABLE audit_events (
      id uuid PRIMARY KEY,
      tenant_id uuid,
      project_id uuid,
      environment_id uuid,
      site_id uuid,
      locale text,
      at timestamptz NOT NULL,
      action text NOT NULL,
      actor jsonb NOT NULL,
      target jsonb NOT NULL,
      before jsonb,
      after jsonb,
      changed_fields text[] NOT NULL,
      context jsonb NOT NULL,
      metadata jsonb NOT NULL,
      number bigint NOT NULL DEFAULT next_audit_number(),
      project_slug text,
      environment text,
      chain_id uuid NOT NULL GENERATED ALWAYS AS (COALESCE(project_id, tenant_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED
    );
    CREATE INDEX audit_events_action ON audit_events (chain_id, action, at, id);
    CREATE INDEX audit_events_actor ON audit_events (chain_id, ((actor ->> 'id')), at, id);
    CREATE INDEX audit_events_chain ON audit_events (chain_id, number);
    CREATE INDEX audit_events_interface ON audit_events (chain_id, ((context ->> 'interface')), at, id) WHERE (context ->> 'interface') <> 'management';
    CREATE UNIQUE INDEX audit_events_number ON audit_events (number);
    CREATE INDEX audit_events_target ON audit_events (chain_id, ((target ->> 'id')), at, id);
    CREATE INDEX audit_events_target_type ON audit_events (chain_id, ((target ->> 'type')), at, id);
    CREATE INDEX audit_events_time ON audit_events (chain_id, at, id);

    CREATE TABLE outbox_events (
      id uuid PRIMARY KEY,
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      type text NOT NULL,
      payload jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX outbox_events_environment ON outbox_events (environment_id, created_at, id);

    CREATE TABLE webhooks (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL UNIQUE,
      name text NOT NULL,
      url text NOT NULL,
      events text[] NOT NULL,
      filters jsonb NOT NULL,
      headers jsonb NOT NULL,
      payload text NOT NULL CHECK (payload IN ('full', 'thin')),
      batch_window_seconds integer NOT NULL,
      enabled boolean NOT NULL,
      health text NOT NULL CHECK (health IN ('unknown', 'healthy', 'failing', 'disabled')),
      failing_since timestamptz,
      last_delivery_at timestamptz,
      secrets jsonb NOT NULL,
      secret_preview text NOT NULL,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      owner_key_id uuid,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    CREATE INDEX webhooks_project ON webhooks (tenant_id, project_id, updated_at DESC, id DESC);
    COMMENT ON COLUMN webhooks.headers IS 'The values of secret ones are encrypted.';
    COMMENT ON COLUMN webhooks.secrets IS 'Encrypted, the newest first; each but the first with the time of its end.';
    COMMENT ON COLUMN webhooks.owner_key_id IS 'The key that made it or changed its URL. It stops when the key is expired or revoked. Null: a user''s.';

    CREATE TABLE webhook_events (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      body json NOT NULL,
      request_id text,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id)
    );
    CREATE INDEX webhook_events_age ON webhook_events (created_at);
    COMMENT ON TABLE webhook_events IS 'What is sent of an event, once for all webhooks that are told of it.';
    COMMENT ON COLUMN webhook_events.request_id IS 'Of the call that made the change.';

    CREATE TABLE webhook_deliveries (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      webhook_id uuid NOT NULL,
      id uuid NOT NULL,
      event_type text NOT NULL,
      event_ids uuid[] NOT NULL,
      is_test boolean NOT NULL DEFAULT false,
      status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed')),
      attempts jsonb NOT NULL DEFAULT '[]',
      attempt_count integer NOT NULL DEFAULT 0,
      next_attempt_at timestamptz NOT NULL,
      claim uuid,
      collects_until timestamptz,
      created_at timestamptz NOT NULL,
      completed_at timestamptz,
      PRIMARY KEY (tenant_id, id)
    );
    CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
    CREATE UNIQUE INDEX webhook_deliveries_collecting ON webhook_deliveries (webhook_id) WHERE collects_until IS NOT NULL;
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at, id) WHERE status = 'pending';
    CREATE INDEX webhook_deliveries_log ON webhook_deliveries (tenant_id, webhook_id, id DESC);
    COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'While an attempt is under way: when its process has had its time.';
    COMMENT ON COLUMN webhook_deliveries.claim IS 'Whose attempt is under way; only that one is recorded.';
    COMMENT ON COLUMN webhook_deliveries.collects_until IS 'Set while further events may be added.';

    CREATE TABLE idempotent_replies (
      id bytea PRIMARY KEY,
      tenant_id uuid,
      fingerprint bytea NOT NULL,
      reply bytea NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX idempotent_replies_age ON idempotent_replies (created_at);
    COMMENT ON COLUMN idempotent_replies.reply IS 'Sealed: replies hold content and sometimes a secret.';

    CREATE TABLE audit_blocks (
      chain_id uuid NOT NULL,
      number bigint NOT NULL,
      tenant_id uuid,
      after_number bigint NOT NULL,
      to_number bigint NOT NULL,
      records integer NOT NULL,
      previous_hash bytea NOT NULL,
      hash bytea NOT NULL,
      sealed_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (chain_id, after_number),
      PRIMARY KEY (chain_id, number),
      CHECK (to_number > after_number)
    );
    CREATE INDEX audit_blocks_age ON audit_blocks (sealed_at, number);
    CREATE INDEX audit_blocks_reach ON audit_blocks (to_number);
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

    CREATE TABLE write_probes (
      filler text STORAGE PLAIN NOT NULL
    );

    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'audit records cannot be changed or deleted' USING ERRCODE = 'insufficient_privilege'; END $$;
    CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON audit_events
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON audit_blocks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_prunings FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON audit_prunings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

    CREATE FUNCTION audit_digest(e audit_events) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
      SELECT sha256(convert_to(jsonb_build_array(e.number, e.id, e.tenant_id, e.project_id, e.project_slug,
        e.environment_id, e.environment, e.site_id, e.locale, (extract(epoch FROM e.at) * 1000000)::bigint, e.action,
        e.actor, e.target, e.before, e.after, to_jsonb(e.changed_fields), e.context, e.metadata)::text, 'UTF8')) $$;

    CREATE FUNCTION audit_block_hash(block audit_blocks, digests bytea) RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
      SELECT sha256(block.previous_hash || convert_to(concat_ws(':', block.chain_id, block.number, block.after_number,
        block.to_number, block.records), 'UTF8') || digests) $$;

    CREATE FUNCTION audit_sealed_to() RETURNS bigint LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
      caller text := coalesce(current_setting('headwater.platform', true), '');
      reach bigint;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      SELECT greatest((SELECT max(to_number) FROM audit_blocks), (SELECT max(to_number) FROM audit_prunings), 0) INTO reach;
      PERFORM set_config('headwater.platform', caller, true);
      RETURN reach;
    END $$;

    ${guard('audit_events', 'at')}
    ${guard('audit_blocks', 'sealed_at')}

    CREATE FUNCTION prune_audit() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
    COMMENT ON FUNCTION prune_audit IS 'The only way by which records go: whole blocks, 400 days after they were sealed.';

    ${tenantWall('audit_blocks', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('audit_events', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('audit_prunings', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('idempotent_replies', 'tenant_id', 'OR is_platform_work()')}
    CREATE POLICY dispatch ON outbox_events FOR SELECT
      USING (is_platform_work());
    CREATE POLICY retention_delete ON outbox_events FOR DELETE
      USING (is_platform_work());
    ${tenantWall('outbox_events')}
    CREATE POLICY dispatch ON webhook_deliveries FOR SELECT
      USING (is_platform_work());
    CREATE POLICY retention_delete ON webhook_deliveries FOR DELETE
      USING (is_platform_work());
    ${tenantWall('webhook_deliveries')}
    CREATE POLICY retention ON webhook_events FOR SELECT
      USING (is_platform_work());
    CREATE POLICY retention_delete ON webhook_events FOR DELETE
      USING (is_platform_work());
    ${tenantWall('webhook_events')}
    CREATE POLICY dispatch ON webhooks FOR SELECT
      USING (is_platform_work());
    ${tenantWall('webhooks')}
    ${grant('SELECT, INSERT', 'audit_events, audit_blocks')}
    ${grant('SELECT, USAGE', 'SEQUENCE audit_number')}
    ${grant('SELECT', 'audit_prunings')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'outbox_events, webhooks, webhook_events, webhook_deliveries, idempotent_replies')}
    ${grant('INSERT, TRUNCATE', 'write_probes')}
    REVOKE ALL ON FUNCTION prune_audit() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION prune_audit() TO headwater_service;
  `,
  down: `
    DROP FUNCTION refuse_change, next_audit_number, audit_digest, audit_block_hash, audit_sealed_to,
      guard_audit_events, guard_audit_blocks, prune_audit CASCADE;
    DROP TABLE write_probes, audit_prunings, audit_blocks, idempotent_replies, webhook_deliveries,
      webhook_events, webhooks, outbox_events, audit_events CASCADE;
    DROP SEQUENCE audit_number;
  `,
};
