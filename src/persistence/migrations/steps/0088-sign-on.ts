import { grant, tenantWall, type Migration } from './migration.js';

/** At most one identity provider per tenant. `group_roles` has ids of projects and roles, which renames keep. */
export const signOn: Migration = {
  name: '0088-sign-on',
  up: `
    CREATE TABLE sign_ons (
      tenant_id uuid PRIMARY KEY REFERENCES tenants,
      issuer text,
      client_id text,
      client_secret text,
      label text,
      scopes text[] NOT NULL,
      groups_claim text NOT NULL,
      group_roles jsonb NOT NULL,
      creates_accounts boolean NOT NULL,
      requires_group boolean NOT NULL,
      allows_passwords boolean NOT NULL,
      is_active boolean NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (NOT is_active OR (issuer IS NOT NULL AND client_id IS NOT NULL)),
      CHECK (allows_passwords OR is_active)
    );
    CREATE TABLE user_identities (
      tenant_id uuid NOT NULL,
      issuer text NOT NULL,
      subject text NOT NULL,
      user_id uuid NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, issuer, subject),
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX user_identities_user ON user_identities (tenant_id, user_id);
    ${tenantWall('user_identities', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT', 'user_identities')}
    ${tenantWall('sign_ons', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE', 'sign_ons')}
  `,
  down: 'DROP TABLE user_identities, sign_ons;',
};
