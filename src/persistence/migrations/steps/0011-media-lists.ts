import {
  afterStatement,
  grant,
  ownersFunction,
  steps,
  tenantWall,
  unlessEmpty,
  verbs,
  type Migration,
  type Verb,
} from './migration.js';

const slot = (id: string): string => `get_byte(uuid_send(${id}), 15) & 15`;

const setKeys = 'environment_id, mime_family, site_set, alt_set';
const countSets = (sources: string): string => `
      INSERT INTO media_set_counts AS c (${setKeys}, slot, assets, site_ids, alt_locales)
        SELECT ${setKeys}, ${slot('id')} AS slot, sum(step), min(site_ids), min(alt_locales) FROM (${sources}) AS changed
          GROUP BY ${setKeys}, slot HAVING sum(step) <> 0 ORDER BY ${setKeys}, slot
        ON CONFLICT (${setKeys}, slot) DO UPDATE SET assets = c.assets + excluded.assets;`;
const setRows = (source: string, step: string): string =>
  `SELECT ${setKeys}, id, site_ids, alt_locales, ${step} AS step FROM ${source}`;

const countTags = (source: string, step: string): string => `
      INSERT INTO media_tag_counts AS c (environment_id, tag, slot, assets)
        SELECT environment_id, tag, ${slot('asset_id')} AS slot, ${step} * count(*) FROM ${source}
          GROUP BY environment_id, tag, slot ORDER BY environment_id, tag, slot
        ON CONFLICT (environment_id, tag, slot) DO UPDATE SET assets = c.assets + excluded.assets;`;

/** @param rows SQL of rows `a` of assets */
const addTags = (rows: string, onConflict: string): string => `
      INSERT INTO media_asset_tags (tenant_id, environment_id, tag, asset_id, updated_at)
        SELECT DISTINCT a.tenant_id, a.environment_id, tag, a.id, a.updated_at FROM ${rows}, unnest(a.tags) AS tag
          ORDER BY a.environment_id, a.id, tag
        ON CONFLICT (environment_id, tag, asset_id) ${onConflict};`;

const indexTexts = (rows: string): string => `
      INSERT INTO media_search (environment_id, asset_id, grams)
        SELECT a.environment_id, a.id, search_grams(a.environment_id, a.file_name || ARRAY(SELECT l.title FROM media_asset_locales l
            WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND l.title IS NOT NULL), '{1,2,3}')
          FROM ${rows} ORDER BY a.environment_id, a.id
        ON CONFLICT (environment_id, asset_id) DO UPDATE SET grams = excluded.grams;`;

interface Trigger {
  readonly name: string;
  readonly table: string;
  readonly verb: Verb;
  readonly body: string;
}

const pairs = 'added a JOIN removed b ON b.environment_id = a.environment_id AND b.id = a.id';

/** Most updates of assets change none of this, such as the first use. */
const updated = `
      IF EXISTS (SELECT FROM ${pairs} WHERE (a.mime_family, a.site_set, a.alt_set) <> (b.mime_family, b.site_set, b.alt_set)) THEN
        ${countSets(`${setRows('added', '1')} UNION ALL ${setRows('removed', '-1')}`)}
      END IF;
      IF EXISTS (SELECT FROM ${pairs} WHERE a.tags <> b.tags) THEN
        DELETE FROM media_asset_tags t USING ${pairs} WHERE a.tags <> b.tags
          AND t.environment_id = a.environment_id AND t.asset_id = a.id AND t.tag <> ALL (a.tags);
      END IF;
      IF EXISTS (SELECT FROM ${pairs} WHERE a.tags <> b.tags OR a.tags <> '{}' AND a.updated_at <> b.updated_at) THEN
        ${addTags(
          `(SELECT a.* FROM ${pairs} WHERE a.tags <> b.tags OR a.updated_at <> b.updated_at) AS a`,
          'DO UPDATE SET updated_at = excluded.updated_at',
        )}
      END IF;
      IF EXISTS (SELECT FROM ${pairs} WHERE a.file_name <> b.file_name) THEN
        ${indexTexts(`(SELECT a.* FROM ${pairs} WHERE a.file_name <> b.file_name) AS a`)}
      END IF;`;

