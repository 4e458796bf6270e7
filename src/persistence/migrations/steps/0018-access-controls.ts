import { bump } from './0003-content-model.js';
import { grant, tenantWall, type Migration } from './migration.js';

const knownSecret = "decode(nullif(current_setting('headwater.key_hash', true), ''), 'hex')";

/** Limits and second secrets of keys, IP allowlists, request counters, stored replies, and revocable sessions. */
export const accessControls: Migration = {
  name: '0018-access-controls',
  up: `
    ALTER TABLE api_keys
      ADD COLUMN rate_limit integer CHECK (rate_limit > 0),
      ADD COLUMN ip_allowlist text[] NOT NULL DEFAULT '{}',
      ADD COLUMN draft_only boolean NOT NULL DEFAULT false,
      ADD COLUMN previous_secret_hash bytea CONSTRAINT api_keys_previous_secret_hash_key UNIQUE,
      ADD COLUMN previous_secret_expires_at timestamptz;
    COMMENT ON COLUMN api_keys.rate_limit IS 'Requests per minute; null: the default of the type.';

    DROP POLICY known_secret ON api_keys;
    CREATE POLICY known_secret ON api_keys FOR SELECT
      USING (secret_hash = ${knownSecret} OR previous_secret_hash = ${knownSecret});
    CREATE OR REPLACE FUNCTION find_api_key(hash bytea) RETURNS SETOF api_keys LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('headwater.key_hash', encode(hash, 'hex'), true);
      RETURN QUERY SELECT * FROM api_keys WHERE secret_hash = hash;
      IF NOT FOUND THEN RETURN QUERY SELECT * FROM api_keys WHERE previous_secret_hash = hash; END IF;
      PERFORM set_config('headwater.key_hash', '', true);
    END $$;

    -- Notes when keys of any tenant were last used, and can do nothing else; a row that somebody changes is left out.
    CREATE POLICY note_use ON api_keys FOR ALL USING (current_setting('headwater.noting_use', true) = 'on')
      WITH CHECK (current_setting('headwater.noting_use', true) = 'on');
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
    ${bump('ip_allowlists', 'project_id')}
    ${bump('ip_rules', 'project_id')}

    -- Counts of requests in windows that soon end: worth nothing after a crash of the database.
    CREATE UNLOGGED TABLE rate_limits (
      key varchar(255) PRIMARY KEY,
      points integer NOT NULL DEFAULT 0,
      expire bigint
    );
    CREATE INDEX rate_limits_expire ON rate_limits (expire);

    CREATE TABLE idempotent_replies (
      id bytea PRIMARY KEY,
      tenant_id uuid,
      fingerprint bytea NOT NULL,
      reply bytea NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX idempotent_replies_age ON idempotent_replies (created_at);
    COMMENT ON COLUMN idempotent_replies.reply IS 'Sealed: replies hold content and sometimes a secret.';

    CREATE TABLE sessions (
      tenant_id uuid,
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz
    );
    CREATE INDEX sessions_user ON sessions (user_id);
    CREATE INDEX sessions_expiry ON sessions (expires_at);
    CREATE TABLE refresh_tokens (
      tenant_id uuid,
      token_hash bytea PRIMARY KEY,
      session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      used_at timestamptz
    );
    CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);

    ${tenantWall('ip_allowlists')}
    ${tenantWall('ip_rules')}
    ${tenantWall('idempotent_replies', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('sessions', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('refresh_tokens', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE', 'ip_allowlists')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'ip_rules, rate_limits, idempotent_replies, sessions, refresh_tokens')}
  `,
  down: `
    DROP TABLE refresh_tokens, sessions, idempotent_replies, rate_limits, ip_rules, ip_allowlists;
    DROP FUNCTION note_api_key_uses(uuid[], uuid[], timestamptz[]);
    DROP POLICY note_use ON api_keys;
    DROP POLICY known_secret ON api_keys;
    CREATE OR REPLACE FUNCTION find_api_key(hash bytea) RETURNS SETOF api_keys LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('headwater.key_hash', encode(hash, 'hex'), true);
      RETURN QUERY SELECT * FROM api_keys WHERE secret_hash = hash;
      PERFORM set_config('headwater.key_hash', '', true);
    END $$;
    ALTER TABLE api_keys DROP COLUMN previous_secret_expires_at, DROP COLUMN previous_secret_hash, DROP COLUMN draft_only,
      DROP COLUMN ip_allowlist, DROP COLUMN rate_limit;
    CREATE POLICY known_secret ON api_keys FOR SELECT USING (secret_hash = ${knownSecret});
  `,
};
