import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Webhooks and their deliveries. An event leaves the outbox in the transaction that writes its deliveries. Due work
 * is found before a tenant is known, so platform work may read these rows and delete expired ones, nothing else.
 * Deliveries outlive their webhook until pruned, so that deleting it is cheap.
 */
export const webhooks: Migration = {
  name: '0017-webhooks',
  up: `
    CREATE TABLE webhooks (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL CONSTRAINT webhooks_id_key UNIQUE,
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
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    CREATE INDEX webhooks_project ON webhooks (tenant_id, project_id, updated_at DESC, id DESC);
    COMMENT ON COLUMN webhooks.secrets IS 'Encrypted, the newest first; each but the first with the time of its end.';
    COMMENT ON COLUMN webhooks.headers IS 'The values of secret ones are encrypted.';

    CREATE TABLE webhook_events (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      body json NOT NULL,
      request_id text,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id)
    );
    CREATE INDEX webhook_events_age ON webhook_events (created_at);
    COMMENT ON COLUMN webhook_events.request_id IS 'Of the call that made the change.';
    COMMENT ON TABLE webhook_events IS 'What is sent of an event, once for all webhooks that are told of it.';

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
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at, id) WHERE status = 'pending';
    CREATE UNIQUE INDEX webhook_deliveries_collecting ON webhook_deliveries (webhook_id) WHERE collects_until IS NOT NULL;
    CREATE INDEX webhook_deliveries_log ON webhook_deliveries (tenant_id, webhook_id, id DESC);
    CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
    COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'While an attempt is under way: when its process has had its time.';
    COMMENT ON COLUMN webhook_deliveries.claim IS 'Whose attempt is under way; only that one is recorded.';
    COMMENT ON COLUMN webhook_deliveries.collects_until IS 'Set while further events may be added.';

    CREATE INDEX outbox_events_environment ON outbox_events (environment_id, created_at, id);
    DROP INDEX outbox_events_pending;
    ALTER TABLE outbox_events DROP COLUMN claimed_until;

    ${tenantWall('webhooks')}
    ${tenantWall('webhook_events')}
    ${tenantWall('webhook_deliveries')}
    CREATE POLICY dispatch ON webhooks FOR SELECT USING (is_platform_work());
    CREATE POLICY dispatch ON webhook_deliveries FOR SELECT USING (is_platform_work());
    CREATE POLICY dispatch ON outbox_events FOR SELECT USING (is_platform_work());
    CREATE POLICY retention ON webhook_events FOR SELECT USING (is_platform_work());
    CREATE POLICY retention_delete ON webhook_events FOR DELETE USING (is_platform_work());
    CREATE POLICY retention_delete ON outbox_events FOR DELETE USING (is_platform_work());
    CREATE POLICY retention_delete ON webhook_deliveries FOR DELETE USING (is_platform_work());
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'webhooks, webhook_events, webhook_deliveries')}
  `,
  down: `
    DROP POLICY retention_delete ON outbox_events;
    DROP POLICY dispatch ON outbox_events;
    ALTER TABLE outbox_events ADD COLUMN claimed_until timestamptz;
    CREATE INDEX outbox_events_pending ON outbox_events (created_at, id);
    DROP INDEX outbox_events_environment;
    DROP TABLE webhook_deliveries, webhook_events, webhooks;
  `,
};
