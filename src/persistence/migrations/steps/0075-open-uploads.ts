import type { Migration } from './migration.js';

/** Files that arrive with their request count as open uploads until it ends (rule media/large-uploads). */
export const openUploads: Migration = {
  name: '0075-open-uploads',
  up: `
    ALTER TABLE media_uploads ADD COLUMN is_request boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN media_uploads.is_request IS 'The file arrives with its request, and the row is deleted when that ends.';
    CREATE INDEX media_uploads_open ON media_uploads (environment_id) WHERE asset_id IS NULL;
  `,
  down: `
    DROP INDEX media_uploads_open;
    ALTER TABLE media_uploads NO FORCE ROW LEVEL SECURITY;
    DELETE FROM media_uploads WHERE is_request;
    ALTER TABLE media_uploads FORCE ROW LEVEL SECURITY;
    ALTER TABLE media_uploads DROP COLUMN is_request;
  `,
};
