import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Pictures of users: small squares that the service has encoded. Lists of users read many at once, and they end with
 * the account, so they are rows instead of objects in the storage of files.
 */
export const avatars: Migration = {
  name: '0036-avatars',
  up: `
    CREATE TABLE avatars (
      user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      tenant_id uuid,
      image bytea NOT NULL CHECK (octet_length(image) <= 65536)
    );
    ${tenantWall('avatars', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'avatars')}
  `,
  down: 'DROP TABLE avatars;',
};
