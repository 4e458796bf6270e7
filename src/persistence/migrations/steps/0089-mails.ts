import { grant, type Migration } from './migration.js';

/** Mails wait here for the worker, and stay for a while after the last attempt. */
export const mails: Migration = {
  name: '0089-mails',
  up: `
    ALTER TABLE tenants ADD COLUMN mail_sender jsonb NOT NULL DEFAULT '{"name": null, "address": null, "replyTo": null}';

    CREATE TABLE mails (
      tenant_id uuid NOT NULL REFERENCES tenants,
      id uuid NOT NULL,
      user_id uuid,
      kind text NOT NULL,
      recipient text NOT NULL,
      recipient_name text NOT NULL,
      language text,
      payload jsonb NOT NULL,
      sealed_url text,
      status text NOT NULL DEFAULT 'pending',
      outcome text,
      attempts integer NOT NULL DEFAULT 0,
      claim uuid,
      next_attempt_at timestamptz NOT NULL,
      gives_up_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      completed_at timestamptz,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX mails_due ON mails (next_attempt_at, id) WHERE status = 'pending';
    CREATE INDEX mails_age ON mails (completed_at) WHERE status <> 'pending';
    CREATE INDEX mails_user ON mails (tenant_id, user_id);
    COMMENT ON COLUMN mails.sealed_url IS 'Links with a token are encrypted, and removed after the last attempt.';
    ALTER TABLE mails ENABLE ROW LEVEL SECURITY;
    ALTER TABLE mails FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant_wall ON mails FOR ALL
      USING (tenant_id = (SELECT current_tenant_id()) OR is_platform_work())
      WITH CHECK (tenant_id = (SELECT current_tenant_id()) OR is_platform_work());
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'mails')}
  `,
  down: `
    DROP TABLE mails;
    ALTER TABLE tenants DROP COLUMN mail_sender;
  `,
};
