import type { Migration } from './migration.js';

/** What is published together is found together: its notes have the same batch. */
export const searchBatches: Migration = {
  name: '0033-search-batches',
  up: `
    ALTER TABLE search_queue ADD COLUMN batch_id uuid DEFAULT nullif(current_setting('headwater.search_batch', true), '')::uuid;
    CREATE INDEX search_queue_batch ON search_queue (environment_id, entry_id, batch_id) WHERE batch_id IS NOT NULL;
    COMMENT ON COLUMN search_queue.batch_id IS 'Entries of one batch are indexed in one transaction.';
  `,
  down: `
    DROP INDEX search_queue_batch;
    ALTER TABLE search_queue DROP COLUMN batch_id;
  `,
};
