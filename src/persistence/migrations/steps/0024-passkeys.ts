import { grant, tenantWall, type Migration } from './migration.js';

const secondFactorCheck = (condition: string): string => `
    CREATE FUNCTION check_session(session uuid, seen_at timestamptz)
      RETURNS TABLE (is_ended boolean, needs_second_factor boolean) LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      UPDATE sessions SET last_used_at = seen_at
        WHERE id = session AND revoked_at IS NULL AND last_used_at < seen_at - interval '5 minutes';
      RETURN QUERY
        SELECT s.revoked_at IS NOT NULL, coalesce(t.require_second_factor, false) AND NOT ${condition}
        FROM sessions s LEFT JOIN tenants t ON t.id = s.tenant_id WHERE s.id = session;
      PERFORM set_config('headwater.platform', '', true);
    END $$;`;

/** Passkeys, and the challenges that they have signed, until these expire. Recovery codes belong to users. */
export const passkeys: Migration = {
  name: '0024-passkeys',
  up: `
    CREATE TABLE passkeys (
      tenant_id uuid,
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      name text NOT NULL,
      credential_id text NOT NULL,
      public_key bytea NOT NULL,
      counter bigint NOT NULL,
      transports jsonb NOT NULL,
      is_synced boolean NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz,
      CONSTRAINT passkeys_credential_key UNIQUE (credential_id)
    );
    COMMENT ON COLUMN passkeys.counter IS 'Of the last signature; 0 for authenticators that do not count.';
    CREATE INDEX passkeys_user ON passkeys (user_id);
    CREATE TABLE spent_challenges (
      challenge_hash bytea PRIMARY KEY,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX spent_challenges_expiry ON spent_challenges (expires_at);
    ${tenantWall('passkeys', 'tenant_id', 'OR is_platform_work()')}
    ALTER TABLE spent_challenges ENABLE ROW LEVEL SECURITY;
    ALTER TABLE spent_challenges FORCE ROW LEVEL SECURITY;
    CREATE POLICY platform_only ON spent_challenges FOR ALL USING (is_platform_work()) WITH CHECK (is_platform_work());
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'passkeys')}
    ${grant('SELECT, INSERT, DELETE', 'spent_challenges')}

    ALTER TABLE recovery_codes DROP CONSTRAINT recovery_codes_user_id_fkey;
    ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_user_id_fkey
      FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;

    CREATE FUNCTION has_second_factor(account uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
      SELECT EXISTS (SELECT FROM second_factors f WHERE f.user_id = account AND f.confirmed_at IS NOT NULL)
        OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = account)
    $$;
    DROP FUNCTION check_session(uuid, timestamptz);
    ${secondFactorCheck('has_second_factor(s.user_id)')}
  `,
  down: `
    DROP FUNCTION check_session(uuid, timestamptz);
    ${secondFactorCheck(`EXISTS (
          SELECT FROM second_factors f WHERE f.user_id = s.user_id AND f.confirmed_at IS NOT NULL)`)}
    DROP FUNCTION has_second_factor(uuid);
    ALTER TABLE recovery_codes DROP CONSTRAINT recovery_codes_user_id_fkey;
    DELETE FROM recovery_codes c WHERE NOT EXISTS (SELECT FROM second_factors f WHERE f.user_id = c.user_id);
    ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_user_id_fkey
      FOREIGN KEY (user_id) REFERENCES second_factors ON DELETE CASCADE;
    DROP TABLE spent_challenges, passkeys;
  `,
};
