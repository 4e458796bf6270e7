import { grant, type Migration } from './migration.js';

const verbs = ['INSERT', 'UPDATE', 'DELETE'] as const;

/** Promotions write which entries have blocks, and rollbacks put it back (rule environments/rollback). */
export const promotedBlocks: Migration = {
  name: '0080-promoted-blocks',
  up: `
    ${grant('UPDATE', 'owned_blocks')}
    ${verbs
      .map(
        (
          verb,
        ) => `CREATE TRIGGER keep_promoted_${verb.toLowerCase()} AFTER ${verb} ON owned_blocks FOR EACH ROW
      WHEN (current_setting('headwater.promotion', true) <> '') EXECUTE FUNCTION keep_promoted('id');`,
      )
      .join('\n    ')}
  `,
  down: `
    ${verbs.map((verb) => `DROP TRIGGER keep_promoted_${verb.toLowerCase()} ON owned_blocks;`).join('\n    ')}
    REVOKE UPDATE ON owned_blocks FROM headwater_service;
  `,
};
