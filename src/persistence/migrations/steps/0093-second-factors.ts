import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Second factors, the codes that replace them, and logins that wait for a code. Sessions of users without one are
 * limited where their tenant requires it.
 */
export const secondFactors: Migration = {
  name: '0093-second-factors',
  up: `
    ALTER TABLE tenants ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;

    CREATE TABLE second_factors (
      tenant_id uuid,
      user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      secret bytea NOT NULL,
      confirmed_at timestamptz,
      last_step integer,
      created_at timestamptz NOT NULL
    );
    COMMENT ON COLUMN second_factors.secret IS 'Encrypted.';
    COMMENT ON COLUMN second_factors.last_step IS 'Of the code that was accepted last; earlier ones are refused.';
    CREATE TABLE recovery_codes (
      tenant_id uuid,
      user_id uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
      code_hash bytea NOT NULL,
      used_at timestamptz,
      PRIMARY KEY (user_id, code_hash)
    );
    CREATE TABLE login_challenges (
      tenant_id uuid,
      token_hash bytea PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      failures integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX login_challenges_user ON login_challenges (user_id);
    CREATE INDEX login_challenges_expiry ON login_challenges (expires_at);

    ${tenantWall('second_factors', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('recovery_codes', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('login_challenges', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'second_factors, recovery_codes, login_challenges')}

    DROP FUNCTION is_session_ended(uuid, timestamptz);
    CREATE FUNCTION check_session(session uuid, seen_at timestamptz)
      RETURNS TABLE (is_ended boolean, needs_second_factor boolean) LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      UPDATE sessions SET last_used_at = seen_at
        WHERE id = session AND revoked_at IS NULL AND last_used_at < seen_at - interval '5 minutes';
      RETURN QUERY
        SELECT s.revoked_at IS NOT NULL, coalesce(t.require_second_factor, false) AND NOT EXISTS (
          SELECT FROM second_factors f WHERE f.user_id = s.user_id AND f.confirmed_at IS NOT NULL)
        FROM sessions s LEFT JOIN tenants t ON t.id = s.tenant_id WHERE s.id = session;
      PERFORM set_config('headwater.platform', '', true);
    END $$;
  `,
  down: `
    DROP FUNCTION check_session(uuid, timestamptz);
    CREATE FUNCTION is_session_ended(session uuid, seen_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE ended boolean;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      UPDATE sessions SET last_used_at = seen_at
        WHERE id = session AND revoked_at IS NULL AND last_used_at < seen_at - interval '5 minutes';
      ended := EXISTS (SELECT FROM sessions WHERE id = session AND revoked_at IS NOT NULL);
      PERFORM set_config('headwater.platform', '', true);
      RETURN ended;
    END $$;
    DROP TABLE login_challenges, recovery_codes, second_factors;
    ALTER TABLE tenants DROP COLUMN require_second_factor;
  `,
};
