import type { Migration } from './migration.js';

/** Whatever the tenant; `of` limits the rows. */
const takeOver = (table: string, of: string): string => `
    ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;
    UPDATE ${table} SET owner_key_id = (created_by ->> 'id')::uuid WHERE created_by ->> 'type' = 'api_key' AND ${of};
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`;

/**
 * The key that a webhook or a schedule ends with. Due work is found before a tenant is known, so platform work may read
 * keys.
 */
export const keyOwners: Migration = {
  name: '0071-key-owners',
  up: `
    ALTER TABLE webhooks ADD COLUMN owner_key_id uuid;
    ALTER TABLE scheduled_jobs ADD COLUMN owner_key_id uuid;
    COMMENT ON COLUMN webhooks.owner_key_id IS 'The key that made it or changed its URL. It stops when the key is expired or revoked. Null: a user''s.';
    COMMENT ON COLUMN scheduled_jobs.owner_key_id IS 'The key that made or moved it. It does not run once the key is expired or revoked. Null: a user''s.';
    ${takeOver('webhooks', 'true')}
    ${takeOver('scheduled_jobs', "status = 'scheduled'")}
    CREATE POLICY owners ON api_keys FOR SELECT USING (is_platform_work());
  `,
  down: `
    DROP POLICY owners ON api_keys;
    ALTER TABLE scheduled_jobs DROP COLUMN owner_key_id;
    ALTER TABLE webhooks DROP COLUMN owner_key_id;
  `,
};
