import { grant, tenantWall, type Migration } from './migration.js';

/** Keys of members, which end with the membership and its suspension. The hash of a secret reveals its one row. */
export const personalKeys: Migration = {
  name: '0026-personal-keys',
  up: `
    CREATE TABLE personal_keys (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      user_id uuid NOT NULL,
      id uuid PRIMARY KEY,
      name text NOT NULL,
      is_read_only boolean NOT NULL,
      secret_hash bytea NOT NULL CONSTRAINT personal_keys_secret_key UNIQUE,
      last_four text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz,
      last_used_at timestamptz,
      FOREIGN KEY (tenant_id, project_id, user_id) REFERENCES members ON DELETE CASCADE
    );
    CREATE INDEX personal_keys_member ON personal_keys (tenant_id, project_id, user_id);
    CREATE INDEX personal_keys_user ON personal_keys (user_id);
    ${tenantWall('personal_keys', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'personal_keys')}

    CREATE FUNCTION find_personal_key(hash bytea, seen_at timestamptz)
      RETURNS TABLE (id uuid, user_id uuid, project_id uuid, is_read_only boolean, expires_at timestamptz,
        revoked_at timestamptz, needs_second_factor boolean) LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      UPDATE personal_keys k SET last_used_at = seen_at
        WHERE k.secret_hash = hash AND k.revoked_at IS NULL AND k.expires_at > seen_at
          AND (k.last_used_at IS NULL OR k.last_used_at < seen_at - interval '5 minutes');
      RETURN QUERY
        SELECT k.id, k.user_id, k.project_id, k.is_read_only, k.expires_at, k.revoked_at,
          t.require_second_factor AND NOT has_second_factor(k.user_id)
        FROM personal_keys k JOIN tenants t ON t.id = k.tenant_id WHERE k.secret_hash = hash;
      PERFORM set_config('headwater.platform', '', true);
    END $$;

    CREATE FUNCTION end_personal_keys() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE personal_keys SET revoked_at = NEW.updated_at
        WHERE tenant_id = NEW.tenant_id AND project_id = NEW.project_id AND user_id = NEW.user_id AND revoked_at IS NULL;
      RETURN NULL;
    END $$;
    CREATE TRIGGER end_personal_keys AFTER UPDATE OF is_suspended ON members
      FOR EACH ROW WHEN (NEW.is_suspended AND NOT OLD.is_suspended) EXECUTE FUNCTION end_personal_keys();
  `,
  down: `
    DROP TRIGGER end_personal_keys ON members;
    DROP FUNCTION end_personal_keys();
    DROP FUNCTION find_personal_key(bytea, timestamptz);
    DROP TABLE personal_keys;
  `,
};
