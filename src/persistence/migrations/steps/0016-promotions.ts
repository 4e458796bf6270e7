import { grant, tenantWall, verbs, type Migration, type Verb } from './migration.js';

/** Tables whose rows a promotion can change, with their keys within the environment. */
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
  owned_blocks: ['id'],
  translations: ['entry_id', 'locale'],
  translation_sources: ['entry_id'],
  published_entries: ['entry_id', 'locale'],
  published_media: ['entry_id', 'locale', 'field_id', 'asset_id'],
  unique_values: ['field_id', 'locale', 'value_hash', 'entry_id', 'published_locale'],
  tree_nodes: ['id'],
  routes: ['site_id', 'locale', 'node_id', 'entry_id'],
  redirects: ['id'],
};

const keepAfter = (verb: Verb, table: string, keys: readonly string[]): string => `
    CREATE TRIGGER keep_promoted_${verb.toLowerCase()} AFTER ${verb} ON ${table} FOR EACH ROW
      WHEN (current_setting('headwater.promotion', true) <> '')
      EXECUTE FUNCTION keep_promoted(${keys.map((key) => `'${key}'`).join(', ')});`;
const keep = ([table, keys]: readonly [string, readonly string[]]): string =>
  verbs.map((verb) => keepAfter(verb, table, keys)).join('');

/** Promotions between environments, and what they replaced, so that they can be rolled back. */
export const promotions: Migration = {
  name: '0016-promotions',
  up: `
    CREATE TABLE promotions (
      tenant_id uuid NOT NULL,
      project_id uuid NOT NULL,
      id uuid NOT NULL,
      source_environment text NOT NULL,
      environment_id uuid NOT NULL,
      comment text,
      summary jsonb,
      created_at timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      rolled_back_at timestamptz,
      status text NOT NULL DEFAULT 'succeeded',
      error jsonb,
      applied_at timestamptz,
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT promotions_status CHECK (status IN ('running', 'succeeded', 'failed', 'rolling_back', 'rolled_back')),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX promotions_environment ON promotions (environment_id, created_at DESC);
    COMMENT ON COLUMN promotions.environment_id IS 'The target, which was changed.';
    COMMENT ON COLUMN promotions.error IS 'Why it failed, or why its last rollback did.';
    COMMENT ON COLUMN promotions.applied_at IS 'When the target was changed; its renames have this time.';

    CREATE TABLE environment_bases (
      tenant_id uuid NOT NULL,
      kind text NOT NULL,
      item_id uuid NOT NULL,
      part text NOT NULL,
      environment_id uuid NOT NULL,
      "row" json,
      rename_number bigint NOT NULL DEFAULT last_rename(),
      status text,
      low_id uuid NOT NULL,
      high_id uuid NOT NULL,
      number bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (kind, item_id, low_id, high_id, part),
      CHECK (low_id < high_id),
      FOREIGN KEY (tenant_id, high_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, low_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX environment_bases_high ON environment_bases (high_id);
    CREATE INDEX environment_bases_low ON environment_bases (low_id);
    COMMENT ON TABLE environment_bases IS 'Items that were promoted: the last state that two environments had in common, from which comparisons of them start.';
    COMMENT ON COLUMN environment_bases.environment_id IS 'Whose names the row uses; it may be deleted.';
    COMMENT ON COLUMN environment_bases.status IS 'Of a locale: the status that both environments last agreed on, if that of the row was not promoted.';
    COMMENT ON COLUMN environment_bases.number IS 'Orders the states that two environments had in common.';

    CREATE TABLE promoted_rows (
      tenant_id uuid NOT NULL,
      promotion_id uuid NOT NULL,
      table_name text NOT NULL,
      key jsonb NOT NULL,
      number bigint GENERATED ALWAYS AS IDENTITY,
      before json,
      after_hash text,
      PRIMARY KEY (tenant_id, promotion_id, table_name, key),
      FOREIGN KEY (tenant_id, promotion_id) REFERENCES promotions (tenant_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
    );
    CREATE INDEX promoted_rows_file ON promoted_rows (((before ->> 'storage_key'))) WHERE table_name IN ('media_assets', 'media_asset_versions');
    COMMENT ON COLUMN promoted_rows.number IS 'Rises in the order in which rows were first changed; they are put back in reverse.';
    COMMENT ON COLUMN promoted_rows.before IS 'The row as it was; null if the promotion created it.';
    COMMENT ON COLUMN promoted_rows.after_hash IS 'Of the row after the promotion; null if it was deleted.';

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
    ${keepAfter('DELETE', 'entry_versions', ['entry_id', 'version_num', 'locale'])}

    ${tenantWall('environment_bases')}
    ${tenantWall('promoted_rows')}
    ${tenantWall('promotions')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'environment_bases')}
    ${grant('SELECT, INSERT, UPDATE', 'promotions, promoted_rows')}
  `,
  down: `
    DROP FUNCTION keep_promoted CASCADE;
    DROP TABLE promoted_rows, environment_bases, promotions CASCADE;
  `,
};
