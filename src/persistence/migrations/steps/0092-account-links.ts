import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Invitations are tokens like those of resets. At most one token of an account works; ended ones stay for a while, to say
 * why they do not work. Requests for a reset are looked up after the response.
 */
export const accountLinks: Migration = {
  name: '0092-account-links',
  up: `
    ALTER TABLE password_resets DROP CONSTRAINT password_resets_pkey, DROP CONSTRAINT password_resets_token_key,
      ADD PRIMARY KEY (token_hash),
      ADD COLUMN kind text NOT NULL DEFAULT 'reset' CHECK (kind IN ('reset', 'invitation')),
      ADD COLUMN project_id uuid,
      ADD COLUMN end_reason text CHECK (end_reason IN ('used', 'replaced', 'revoked'));
    CREATE UNIQUE INDEX password_resets_live ON password_resets (user_id) WHERE end_reason IS NULL;
    CREATE INDEX password_resets_account ON password_resets (tenant_id, user_id);
    CREATE INDEX password_resets_expiry ON password_resets (expires_at);
    DROP POLICY tenant_wall ON password_resets;
    CREATE POLICY tenant_wall ON password_resets FOR ALL
      USING (tenant_id = (SELECT current_tenant_id()) OR is_platform_work())
      WITH CHECK (tenant_id = (SELECT current_tenant_id()) OR is_platform_work());

    CREATE TABLE password_requests (
      id uuid PRIMARY KEY,
      email text NOT NULL,
      tenant_slug text,
      created_at timestamptz NOT NULL
    );
    ALTER TABLE password_requests ENABLE ROW LEVEL SECURITY;
    ALTER TABLE password_requests FORCE ROW LEVEL SECURITY;
    CREATE POLICY platform_work ON password_requests FOR ALL
      USING (is_platform_work()) WITH CHECK (is_platform_work());
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'password_requests')}
  `,
  down: `
    DROP TABLE password_requests;
    DROP POLICY tenant_wall ON password_resets;
    ${tenantWall('password_resets', 'tenant_id', 'OR is_platform_work()')}
    SELECT set_config('headwater.platform', 'on', true);
    DELETE FROM password_resets WHERE end_reason IS NOT NULL OR kind <> 'reset';
    SELECT set_config('headwater.platform', '', true);
    DROP INDEX password_resets_expiry, password_resets_account, password_resets_live;
    ALTER TABLE password_resets DROP COLUMN end_reason, DROP COLUMN project_id, DROP COLUMN kind,
      DROP CONSTRAINT password_resets_pkey, ADD PRIMARY KEY (user_id),
      ADD CONSTRAINT password_resets_token_key UNIQUE (token_hash);
  `,
};