/** Rows of overlays whose alternative text appeared or disappeared, or whose title changed. */
const changedTexts = {
  INSERT:
    'SELECT environment_id, asset_id, alt_text IS NOT NULL AS has_alt, title IS NOT NULL AS has_title FROM added',
  DELETE:
    'SELECT environment_id, asset_id, alt_text IS NOT NULL AS has_alt, title IS NOT NULL AS has_title FROM removed',
  UPDATE: `SELECT environment_id, asset_id, (a.alt_text IS NULL) <> (b.alt_text IS NULL) AS has_alt,
      a.title IS DISTINCT FROM b.title AS has_title FROM added a JOIN removed b USING (environment_id, asset_id, locale)`,
} as const;

const altLocales = `ARRAY(SELECT l.locale FROM media_asset_locales l
          WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND l.alt_text IS NOT NULL ORDER BY l.locale)`;

/** Locks first, so that a separate statement sees what was committed while it waited. */
const textTrigger = (verb: Verb): Trigger => {
  const among = (column: string): string =>
    `(a.environment_id, a.id) IN (SELECT environment_id, asset_id FROM (${changedTexts[verb]}) AS changed WHERE ${column})`;
  return {
    name: `list_media_texts_${verb.toLowerCase()}`,
    table: 'media_asset_locales',
    verb,
    body: `
      PERFORM FROM media_assets a WHERE ${among('has_alt OR has_title')} ORDER BY a.environment_id, a.id FOR NO KEY UPDATE;
      IF NOT FOUND THEN RETURN NULL; END IF;
      UPDATE media_assets a SET alt_locales = ${altLocales} WHERE ${among('has_alt')} AND a.alt_locales <> ${altLocales};
      IF EXISTS (SELECT FROM (${changedTexts[verb]}) AS changed WHERE has_title) THEN
        ${indexTexts(`media_assets a WHERE ${among('has_title')}`)}
      END IF;`,
  };
};

const triggers: readonly Trigger[] = [
  {
    name: 'list_media_insert',
    table: 'media_assets',
    verb: 'INSERT',
    body: `${countSets(setRows('added', '1'))}
      IF EXISTS (SELECT FROM added WHERE tags <> '{}') THEN${addTags('added a', 'DO NOTHING')}
      END IF;${indexTexts('added a')}`,
  },
  { name: 'list_media_update', table: 'media_assets', verb: 'UPDATE', body: updated },
  {
    name: 'list_media_delete',
    table: 'media_assets',
    verb: 'DELETE',
    body: countSets(setRows('removed', '-1')),
  },
  {
    name: 'count_media_tags_insert',
    table: 'media_asset_tags',
    verb: 'INSERT',
    body: countTags('added', '1'),
  },
  {
    name: 'count_media_tags_delete',
    table: 'media_asset_tags',
    verb: 'DELETE',
    body: countTags('removed', '-1'),
  },
  ...verbs.map(textTrigger),
];

/** The triggers that keep what lists of assets read. */
const listTriggers = triggers
  .map(
    ({ name, table, verb, body }) =>
      `${ownersFunction(name, `${unlessEmpty(verb)}${body}`)}${afterStatement({ verb, table, name })}`,
  )
  .join('');

/** Everything that the triggers keep, from the rows that exist. @param among SQL condition on rows of an alias */
const recountLists = (among: (alias: string) => string): string => `
    UPDATE media_assets a SET alt_locales = ${altLocales} WHERE ${among('a')} AND a.alt_locales <> ${altLocales};
    DELETE FROM media_asset_tags t USING media_assets a WHERE ${among('a')} AND a.environment_id = t.environment_id
      AND a.id = t.asset_id AND t.tag <> ALL (a.tags);
    ${addTags(`(SELECT * FROM media_assets a WHERE ${among('a')}) AS a`, 'DO UPDATE SET updated_at = excluded.updated_at')}
    DELETE FROM media_set_counts c WHERE ${among('c')};
    ${countSets(setRows(`media_assets a WHERE ${among('a')}`, '1'))}
    DELETE FROM media_tag_counts c WHERE ${among('c')};
    ${countTags(`media_asset_tags t WHERE ${among('t')}`, '1')}
    ${indexTexts(`media_assets a WHERE ${among('a')}`)}`;

