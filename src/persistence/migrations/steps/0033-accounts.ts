import type { Migration } from './migration.js';

/** An account belongs to a tenant and an address; super-admins have no tenant. */
export const accounts: Migration = {
  name: '0033-accounts',
  up: `
    DROP INDEX users_email_key;
    CREATE UNIQUE INDEX users_email_key ON users (lower(email), tenant_id) NULLS NOT DISTINCT;
  `,
  down: `
    DROP INDEX users_email_key;
    CREATE UNIQUE INDEX users_email_key ON users (lower(email));
  `,
};
