import { grant, tenantWall, type Migration } from './migration.js';

/** The hash of a secret reveals its one row: the gate looks keys up before a tenant is known. */
export const apiKeys: Migration = {
  name: '0006-api-keys',
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
      secret_hash bytea NOT NULL CONSTRAINT api_keys_secret_hash_key UNIQUE,
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id)
    );
    CREATE INDEX api_keys_project ON api_keys (tenant_id, project_id, updated_at DESC, id DESC);

    CREATE FUNCTION find_api_key(hash bytea) RETURNS SETOF api_keys LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('headwater.key_hash', encode(hash, 'hex'), true);
      RETURN QUERY SELECT * FROM api_keys WHERE secret_hash = hash;
      PERFORM set_config('headwater.key_hash', '', true);
    END $$;

    ${tenantWall('api_keys')}
    CREATE POLICY known_secret ON api_keys FOR SELECT
      USING (secret_hash = decode(nullif(current_setting('headwater.key_hash', true), ''), 'hex'));
    ${grant('SELECT, INSERT, UPDATE', 'api_keys')}
  `,
  down: 'DROP FUNCTION find_api_key(bytea); DROP TABLE api_keys;',
};
