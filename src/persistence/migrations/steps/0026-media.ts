import { purgeTagSql as tag } from '../../../infrastructure/cache-tags.js';
import { attachPurge, detachPurge, type TablePurge } from '../../purge-triggers.js';
import { grant, tenantWall, type Migration } from './migration.js';

const NO_FOLDER = '00000000-0000-0000-0000-000000000000';
const countKeys = 'environment_id, folder_id, mime_type, is_used';

/** Counts assets in 16 slots, so that concurrent uploads rarely block each other. */
const counter = (verb: 'INSERT' | 'UPDATE' | 'DELETE'): string => {
  const name = `count_media_${verb.toLowerCase()}`;
  const side = (source: string, step: string): string =>
    `SELECT environment_id, coalesce(folder_id, '${NO_FOLDER}') AS folder_id, mime_type, is_used, id, ${step} AS step FROM ${source}`;
  const sides = {
    INSERT: [side('added', '1')],
    DELETE: [side('removed', '-1')],
    UPDATE: [side('added', '1'), side('removed', '-1')],
  }[verb];
  const tables = {
    INSERT: 'NEW TABLE AS added',
    DELETE: 'OLD TABLE AS removed',
    UPDATE: 'OLD TABLE AS removed NEW TABLE AS added',
  }[verb];
  return `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO media_counts AS c (${countKeys}, slot, assets)
        SELECT ${countKeys}, get_byte(uuid_send(id), 15) & 15 AS slot, sum(step) FROM (${sides.join(' UNION ALL ')}) AS changed
          GROUP BY ${countKeys}, slot HAVING sum(step) <> 0 ORDER BY ${countKeys}, slot
        ON CONFLICT (${countKeys}, slot) DO UPDATE SET assets = c.assets + excluded.assets;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${name} AFTER ${verb} ON media_assets REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
};

/** Marks assets as used when a row names them, and looks again when it no longer does. */
const uses = (table: string, column: string, condition: (row: string) => string): string => `
    CREATE TRIGGER use_media AFTER INSERT ON ${table} FOR EACH ROW WHEN (${condition('NEW')})
      EXECUTE FUNCTION use_media('${column}');
    CREATE TRIGGER release_media AFTER DELETE ON ${table} FOR EACH ROW WHEN (${condition('OLD')})
      EXECUTE FUNCTION release_media('${column}');`;

const purges: readonly TablePurge[] = [
  {
    table: 'media_assets',
    tags: `SELECT ${tag.media('r.id')} AS tag FROM changed r`,
    coarse: `SELECT ${tag.environment('r.environment_id')} AS tag FROM changed r`,
    updated: `SELECT a.* FROM added a JOIN removed b USING (environment_id, id)
      WHERE to_jsonb(a) - 'is_used' <> to_jsonb(b) - 'is_used'`,
  },
  {
    table: 'media_asset_locales',
    tags: `SELECT ${tag.media('r.asset_id')} AS tag FROM changed r`,
    coarse: `SELECT ${tag.environment('r.environment_id')} AS tag FROM changed r`,
  },
];

/**
 * Assets with their folders, overlays, former files, tags and uses. Lists read indexes and counters at any number of
 * assets: `is_used` changes only with the first and the last use, so that writers of entries that show the same
 * picture do not wait for each other. Tags have rows, because the wall hides indexes of arrays from the planner.
 */
export const media: Migration = {
  name: '0026-media',
  up: `
    CREATE TABLE media_folders (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      parent_id uuid,
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT media_folders_name_key UNIQUE NULLS NOT DISTINCT (environment_id, parent_id, name),
      CONSTRAINT media_folders_parent_fkey FOREIGN KEY (environment_id, parent_id) REFERENCES media_folders (environment_id, id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );

    CREATE TABLE media_assets (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      checksum text NOT NULL,
      source_checksum text NOT NULL,
      storage_key text NOT NULL,
      file_name text NOT NULL,
      mime_type text COLLATE "C" NOT NULL,
      mime_family text COLLATE "C" NOT NULL GENERATED ALWAYS AS (split_part(mime_type, '/', 1)) STORED,
      size bigint NOT NULL,
      width integer,
      height integer,
      has_alpha boolean,
      frames integer,
      pages integer,
      duration_seconds double precision,
      codec text,
      placeholder text,
      dominant_color text,
      metadata jsonb NOT NULL DEFAULT '{}',
      scan_status text NOT NULL CHECK (scan_status IN ('pending', 'clean', 'infected', 'failed', 'skipped')),
      folder_id uuid,
      tags text[] NOT NULL,
      site_ids uuid[] NOT NULL,
      visibility text NOT NULL CHECK (visibility IN ('public', 'private')),
      focal_point_x double precision,
      focal_point_y double precision,
      version integer NOT NULL,
      is_used boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      created_by_id text GENERATED ALWAYS AS (created_by ->> 'id') STORED,
      updated_at timestamptz NOT NULL,
      updated_by jsonb NOT NULL,
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      CONSTRAINT media_assets_folder_fkey FOREIGN KEY (environment_id, folder_id) REFERENCES media_folders (environment_id, id)
    );
    COMMENT ON COLUMN media_assets.checksum IS 'SHA-256 of the stored bytes; source_checksum is of the uploaded ones.';
    CREATE INDEX media_assets_updated ON media_assets (environment_id, updated_at DESC, id DESC);
    CREATE INDEX media_assets_created ON media_assets (environment_id, created_at DESC, id DESC);
    CREATE INDEX media_assets_name ON media_assets (environment_id, file_name, id);
    CREATE INDEX media_assets_folder ON media_assets (environment_id, folder_id, updated_at DESC, id DESC);
    CREATE INDEX media_assets_family ON media_assets (environment_id, mime_family, updated_at DESC, id DESC);
    CREATE INDEX media_assets_type ON media_assets (environment_id, mime_type, updated_at DESC, id DESC);
    CREATE INDEX media_assets_unused ON media_assets (environment_id, updated_at DESC, id DESC) WHERE NOT is_used;
    CREATE INDEX media_assets_source ON media_assets (environment_id, source_checksum);
    CREATE INDEX media_assets_stored ON media_assets (storage_key);

    CREATE TABLE media_asset_locales (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      asset_id uuid NOT NULL,
      locale text NOT NULL,
      alt_text text,
      title text,
      description text,
      override_storage_key text,
      override_asset_id uuid,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, asset_id, locale),
      FOREIGN KEY (environment_id, asset_id) REFERENCES media_assets (environment_id, id) ON DELETE CASCADE,
      CONSTRAINT media_asset_locales_override_fkey FOREIGN KEY (environment_id, override_asset_id)
        REFERENCES media_assets (environment_id, id) ON DELETE SET NULL (override_asset_id)
    );
    CREATE INDEX media_asset_locales_override ON media_asset_locales (environment_id, override_asset_id);

    CREATE TABLE media_asset_versions (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      asset_id uuid NOT NULL,
      version integer NOT NULL,
      checksum text NOT NULL,
      storage_key text NOT NULL,
      file jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (environment_id, asset_id, version),
      FOREIGN KEY (environment_id, asset_id) REFERENCES media_assets (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX media_asset_versions_stored ON media_asset_versions (storage_key);
    COMMENT ON TABLE media_asset_versions IS 'Every file that an asset had, by the version of the asset that brought it.';

    CREATE TABLE media_asset_tags (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      tag text COLLATE "C" NOT NULL,
      asset_id uuid NOT NULL,
      PRIMARY KEY (environment_id, tag, asset_id),
      FOREIGN KEY (environment_id, asset_id) REFERENCES media_assets (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX media_asset_tags_asset ON media_asset_tags (environment_id, asset_id);
    CREATE FUNCTION keep_media_tags() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM media_asset_tags WHERE environment_id = NEW.environment_id AND asset_id = NEW.id AND tag <> ALL (NEW.tags);
      INSERT INTO media_asset_tags (tenant_id, environment_id, tag, asset_id)
        SELECT NEW.tenant_id, NEW.environment_id, tag, NEW.id FROM unnest(NEW.tags) AS tag ORDER BY tag ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE TRIGGER keep_media_tags_insert AFTER INSERT ON media_assets FOR EACH ROW WHEN (NEW.tags <> '{}')
      EXECUTE FUNCTION keep_media_tags();
    CREATE TRIGGER keep_media_tags_update AFTER UPDATE ON media_assets FOR EACH ROW WHEN (NEW.tags <> OLD.tags)
      EXECUTE FUNCTION keep_media_tags();

    CREATE TABLE media_counts (
      environment_id uuid NOT NULL,
      folder_id uuid NOT NULL,
      mime_type text COLLATE "C" NOT NULL,
      is_used boolean NOT NULL,
      slot integer NOT NULL,
      assets bigint NOT NULL,
      PRIMARY KEY (${countKeys}, slot)
    );
    ${counter('INSERT')}
    ${counter('UPDATE')}
    ${counter('DELETE')}

    ALTER TABLE entry_links ADD COLUMN is_media boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN entry_links.is_media IS 'Whether the target is an asset instead of an entry.';
    CREATE TABLE published_media (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      field_id uuid NOT NULL,
      asset_id uuid NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale, field_id, asset_id),
      FOREIGN KEY (environment_id, entry_id, locale) REFERENCES published_entries (environment_id, entry_id, locale) ON DELETE CASCADE
    );
    CREATE INDEX published_media_asset ON published_media (environment_id, asset_id, entry_id);

    CREATE FUNCTION use_media() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE used uuid := to_jsonb(NEW) ->> TG_ARGV[0];
    BEGIN
      -- Shared, so that a concurrent release waits and then sees this use.
      PERFORM FROM media_assets WHERE environment_id = NEW.environment_id AND id = used AND is_used FOR SHARE;
      IF NOT FOUND THEN
        UPDATE media_assets SET is_used = true WHERE environment_id = NEW.environment_id AND id = used AND NOT is_used;
      END IF;
      RETURN NULL;
    END $$;
    CREATE FUNCTION refresh_media_use(environment uuid, assets uuid[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM FROM media_assets WHERE environment_id = environment AND id = ANY (assets) ORDER BY id FOR UPDATE;
      -- A separate statement, which sees what was committed while it waited.
      UPDATE media_assets a SET is_used = NOT a.is_used WHERE a.environment_id = environment AND a.id = ANY (assets)
        AND a.is_used <> (
          EXISTS (SELECT FROM entry_links k JOIN entries e ON e.environment_id = k.environment_id AND e.id = k.entry_id
            WHERE k.environment_id = a.environment_id AND k.target_id = a.id AND e.deleted_at IS NULL)
          OR EXISTS (SELECT FROM published_media p WHERE p.environment_id = a.environment_id AND p.asset_id = a.id)
          OR EXISTS (SELECT FROM media_asset_locales l WHERE l.environment_id = a.environment_id AND l.override_asset_id = a.id));
    END $$;
    CREATE FUNCTION release_media() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM refresh_media_use(OLD.environment_id, ARRAY[(to_jsonb(OLD) ->> TG_ARGV[0])::uuid]);
      RETURN NULL;
    END $$;
    ${uses('entry_links', 'target_id', (row) => `${row}.is_media`)}
    ${uses('published_media', 'asset_id', () => 'true')}
    ${uses('media_asset_locales', 'override_asset_id', (row) => `${row}.override_asset_id IS NOT NULL`)}
    CREATE FUNCTION change_media_override() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM refresh_media_use(NEW.environment_id, array_remove(ARRAY[OLD.override_asset_id, NEW.override_asset_id], NULL));
      RETURN NULL;
    END $$;
    CREATE TRIGGER change_media_override AFTER UPDATE ON media_asset_locales FOR EACH ROW
      WHEN (OLD.override_asset_id IS DISTINCT FROM NEW.override_asset_id) EXECUTE FUNCTION change_media_override();
    CREATE FUNCTION release_media_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE named uuid[] := ARRAY(SELECT DISTINCT target_id FROM entry_links
      WHERE environment_id = NEW.environment_id AND entry_id = NEW.id AND is_media);
    BEGIN
      IF cardinality(named) > 0 THEN PERFORM refresh_media_use(NEW.environment_id, named); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER release_media_of_entry AFTER UPDATE ON entries FOR EACH ROW
      WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)) EXECUTE FUNCTION release_media_of_entry();

    ${tenantWall('media_folders')}
    ${tenantWall('media_assets')}
    ${tenantWall('media_asset_locales')}
    ${tenantWall('media_asset_versions')}
    ${tenantWall('media_asset_tags')}
    CREATE POLICY delivered ON media_assets FOR SELECT TO headwater_reader USING (scan_status NOT IN ('pending', 'infected'));
    CREATE POLICY delivered ON media_asset_locales FOR SELECT TO headwater_reader USING (true);
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'media_folders, media_assets, media_asset_locales, media_asset_tags, published_media')}
    ${grant('SELECT, INSERT', 'media_asset_versions')}
    ${grant('SELECT', 'media_counts')}
    GRANT SELECT (tenant_id, project_id, environment_id, id, checksum, storage_key, file_name, mime_type, size, width, height,
      has_alpha, frames, pages, duration_seconds, codec, placeholder, dominant_color, scan_status, site_ids, visibility,
      focal_point_x, focal_point_y, updated_at) ON media_assets TO headwater_reader;
    GRANT SELECT (environment_id, asset_id, locale, alt_text, title, description, override_asset_id) ON media_asset_locales
      TO headwater_reader;
    ${purges.map(attachPurge).join('')}
  `,
  down: `
    DROP TRIGGER release_media_of_entry ON entries;
    DROP TRIGGER use_media ON entry_links;
    DROP TRIGGER release_media ON entry_links;
    ${purges.map(detachPurge).join(' ')}
    DROP TABLE published_media, media_counts, media_asset_tags, media_asset_versions, media_asset_locales, media_assets, media_folders;
    DROP FUNCTION count_media_insert(), count_media_update(), count_media_delete(), keep_media_tags(), use_media(), release_media(),
      release_media_of_entry(), change_media_override(), refresh_media_use(uuid, uuid[]);
    ALTER TABLE entry_links DROP COLUMN is_media;
  `,
};
