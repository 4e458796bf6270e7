import type { Migration } from './migration.js';

const noBlock = `'00000000-0000-0000-0000-000000000000'`;
const key = 'environment_id, entry_id, code, locale, field_id';

/** Issues of content name the block that they are in (rule reports/content-health). */
export const blockHealth: Migration = {
  name: '0083-block-health',
  up: `
    ALTER TABLE health_issues ADD COLUMN block_id uuid NOT NULL DEFAULT ${noBlock};
    ALTER TABLE health_issues ALTER COLUMN block_id DROP DEFAULT;
    COMMENT ON COLUMN health_issues.block_id IS 'The block of the entry that has the field. All zeros if it is not in a block.';
    ALTER TABLE health_issues DROP CONSTRAINT health_issues_pkey;
    ALTER TABLE health_issues ADD PRIMARY KEY (${key}, block_id);
  `,
  down: `
    DELETE FROM health_issues WHERE block_id <> ${noBlock};
    ALTER TABLE health_issues DROP COLUMN block_id;
    ALTER TABLE health_issues ADD PRIMARY KEY (${key});
  `,
};
