import { grant, tenantWall, type Migration } from './migration.js';

/** What a client's key needs of its user ends it: membership, and its suspension. */
const endClientKeys = (name: string, event: string, when = ''): string => `
    CREATE TRIGGER ${name} AFTER ${event} ON members FOR EACH ROW ${when} EXECUTE FUNCTION end_client_keys();`;

/** OAuth clients, their authorization requests with codes, and the keys that they receive. */
export const oauth: Migration = {
  name: '0034-oauth',
  up: `
    CREATE TABLE oauth_clients (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      redirect_uris text[] NOT NULL,
      created_at timestamptz NOT NULL,
      approved_at timestamptz
    );
    CREATE INDEX oauth_clients_waiting ON oauth_clients (created_at) WHERE approved_at IS NULL;
    COMMENT ON COLUMN oauth_clients.approved_at IS 'Last approval by a user; null: none has approved it.';
    ALTER TABLE oauth_clients ENABLE ROW LEVEL SECURITY;
    ALTER TABLE oauth_clients FORCE ROW LEVEL SECURITY;
    CREATE POLICY platform ON oauth_clients FOR ALL USING (is_platform_work()) WITH CHECK (is_platform_work());
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'oauth_clients')}

    CREATE TABLE oauth_requests (
      id uuid PRIMARY KEY,
      client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
      redirect_uri text NOT NULL,
      state text,
      code_challenge text NOT NULL,
      project_slug text,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      decided_at timestamptz,
      tenant_id uuid,
      user_id uuid,
      choice jsonb,
      code_hash bytea CONSTRAINT oauth_requests_code_key UNIQUE,
      api_key_id uuid
    );
    CREATE INDEX oauth_requests_client ON oauth_requests (client_id);
    CREATE INDEX oauth_requests_expiry ON oauth_requests (expires_at);
    COMMENT ON COLUMN oauth_requests.expires_at IS 'Of the request, after an approval of its code.';
    COMMENT ON COLUMN oauth_requests.project_slug IS 'Of the resource that the client named; null: it named none.';
    COMMENT ON COLUMN oauth_requests.api_key_id IS 'The key that the code was exchanged for.';
    ${tenantWall('oauth_requests', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'oauth_requests')}

    ALTER TABLE api_keys ADD COLUMN oauth_client_id uuid;
    COMMENT ON COLUMN api_keys.oauth_client_id IS 'The key acts for the user in created_by, over MCP only.';
    CREATE INDEX api_keys_holder ON api_keys ((created_by ->> 'id')) WHERE oauth_client_id IS NOT NULL;
    CREATE POLICY client_keys ON api_keys FOR UPDATE USING (is_platform_work() AND oauth_client_id IS NOT NULL);

    CREATE FUNCTION end_client_keys() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE api_keys SET revoked_at = now()
        WHERE tenant_id = OLD.tenant_id AND project_id = OLD.project_id AND oauth_client_id IS NOT NULL
          AND created_by ->> 'id' = OLD.user_id::text AND revoked_at IS NULL;
      RETURN NULL;
    END $$;
    ${endClientKeys('end_client_keys', 'UPDATE OF is_suspended', 'WHEN (NEW.is_suspended AND NOT OLD.is_suspended)')}
    ${endClientKeys('end_client_keys_of_removed', 'DELETE')}

    CREATE FUNCTION lacks_second_factor(wanted uuid) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE lacks boolean;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      SELECT t.require_second_factor AND NOT has_second_factor(u.id) INTO lacks
        FROM users u JOIN tenants t ON t.id = u.tenant_id WHERE u.id = wanted;
      PERFORM set_config('headwater.platform', '', true);
      RETURN coalesce(lacks, false);
    END $$;
  `,
  down: `
    DROP FUNCTION lacks_second_factor(uuid);
    DROP TRIGGER end_client_keys_of_removed ON members;
    DROP TRIGGER end_client_keys ON members;
    DROP FUNCTION end_client_keys();
    DROP POLICY client_keys ON api_keys;
    DROP INDEX api_keys_holder;
    ALTER TABLE api_keys DROP COLUMN oauth_client_id;
    DROP TABLE oauth_requests, oauth_clients;
  `,
};
