import type { Migration } from './migration.js';

/** The index of assets by name has the order in which they are listed (rule lists/text). */
export const assetNameOrder: Migration = {
  name: '0086-asset-name-order',
  up: `
    DROP INDEX media_assets_name;
    CREATE INDEX media_assets_name ON media_assets (environment_id, file_name COLLATE "und-x-icu", id);
  `,
  down: `
    DROP INDEX media_assets_name;
    CREATE INDEX media_assets_name ON media_assets (environment_id, file_name, id);
  `,
};
