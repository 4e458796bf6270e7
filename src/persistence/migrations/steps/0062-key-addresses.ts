import { grant, tenantWall, type Migration } from './migration.js';

/** Addresses that keys are used from. */
export const keyAddresses: Migration = {
  name: '0062-key-addresses',
  up: `
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
    COMMENT ON TABLE api_key_addresses IS
      'An IPv4 address or the /64 network of an IPv6 one. since: first call after none for 30 days; prior_calls: of the key before it.';
    CREATE INDEX api_key_addresses_since ON api_key_addresses (project_id, since);
    CREATE INDEX api_key_addresses_last ON api_key_addresses (last_at);
    ${tenantWall('api_key_addresses', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'api_key_addresses')}
  `,
  down: 'DROP TABLE api_key_addresses;',
};
