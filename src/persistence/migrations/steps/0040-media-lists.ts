import {
  mediaListTriggers,
  recountFunction,
  recountMediaLists,
  tagRowTriggers,
} from './media-list-triggers.js';
import { grant, type Migration } from './migration.js';

const walled = ['media_assets', 'media_asset_locales', 'media_asset_tags'];
/** The owner sees rows of every tenant only without forced row-level security; derived columns need no triggers. */
const unwalled = (statements: string): string => `
    ${walled.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY; ALTER TABLE ${table} DISABLE TRIGGER USER;`).join(' ')}
    ${statements}
    ${walled.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY; ALTER TABLE ${table} ENABLE TRIGGER USER;`).join(' ')}`;

const functions = `
    CREATE FUNCTION set_key(members text[]) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
      SELECT md5(array_to_string(ARRAY(SELECT DISTINCT m COLLATE "C" FROM unnest(members) AS m ORDER BY 1), ' '))::uuid $$;
    COMMENT ON FUNCTION set_key IS 'Stands for a set in keys of indexes, whose length is limited.';
    CREATE FUNCTION search_grams(environment uuid, texts text[], sizes integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(DISTINCT hashtext(environment::text || gram.part)), '{}')
      FROM unnest(texts) AS one,
        LATERAL (SELECT letter, lead(letter) OVER place AS second, lead(letter, 2) OVER place AS third
          FROM unnest(string_to_array(lower(one), NULL)) WITH ORDINALITY AS letters (letter, n) WINDOW place AS (ORDER BY n)) AS window_of,
        LATERAL (VALUES (1, letter), (2, letter || second), (3, letter || second || third)) AS gram (size, part)
      WHERE gram.size = ANY (sizes) AND gram.part IS NOT NULL $$;
    COMMENT ON FUNCTION search_grams IS
      'Hashes of all substrings of one to three letters. The environment is part of each, so that others do not slow down its searches.';
    CREATE FUNCTION search_needles(environment uuid, given text) RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
      SELECT array_agg(DISTINCT hashtext(environment::text || substr(word, start, 3)))
      FROM (SELECT lower(given) AS word) AS one,
        LATERAL (SELECT least(n, greatest(char_length(word) - 2, 1)) AS start FROM generate_series(1, char_length(word), 3) AS n) AS starts $$;
    COMMENT ON FUNCTION search_needles IS 'Hashes of substrings that cover a string: more of them find hardly fewer candidates.';`;

const tables = `
    ALTER TABLE media_assets ADD COLUMN alt_locales text[] NOT NULL DEFAULT '{}';
    ALTER TABLE media_assets
      ADD COLUMN site_set uuid NOT NULL GENERATED ALWAYS AS (set_key(site_ids::text[])) STORED,
      ADD COLUMN alt_set uuid NOT NULL GENERATED ALWAYS AS (set_key(alt_locales)) STORED;
    COMMENT ON COLUMN media_assets.alt_locales IS 'Locales with an alternative text, kept by triggers.';
    ALTER TABLE media_asset_tags ADD COLUMN updated_at timestamptz;
    COMMENT ON COLUMN media_asset_tags.updated_at IS 'That of the asset, for the order of lists.';

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
    COMMENT ON TABLE media_search IS
      'Hashes of what file names and titles contain. Not behind the wall, which hides indexes of arrays from the planner.';`;

const indexes = `
    ALTER TABLE media_asset_tags ALTER COLUMN updated_at SET NOT NULL;
    CREATE INDEX media_asset_tags_listed ON media_asset_tags (environment_id, tag, updated_at DESC, asset_id DESC);
    CREATE INDEX media_assets_sites ON media_assets (environment_id, site_set, updated_at DESC, id DESC);
    CREATE INDEX media_assets_texts ON media_assets (environment_id, alt_set, updated_at DESC, id DESC) WHERE mime_family = 'image';
    CREATE INDEX media_search_grams ON media_search USING gin (grams) WITH (fastupdate = off);`;

const tagTriggers = ['keep_media_tags_insert', 'keep_media_tags_update'];

/**
 * Orders and totals of lists of assets by site, tag, missing text and text. Few sets of sites and of locales exist, so a
 * list by one merges the assets of each set that matches.
 */
export const mediaLists: Migration = {
  name: '0040-media-lists',
  up: `
    LOCK TABLE media_assets, media_asset_locales, media_asset_tags IN SHARE ROW EXCLUSIVE MODE;
    ${functions}
    ${tables}
    ${tagTriggers.map((trigger) => `DROP TRIGGER ${trigger} ON media_assets;`).join(' ')}
    DROP FUNCTION keep_media_tags();
    ${unwalled(recountMediaLists())}
    ${indexes}
    ${mediaListTriggers.create}
    ${recountFunction}
    ${grant('SELECT', 'media_set_counts, media_tag_counts, media_search')}
  `,
  down: `
    LOCK TABLE media_assets, media_asset_locales, media_asset_tags IN SHARE ROW EXCLUSIVE MODE;
    DROP FUNCTION recount_media_lists(uuid);
    ${mediaListTriggers.drop}
    ${tagRowTriggers}
    DROP TABLE media_search, media_tag_counts, media_set_counts;
    ALTER TABLE media_asset_tags DROP COLUMN updated_at;
    ALTER TABLE media_assets DROP COLUMN site_set, DROP COLUMN alt_set, DROP COLUMN alt_locales;
    DROP FUNCTION search_needles(uuid, text), search_grams(uuid, text[], integer[]), set_key(text[]);
  `,
};
