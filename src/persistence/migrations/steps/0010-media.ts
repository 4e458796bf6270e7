import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Assets with their folders, overlays, former files, tags and uses. Lists read indexes and counters at any number
 * of assets: `is_used` changes only with the first and the last use, so that writers of entries that show the same asset
 * rarely wait for each other.
 */
export const media: Migration = {
  name: '0010-media',
  up: `
    CREATE FUNCTION set_key(members text[]) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
      SELECT md5(array_to_string(ARRAY(SELECT DISTINCT m COLLATE "C" FROM unnest(members) AS m ORDER BY 1), ' '))::uuid $$;
    COMMENT ON FUNCTION set_key IS 'Stands for a set in keys of indexes, whose length is limited.';

    CREATE TABLE media_folders (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      parent_id uuid,
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT media_folders_name_key UNIQUE NULLS NOT DISTINCT (environment_id, parent_id, name),
      PRIMARY KEY (environment_id, id),
      CONSTRAINT media_folders_parent_fkey FOREIGN KEY (environment_id, parent_id) REFERENCES media_folders (environment_id, id) DEFERRABLE,
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
      alt_locales text[] NOT NULL DEFAULT '{}',
      site_set uuid NOT NULL GENERATED ALWAYS AS (set_key((site_ids)::text[])) STORED,
      alt_set uuid NOT NULL GENERATED ALWAYS AS (set_key(alt_locales)) STORED,
      PRIMARY KEY (environment_id, id),
      CONSTRAINT media_assets_folder_fkey FOREIGN KEY (environment_id, folder_id) REFERENCES media_folders (environment_id, id) DEFERRABLE,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX media_assets_created ON media_assets (environment_id, created_at DESC, id DESC);
    CREATE INDEX media_assets_family ON media_assets (environment_id, mime_family, updated_at DESC, id DESC);
    CREATE INDEX media_assets_folder ON media_assets (environment_id, folder_id, updated_at DESC, id DESC);
    CREATE INDEX media_assets_name ON media_assets (environment_id, file_name COLLATE "und-x-icu", id);
    CREATE INDEX media_assets_sites ON media_assets (environment_id, site_set, updated_at DESC, id DESC);
    CREATE INDEX media_assets_source ON media_assets (environment_id, source_checksum);
    CREATE INDEX media_assets_stored ON media_assets (storage_key);
    CREATE INDEX media_assets_texts ON media_assets (environment_id, alt_set, updated_at DESC, id DESC) WHERE mime_family = 'image';
    CREATE INDEX media_assets_type ON media_assets (environment_id, mime_type, updated_at DESC, id DESC);
    CREATE INDEX media_assets_unused ON media_assets (environment_id, updated_at DESC, id DESC) WHERE NOT is_used;
    CREATE INDEX media_assets_updated ON media_assets (environment_id, updated_at DESC, id DESC);
    COMMENT ON COLUMN media_assets.checksum IS 'SHA-256 of the stored bytes; source_checksum is of the uploaded ones.';
    COMMENT ON COLUMN media_assets.alt_locales IS 'Locales with an alternative text, kept by triggers.';

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
      CONSTRAINT media_asset_locales_override_fkey FOREIGN KEY (environment_id, override_asset_id) REFERENCES media_assets (environment_id, id) ON DELETE SET NULL (override_asset_id)
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
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, tag, asset_id),
      FOREIGN KEY (environment_id, asset_id) REFERENCES media_assets (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX media_asset_tags_asset ON media_asset_tags (environment_id, asset_id);
    CREATE INDEX media_asset_tags_listed ON media_asset_tags (environment_id, tag, updated_at DESC, asset_id DESC);
    COMMENT ON COLUMN media_asset_tags.updated_at IS 'That of the asset, for the order of lists.';

    CREATE TABLE media_counts (
      environment_id uuid NOT NULL,
      folder_id uuid NOT NULL,
      mime_type text COLLATE "C" NOT NULL,
      is_used boolean NOT NULL,
      slot integer NOT NULL,
      assets bigint NOT NULL,
      PRIMARY KEY (environment_id, folder_id, mime_type, is_used, slot)
    );

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

    CREATE TABLE rendition_claims (
      key text COLLATE "C" PRIMARY KEY,
      claimed_until timestamptz NOT NULL
    );

    CREATE TABLE media_set_counts (
      environment_id uuid NOT NULL,
      mime_family text COLLATE "C" NOT NULL,
      site_set uuid NOT NULL,
      alt_set uuid NOT NULL,
      slot integer NOT NULL,
      assets bigint NOT NULL,
      site_ids uuid[] NOT NULL,
      alt_locales text[] NOT NULL,
      PRIMARY KEY (environment_id, mime_family, site_set, alt_set, slot)
    );
    COMMENT ON TABLE media_set_counts IS 'Assets by the sites they name and the locales they have an alternative text in.';

    CREATE TABLE media_tag_counts (
      environment_id uuid NOT NULL,
      tag text COLLATE "C" NOT NULL,
      slot integer NOT NULL,
      assets bigint NOT NULL,
      PRIMARY KEY (environment_id, tag, slot)
    );

    CREATE TABLE media_search (
      environment_id uuid NOT NULL,
      asset_id uuid NOT NULL,
      grams integer[] NOT NULL,
      PRIMARY KEY (environment_id, asset_id),
      FOREIGN KEY (environment_id, asset_id) REFERENCES media_assets (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX media_search_grams ON media_search USING gin (grams) WITH (fastupdate=off);
    COMMENT ON TABLE media_search IS 'Hashes of what file names and titles contain. Not behind the wall, which hides indexes of arrays from the planner.';

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
    CREATE TRIGGER use_media AFTER INSERT ON entry_links FOR EACH ROW WHEN (NEW.is_media)
      EXECUTE FUNCTION use_media('target_id');
    CREATE TRIGGER use_media AFTER INSERT ON published_media FOR EACH ROW WHEN (true)
      EXECUTE FUNCTION use_media('asset_id');
    CREATE TRIGGER use_media AFTER INSERT ON media_asset_locales FOR EACH ROW WHEN (NEW.override_asset_id IS NOT NULL)
      EXECUTE FUNCTION use_media('override_asset_id');

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
    CREATE TRIGGER release_media AFTER DELETE ON entry_links FOR EACH ROW WHEN (OLD.is_media)
      EXECUTE FUNCTION release_media('target_id');
    CREATE TRIGGER release_media AFTER DELETE ON published_media FOR EACH ROW WHEN (true)
      EXECUTE FUNCTION release_media('asset_id');
    CREATE TRIGGER release_media AFTER DELETE ON media_asset_locales FOR EACH ROW WHEN (OLD.override_asset_id IS NOT NULL)
      EXECUTE FUNCTION release_media('override_asset_id');

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

    CREATE FUNCTION search_grams(environment uuid, texts text[], sizes integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(DISTINCT hashtext(environment::text || gram.part)), '{}')
      FROM unnest(texts) AS one,
        LATERAL (SELECT letter, lead(letter) OVER place AS second, lead(letter, 2) OVER place AS third
          FROM unnest(string_to_array(lower(normalize(one, NFC)), NULL)) WITH ORDINALITY AS letters (letter, n) WINDOW place AS (ORDER BY n)) AS window_of,
        LATERAL (VALUES (1, letter), (2, letter || second), (3, letter || second || third)) AS gram (size, part)
      WHERE gram.size = ANY (sizes) AND gram.part IS NOT NULL $$;
    COMMENT ON FUNCTION search_grams IS 'Hashes of all substrings of one to three letters. The environment is part of each, so that others do not slow down its searches.';

    CREATE FUNCTION search_needles(environment uuid, given text) RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
      SELECT array_agg(DISTINCT hashtext(environment::text || substr(word, start, 3)))
      FROM (SELECT lower(given) AS word) AS one,
        LATERAL (SELECT least(n, greatest(char_length(word) - 2, 1)) AS start FROM generate_series(1, char_length(word), 3) AS n) AS starts $$;
    COMMENT ON FUNCTION search_needles IS 'Hashes of substrings that cover a string: more of them find hardly fewer candidates.';

    CREATE POLICY delivered ON media_asset_locales FOR SELECT TO headwater_reader
      USING (true);
    ${tenantWall('media_asset_locales')}
    ${tenantWall('media_asset_tags')}
    ${tenantWall('media_asset_versions')}
    CREATE POLICY delivered ON media_assets FOR SELECT TO headwater_reader
      USING (scan_status <> ALL (ARRAY['pending', 'infected']));
    ${tenantWall('media_assets')}
    ${tenantWall('media_folders')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'media_folders, media_assets, media_asset_locales, media_asset_tags, published_media, rendition_claims')}
    ${grant('SELECT, INSERT', 'media_asset_versions')}
    ${grant('SELECT', 'media_counts, media_set_counts, media_tag_counts, media_search')}
    GRANT SELECT (environment_id, asset_id, locale, alt_text, title, description, override_asset_id) ON media_asset_locales TO headwater_reader;
    GRANT SELECT (tenant_id, project_id, environment_id, id, checksum, storage_key, file_name, mime_type, size, width, height, has_alpha, frames, pages, duration_seconds, codec, placeholder, dominant_color, scan_status, site_ids, visibility, focal_point_x, focal_point_y, updated_at) ON media_assets TO headwater_reader;
  `,
  down: `
    DROP FUNCTION use_media, refresh_media_use, release_media, change_media_override, release_media_of_entry,
      set_key, search_grams, search_needles CASCADE;
    DROP TABLE media_search, media_tag_counts, media_set_counts, rendition_claims, published_media,
      media_counts, media_asset_tags, media_asset_versions, media_asset_locales, media_assets, media_folders
      CASCADE;
  `,
};
