import { grant, tenantWall, type Migration } from './migration.js';

/** Audit records, which are immutable, and the outbox. */
export const records: Migration = {
  name: '0007-records',
  up: `
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
      metadata jsonb NOT NULL
    );
    CREATE INDEX audit_events_tenant ON audit_events (tenant_id, project_id, at DESC, id DESC);

    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'audit records cannot be changed or deleted' USING ERRCODE = 'insufficient_privilege'; END $$;
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_events
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON audit_events
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

    CREATE TABLE outbox_events (
      id uuid PRIMARY KEY,
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      type text NOT NULL,
      payload jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      claimed_until timestamptz,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX outbox_events_pending ON outbox_events (created_at, id);

    ${tenantWall('audit_events', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('outbox_events')}
    ${grant('SELECT, INSERT', 'audit_events')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'outbox_events')}
  `,
  down: 'DROP TABLE outbox_events, audit_events; DROP FUNCTION refuse_change();',
};
