import { grant, tenantWall, type Migration } from './migration.js';

/** Tables whose rows a promotion can change, with their keys within the environment. Parents precede children. */
const promotedTables: Readonly<Record<string, readonly string[]>> = {
  custom_field_types: ['id'],
  workflows: ['id'],
  content_types: ['id'],
  fields: ['id'],
  media_folders: ['id'],
  media_assets: ['id'],
  media_asset_locales: ['asset_id', 'locale'],
  media_asset_versions: ['asset_id', 'version'],
  entries: ['id'],
  entry_locales: ['entry_id', 'locale'],
  entry_links: ['entry_id', 'locale', 'field_id', 'target_id'],
  translations: ['entry_id', 'locale'],
  translation_sources: ['entry_id'],
  published_entries: ['entry_id', 'locale'],
  published_media: ['entry_id', 'locale', 'field_id', 'asset_id'],
  unique_values: ['field_id', 'locale', 'value_hash', 'entry_id', 'published_locale'],
  tree_nodes: ['id'],
  routes: ['site_id', 'locale', 'node_id', 'entry_id'],
  redirects: ['id'],
};

/** Checked at the end of a rollback, in which rows come back in the order of their tables. */
const references: readonly (readonly [string, string])[] = [
  ['tree_nodes', 'tree_nodes_environment_id_parent_id_fkey'],
  ['tree_nodes', 'tree_nodes_environment_id_entry_id_fkey'],
  ['media_folders', 'media_folders_parent_fkey'],
  ['media_assets', 'media_assets_folder_fkey'],
];
const setReferences = (timing: string): string =>
  references.map(([table, name]) => `ALTER TABLE ${table} ALTER CONSTRAINT ${name} ${timing};`).join(' ');

const isPromoting = "current_setting('headwater.promotion', true) <> ''";

const keep = ([table, keys]: readonly [string, readonly string[]]): string =>
  (['INSERT', 'UPDATE', 'DELETE'] as const)
    .map(
      (verb) => `
    CREATE TRIGGER keep_promoted_${verb.toLowerCase()} AFTER ${verb} ON ${table} FOR EACH ROW WHEN (${isPromoting})
      EXECUTE FUNCTION keep_promoted(${keys.map((key) => `'${key}'`).join(', ')});`,
    )
    .join('');

/** The rows that each promotion replaced, so that it can be rolled back (rule environments/rollback). */
export const promotedRows: Migration = {
  name: '0048-promoted-rows',
  up: `
    ALTER TABLE promotions ADD COLUMN rolled_back_at timestamptz;
    ${grant('UPDATE', 'promotions')}
    CREATE TABLE promoted_rows (
      tenant_id uuid NOT NULL,
      promotion_id uuid NOT NULL,
      table_name text NOT NULL,
      key jsonb NOT NULL,
      number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      before json,
      after_hash text,
      PRIMARY KEY (tenant_id, promotion_id, table_name, key),
      FOREIGN KEY (tenant_id, promotion_id) REFERENCES promotions (tenant_id, id) ON DELETE CASCADE
        DEFERRABLE INITIALLY DEFERRED
    );
    COMMENT ON COLUMN promoted_rows.number IS 'Rises in the order in which rows were first changed; they are put back in reverse.';
    COMMENT ON COLUMN promoted_rows.before IS 'The row as it was; null if the promotion created it.';
    COMMENT ON COLUMN promoted_rows.after_hash IS 'Of the row after the promotion; null if it was deleted.';
    CREATE INDEX promoted_rows_file ON promoted_rows ((before ->> 'storage_key'))
      WHERE table_name IN ('media_assets', 'media_asset_versions');
    ${tenantWall('promoted_rows')}
    ${grant('SELECT, INSERT, UPDATE', 'promoted_rows')}

    ${setReferences('DEFERRABLE INITIALLY IMMEDIATE')}

    CREATE FUNCTION keep_promoted() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    DECLARE
      changed jsonb := to_jsonb(coalesce(OLD, NEW));
    BEGIN
      INSERT INTO promoted_rows (tenant_id, promotion_id, table_name, key, before)
        VALUES (current_tenant_id(), current_setting('headwater.promotion')::uuid, TG_TABLE_NAME,
          (SELECT jsonb_object_agg(k, changed -> k) FROM unnest(TG_ARGV) AS k), to_json(OLD))
        ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    ${Object.entries(promotedTables).map(keep).join('')}
    CREATE TRIGGER keep_promoted_delete AFTER DELETE ON entry_versions FOR EACH ROW WHEN (${isPromoting})
      EXECUTE FUNCTION keep_promoted('entry_id', 'version_num', 'locale');
  `,
  down: `
    ${Object.keys(promotedTables)
      .map((table) =>
        ['insert', 'update', 'delete']
          .map((verb) => `DROP TRIGGER keep_promoted_${verb} ON ${table};`)
          .join(' '),
      )
      .join(' ')}
    DROP TRIGGER keep_promoted_delete ON entry_versions;
    DROP FUNCTION keep_promoted();
    ${setReferences('NOT DEFERRABLE')}
    DROP TABLE promoted_rows;
    ALTER TABLE promotions DROP COLUMN rolled_back_at;
  `,
};