const folderKeys = 'environment_id, folder_id, mime_type, is_used';
/** Each asset counts in its folder, and among those of all folders. */
const countFolders = (verb: Verb): string => {
  const name = `count_media_${verb.toLowerCase()}`;
  const rowsOf = (source: string, step: string): string =>
    `SELECT s.environment_id, f.folder_id, s.mime_type, s.is_used, s.id, ${step} AS step
         FROM ${source} s, LATERAL (VALUES (coalesce(s.folder_id, '00000000-0000-0000-0000-000000000000'::uuid)), ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) AS f (folder_id)`;
  const count = `
      INSERT INTO media_counts AS c (${folderKeys}, slot, assets)
        SELECT ${folderKeys}, ${slot('id')} AS slot, sum(step) FROM (${steps(verb, rowsOf)}) AS changed
          GROUP BY ${folderKeys}, slot HAVING sum(step) <> 0 ORDER BY ${folderKeys}, slot
        ON CONFLICT (${folderKeys}, slot) DO UPDATE SET assets = c.assets + excluded.assets;`;
  return `${ownersFunction(name, count)}${afterStatement({ verb, table: 'media_assets', name })}`;
};

const recountFolders = `
    DELETE FROM media_counts c WHERE c.environment_id = environment;
    INSERT INTO media_counts (${folderKeys}, slot, assets)
      SELECT a.environment_id, folder.id, a.mime_type, a.is_used, ${slot('a.id')} AS slot, count(*)
        FROM media_assets a, LATERAL (VALUES (coalesce(a.folder_id, '00000000-0000-0000-0000-000000000000')),
          ('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) AS folder (id)
        WHERE a.environment_id = environment GROUP BY a.environment_id, folder.id, a.mime_type, a.is_used, slot;`;

/** A repair keeps writers of assets out, so that it counts what they have committed. */
const recountFunction = `
    CREATE FUNCTION recount_media_lists(environment uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM environments WHERE id = environment) THEN RETURN; END IF;
      LOCK TABLE media_assets, media_asset_locales, media_asset_tags IN SHARE ROW EXCLUSIVE MODE;
      ${recountLists((alias) => `${alias}.environment_id = environment`)}
      ${recountFolders}
    END $$;
    REVOKE EXECUTE ON FUNCTION recount_media_lists(uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION recount_media_lists(uuid) TO headwater_service;`;

/**
 * What lists of assets read: counts by folder, by sets of sites and alternative texts, and by tag; and parts of names and
 * titles. Triggers keep it on every write path. And uploads in
 * parts.
 */
export const mediaLists: Migration = {
  name: '0011-media-lists',
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
      received bigint NOT NULL DEFAULT 0,
      asset_id uuid,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      expires_at timestamptz NOT NULL,
      is_request boolean NOT NULL DEFAULT false,
      PRIMARY KEY (environment_id, id),
      CHECK ((received >= 0) AND (received <= size)),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX media_uploads_expired ON media_uploads (expires_at);
    CREATE INDEX media_uploads_open ON media_uploads (environment_id) WHERE asset_id IS NULL;
    COMMENT ON COLUMN media_uploads.request IS 'The asset to create, apart from its file.';
    COMMENT ON COLUMN media_uploads.is_request IS 'The file arrives with its request, and the row is deleted when that ends.';

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

    ${verbs.map(countFolders).join('')}
    ${listTriggers}
    ${recountFunction}

    ${tenantWall('media_upload_parts')}
    ${tenantWall('media_uploads', 'tenant_id', 'OR is_platform_work()')}
    ${grant('SELECT, INSERT, DELETE', 'media_upload_parts')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'media_uploads')}
    REVOKE ALL ON FUNCTION recount_media_lists(uuid) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION recount_media_lists(uuid) TO headwater_service;
  `,
  down: `
    DROP FUNCTION count_media_insert, count_media_update, count_media_delete, list_media_insert,
      list_media_update, list_media_delete, count_media_tags_insert, count_media_tags_delete,
      list_media_texts_insert, list_media_texts_update, list_media_texts_delete, recount_media_lists CASCADE;
    DROP TABLE media_upload_parts, media_uploads CASCADE;
  `,
};
