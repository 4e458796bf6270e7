import { bumpRevision, grant, tenantWall, type Migration } from './migration.js';

/**
 * API keys with their addresses and limits, lists of allowed addresses, and notifications of users. A key is found by the
 * hash of its secret before a tenant is known; that a key was used is noted without its tenant, too.
 */
export const keys: Migration = {
  name: '0003-keys',
  up: `
    CREATE TABLE api_keys (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      name text NOT NULL,
      description text,
      type text NOT NULL CHECK (type IN ('delivery', 'preview', 'management')),
      permissions text[] NOT NULL,
      site_ids uuid[] NOT NULL,
      environment_id uuid,
      prefix text NOT NULL,
      last_four text NOT NULL,
      secret_hash bytea NOT NULL UNIQUE,
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      rate_limit integer CHECK (rate_limit > 0),
      ip_allowlist text[] NOT NULL DEFAULT '{}',
      draft_only boolean NOT NULL DEFAULT false,
      previous_secret_hash bytea UNIQUE,
      previous_secret_expires_at timestamptz,
      require_confirmation boolean NOT NULL DEFAULT false,
      selected_environment_id uuid,
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT api_keys_selection_fkey FOREIGN KEY (tenant_id, selected_environment_id) REFERENCES environments (tenant_id, id) ON DELETE SET NULL (selected_environment_id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    CREATE INDEX api_keys_project ON api_keys (tenant_id, project_id, updated_at DESC, id DESC);
    CREATE INDEX api_keys_selection ON api_keys (tenant_id, selected_environment_id) WHERE selected_environment_id IS NOT NULL;
    COMMENT ON COLUMN api_keys.environment_id IS 'Stays when the environment is deleted, so that the key never reaches another.';
    COMMENT ON COLUMN api_keys.rate_limit IS 'Requests per minute; null: the default of the type.';

    CREATE TABLE ip_allowlists (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      is_enabled boolean NOT NULL,
      applies_to text[] NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, project_id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );

    CREATE TABLE ip_rules (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      cidr text NOT NULL,
      label text,
      is_active boolean NOT NULL,
      expires_at timestamptz,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id)
    );
    CREATE INDEX ip_rules_project ON ip_rules (tenant_id, project_id, updated_at DESC, id DESC);

    CREATE UNLOGGED TABLE rate_limits (
      key character varying(255) PRIMARY KEY,
      points integer NOT NULL DEFAULT 0,
      expire bigint
    );
    CREATE INDEX rate_limits_expire ON rate_limits (expire);

    CREATE TABLE api_key_addresses (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      api_key_id uuid NOT NULL,
      address text NOT NULL,
      since timestamptz NOT NULL,
      last_at timestamptz NOT NULL,
      calls bigint NOT NULL,
      prior_calls bigint NOT NULL,
      PRIMARY KEY (project_id, api_key_id, address)
    );
    CREATE INDEX api_key_addresses_last ON api_key_addresses (last_at);
    CREATE INDEX api_key_addresses_since ON api_key_addresses (project_id, since);
    COMMENT ON TABLE api_key_addresses IS 'An IPv4 address or the /64 network of an IPv6 one. since: first call after none for 30 days; prior_calls: of the key before it.';

    CREATE TABLE notifications (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid,
      kind text NOT NULL,
      entry_id uuid,
      locale text,
      field text,
      block_id uuid,
      comment_id uuid,
      subject_id uuid,
      title text NOT NULL,
      quote text,
      actor jsonb NOT NULL,
      at timestamptz NOT NULL,
      read_at timestamptz,
      mail_at timestamptz,
      dedupe text NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
    );
    CREATE INDEX notifications_at ON notifications (at);
    CREATE UNIQUE INDEX notifications_dedupe_key ON notifications (tenant_id, user_id, dedupe);
    CREATE INDEX notifications_environment ON notifications (environment_id) WHERE environment_id IS NOT NULL;
    CREATE INDEX notifications_mail ON notifications (mail_at) WHERE mail_at IS NOT NULL;
    CREATE INDEX notifications_user ON notifications (user_id, at DESC, id DESC);
    COMMENT ON COLUMN notifications.environment_id IS 'Null: it is about something of the project.';
    COMMENT ON COLUMN notifications.mail_at IS 'When it is due to be sent by mail; null: never, or it was sent.';
    COMMENT ON COLUMN notifications.dedupe IS 'What happened: a user hears of it once.';

    CREATE TABLE notification_settings (
      user_id uuid PRIMARY KEY REFERENCES users,
      tenant_id uuid,
      mail jsonb NOT NULL
    );

    CREATE FUNCTION find_api_key(hash bytea) RETURNS SETOF api_keys LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('headwater.key_hash', encode(hash, 'hex'), true);
      RETURN QUERY SELECT * FROM api_keys WHERE secret_hash = hash;
      IF NOT FOUND THEN RETURN QUERY SELECT * FROM api_keys WHERE previous_secret_hash = hash; END IF;
      PERFORM set_config('headwater.key_hash', '', true);
    END $$;

    CREATE FUNCTION note_api_key_uses(tenants uuid[], keys uuid[], times timestamptz[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('headwater.noting_use', 'on', true);
      WITH used AS (
        SELECT k.tenant_id, k.id, u.at FROM unnest(tenants, keys, times) AS u (tenant_id, id, at)
          JOIN api_keys k ON k.tenant_id = u.tenant_id AND k.id = u.id
          ORDER BY k.id FOR NO KEY UPDATE OF k SKIP LOCKED
      )
      UPDATE api_keys k SET last_used_at = used.at FROM used
        WHERE k.tenant_id = used.tenant_id AND k.id = used.id AND coalesce(k.last_used_at < used.at, true);
      PERFORM set_config('headwater.noting_use', '', true);
    END $$;

    ${bumpRevision('ip_allowlists', 'project_id')}
    ${bumpRevision('ip_rules', 'project_id')}
    ${tenantWall('api_key_addresses', 'tenant_id', 'OR is_platform_work()')}
    CREATE POLICY known_secret ON api_keys FOR SELECT
      USING ((secret_hash = decode(NULLIF(current_setting('headwater.key_hash', true), ''), 'hex')) OR (previous_secret_hash = decode(NULLIF(current_setting('headwater.key_hash', true), ''), 'hex')));
    CREATE POLICY note_use ON api_keys FOR ALL
      USING (current_setting('headwater.noting_use', true) = 'on')
      WITH CHECK (current_setting('headwater.noting_use', true) = 'on');
    CREATE POLICY owners ON api_keys FOR SELECT
      USING (is_platform_work());
    ${tenantWall('api_keys')}
    ${tenantWall('ip_allowlists')}
    ${tenantWall('ip_rules')}
    ${tenantWall('notification_settings', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('notifications', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'ip_rules, rate_limits, api_key_addresses, notifications, notification_settings')}
    ${grant('SELECT, INSERT, UPDATE', 'api_keys, ip_allowlists')}
  `,
  down: `
    DROP FUNCTION find_api_key, note_api_key_uses CASCADE;
    DROP TABLE notification_settings, notifications, api_key_addresses, rate_limits, ip_rules, ip_allowlists,
      api_keys CASCADE;
  `,
};
