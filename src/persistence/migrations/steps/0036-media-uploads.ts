import { grant, tenantWall, type Migration } from './migration.js';

/** Large files that arrive in parts, each an object of the storage until the upload is completed. */
export const mediaUploads: Migration = {
  name: '0036-media-uploads',
  up: `
    CREATE TABLE media_uploads (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      file_name text NOT NULL,
      mime_type text NOT NULL,
      size bigint NOT NULL,
      checksum text,
      request jsonb NOT NULL,
      received bigint NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND size),
      asset_id uuid,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN media_uploads.request IS 'The asset to create, apart from its file.';
    CREATE INDEX media_uploads_expired ON media_uploads (expires_at);

    CREATE TABLE media_upload_parts (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      upload_id uuid NOT NULL,
      start bigint NOT NULL,
      size bigint NOT NULL CHECK (size > 0),
      storage_key text NOT NULL,
      PRIMARY KEY (environment_id, upload_id, start),
      FOREIGN KEY (environment_id, upload_id) REFERENCES media_uploads (environment_id, id) ON DELETE CASCADE
    );

    ${tenantWall('media_uploads', 'tenant_id', 'OR is_platform_work()')}
    ${tenantWall('media_upload_parts')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'media_uploads')}
    ${grant('SELECT, INSERT, DELETE', 'media_upload_parts')}
  `,
  down: 'DROP TABLE media_upload_parts, media_uploads;',
};
