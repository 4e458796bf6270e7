import type { Migration } from './migration.js';

/** Keys whose agents confirm public or irreversible calls. */
export const confirmations: Migration = {
  name: '0021-confirmations',
  up: 'ALTER TABLE api_keys ADD COLUMN require_confirmation boolean NOT NULL DEFAULT false;',
  down: 'ALTER TABLE api_keys DROP COLUMN require_confirmation;',
};
