import type { Migration } from './migration.js';

/** Comments on fields of blocks (rule entries/comments). */
export const blockComments: Migration = {
  name: '0082-block-comments',
  up: `
    ALTER TABLE entry_comments ADD COLUMN block_id uuid;
    COMMENT ON COLUMN entry_comments.block_id IS 'The block of the entry that has the field.';
  `,
  down: 'ALTER TABLE entry_comments DROP COLUMN block_id;',
};
