import { grant, tenantWall, type Migration } from './migration.js';

/** At most one pending reset per account. */
export const passwordResets: Migration = {
  name: '0027-password-resets',
  up: `
    CREATE TABLE password_resets (
      tenant_id uuid NOT NULL,
      user_id uuid PRIMARY KEY,
      token_hash bytea NOT NULL CONSTRAINT password_resets_token_key UNIQUE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
    );
    ${tenantWall('password_resets', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'password_resets')}
  `,
  down: 'DROP TABLE password_resets;',
};
