import { afterStatement, grant, ownersFunction, verbs, type Migration, type Verb } from './migration.js';

/** In place of a site: the change concerns all of them. */
const EVERY_SITE = "'00000000-0000-0000-0000-000000000000'::uuid";

const unlessCopying = `
      IF current_setting('headwater.copying', true) = 'on' THEN RETURN NULL; END IF;`;

interface SyncedTable {
  readonly table: string;
  readonly kind: 'entry' | 'asset' | 'route' | 'redirect';
  readonly primary: readonly string[];
  /** SQL of `environment_id, site_id, item_id, locale` of a row. */
  readonly keys: (row: string) => string;
  /** SQL of what sites receive of a row, the cheapest comparison first. */
  readonly delivered: (row: string) => string;
}

/** SQL of the keys of the rows that sites see differently after a statement. */
function changedKeys({ primary, keys, delivered }: SyncedTable, verb: Verb): string {
  if (verb === 'INSERT') return `SELECT k.* FROM added a CROSS JOIN LATERAL (${keys('a')}) AS k`;
  if (verb === 'DELETE') return `SELECT k.* FROM removed r CROSS JOIN LATERAL (${keys('r')}) AS k`;
  return `SELECT DISTINCT k.* FROM removed r FULL JOIN added a USING (${primary.join(', ')})
          CROSS JOIN LATERAL (${keys('r')} UNION ALL ${keys('a')}) AS k
          WHERE k.site_id IS NOT NULL AND ${delivered('a')} IS DISTINCT FROM ${delivered('r')}`;
}

const sitesOf = (row: string): string =>
  `unnest(CASE WHEN ${row}.site_ids = '{}' THEN ARRAY[${EVERY_SITE}] ELSE ${row}.site_ids END)`;

/** Documents of every locale have no locale of their own. */
const entries: SyncedTable = {
  table: 'published_entries',
  kind: 'entry',
  primary: ['environment_id', 'entry_id', 'locale'],
  keys: (row) => `SELECT ${row}.environment_id, ${row}.site_id, ${row}.entry_id AS item_id,
            CASE WHEN ${row}.all_locales THEN NULL ELSE ${row}.locale END AS locale`,
  delivered: (row) =>
    `(${row}.published_at, ${row}.slug, ${row}.site_id, ${row}.content_type_id, ${row}.all_locales, ${row}.fields, ${row}.blocks)`,
};
const assets: SyncedTable = {
  table: 'media_assets',
  kind: 'asset',
  primary: ['environment_id', 'id'],
  keys: (row) =>
    `SELECT ${row}.environment_id, ${sitesOf(row)} AS site_id, ${row}.id AS item_id, NULL::text AS locale`,
  delivered: (row) => `(${row}.updated_at, to_jsonb(${row}) - 'is_used')`,
};
const overlays: SyncedTable = {
  table: 'media_asset_locales',
  kind: 'asset',
  primary: ['environment_id', 'asset_id', 'locale'],
  keys: (row) => `SELECT m.environment_id, ${sitesOf('m')} AS site_id, m.id AS item_id, NULL::text AS locale
            FROM media_assets m WHERE m.environment_id = ${row}.environment_id AND m.id = ${row}.asset_id`,
  delivered: (row) => `to_jsonb(${row})`,
};
const redirects: SyncedTable = {
  table: 'redirects',
  kind: 'redirect',
  primary: ['environment_id', 'id'],
  keys: (row) => `SELECT ${row}.environment_id, ${row}.site_id, ${row}.id AS item_id, NULL::text AS locale`,
  delivered: (row) => `(to_jsonb(${row}) - '{hit_count,last_hit_at}'::text[])`,
};

const note = (keys: string, kind: string): string => `
      INSERT INTO sync_changes (environment_id, site_id, kind, item_id, locale)
        SELECT k.environment_id, k.site_id, ${kind}, k.item_id, k.locale FROM (${keys}) AS k;`;

function noteTable(synced: SyncedTable, verb: Verb, others = ''): string {
  const { table, kind } = synced;
  const name = `note_sync_${table}_${verb.toLowerCase()}`;
  const body = `${unlessCopying}${note(changedKeys(synced, verb), `'${kind}'`)}${others}`;
  return `${ownersFunction(name, body)}${afterStatement({ verb, table, name })}`;
}

/** Assets that show the file of another one in some locale. */
const showing = (verb: Verb): string =>
  verb === 'INSERT'
    ? ''
    : note(
        `SELECT DISTINCT m.environment_id, ${sitesOf('m')} AS site_id, m.id AS item_id, NULL::text AS locale
          FROM (${changedKeys(assets, verb)}) AS c
            JOIN media_asset_locales l ON l.environment_id = c.environment_id AND l.override_asset_id = c.item_id
            JOIN media_assets m ON m.environment_id = l.environment_id AND m.id = l.asset_id`,
        "'asset'",
      );

const place = 'environment_id, site_id, locale, entry_id, served_path, served_rank';
const changedPlaces: Readonly<Record<Verb, string>> = {
  INSERT: `SELECT ${place} FROM added`,
  UPDATE: `(SELECT ${place} FROM added EXCEPT SELECT ${place} FROM removed)
            UNION (SELECT ${place} FROM removed EXCEPT SELECT ${place} FROM added)`,
  DELETE: `SELECT ${place} FROM removed`,
};

/** Paths of pages, and those of pages shown by fallback that another page takes or leaves. */
function noteRoutes(verb: Verb): string {
  const name = `note_sync_routes_${verb.toLowerCase()}`;
  const keys = `
        WITH changed AS MATERIALIZED (SELECT * FROM (${changedPlaces[verb]}) AS p WHERE p.served_path IS NOT NULL)
        SELECT c.environment_id, c.site_id, c.entry_id AS item_id, c.locale FROM changed c WHERE c.entry_id IS NOT NULL
        UNION SELECT o.environment_id, o.site_id, o.entry_id, o.locale FROM changed c
          JOIN routes o ON o.environment_id = c.environment_id AND o.site_id = c.site_id AND o.locale = c.locale
            AND o.served_path = c.served_path WHERE o.served_rank > 1 AND o.entry_id IS NOT NULL`;
  const body = `${unlessCopying}${note(keys, "'route'")}`;
  return `${ownersFunction(name, body)}${afterStatement({ verb, table: 'routes', name })}`;
}

const tables = ['published_entries', 'media_assets', 'media_asset_locales', 'redirects', 'routes'];
const functions = tables.flatMap((table) => verbs.map((verb) => `note_sync_${table}_${verb.toLowerCase()}`));

/**
 * What changed in the content that a site serves (rule publication/sync). A row names what changed and its transaction;
 * readers read its present state. Triggers write it, so that no writer omits any, one row for each row that it writes.
 */
export const sync: Migration = {
  name: '0029-sync',
  up: `
    CREATE SEQUENCE sync_change_id;
    CREATE TABLE sync_changes (
      environment_id uuid NOT NULL,
      site_id uuid NOT NULL,
      xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
      id bigint NOT NULL DEFAULT nextval('sync_change_id'),
      kind text COLLATE "C" NOT NULL CHECK (kind IN ('entry', 'asset', 'route', 'redirect', 'type', 'site', 'locale')),
      item_id uuid NOT NULL,
      locale text,
      noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (environment_id, site_id, xid, id)
    );
    CREATE INDEX sync_changes_noted ON sync_changes USING brin (noted_at) WITH (pages_per_range = 16);
    COMMENT ON COLUMN sync_changes.site_id IS 'The nil UUID: every site.';
    COMMENT ON COLUMN sync_changes.kind IS
      'type: all entries of a type are delivered differently; site: all that the site serves; locale: the site no longer serves it.';

    ${verbs.map((verb) => noteTable(entries, verb)).join('')}
    ${verbs.map((verb) => noteTable(assets, verb, showing(verb))).join('')}
    ${verbs.map((verb) => noteTable(overlays, verb)).join('')}
    ${verbs.map((verb) => noteTable(redirects, verb)).join('')}
    ${verbs.map(noteRoutes).join('')}

    CREATE FUNCTION note_sync_type() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    DECLARE
      changed jsonb := to_jsonb(coalesce(NEW, OLD));
      environment uuid := changed ->> 'environment_id';
      type uuid := changed ->> TG_ARGV[0];
    BEGIN
      IF current_setting('headwater.copying', true) = 'on' OR current_setting('headwater.deleting', true) = 'on' THEN RETURN NULL; END IF;
      INSERT INTO sync_changes (environment_id, site_id, kind, item_id) SELECT environment, ${EVERY_SITE}, 'type', type
        WHERE EXISTS (SELECT FROM published_entries p WHERE p.environment_id = environment AND p.content_type_id = type)
          OR EXISTS (SELECT FROM owned_blocks b WHERE b.environment_id = environment AND b.content_type_id = type);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_sync AFTER INSERT OR DELETE ON fields FOR EACH ROW EXECUTE FUNCTION note_sync_type('content_type_id');
    CREATE TRIGGER note_sync_update AFTER UPDATE ON fields FOR EACH ROW
      WHEN ((OLD.api_name, OLD.is_list, OLD.type) IS DISTINCT FROM (NEW.api_name, NEW.is_list, NEW.type))
      EXECUTE FUNCTION note_sync_type('content_type_id');
    CREATE TRIGGER note_sync AFTER UPDATE ON content_types FOR EACH ROW
      WHEN ((OLD.api_name, OLD.is_localized) IS DISTINCT FROM (NEW.api_name, NEW.is_localized))
      EXECUTE FUNCTION note_sync_type('id');

    CREATE FUNCTION note_sync_site() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      INSERT INTO sync_changes (environment_id, site_id, kind, item_id, locale)
        SELECT v.id, NEW.id, c.kind, NEW.id, c.locale FROM environments v
          CROSS JOIN (SELECT 'site' AS kind, NULL AS locale
            UNION ALL SELECT 'locale', o.locale FROM unnest(OLD.locales) AS o (locale) WHERE o.locale <> ALL (NEW.locales)) AS c
          WHERE v.tenant_id = NEW.tenant_id AND v.project_id = NEW.project_id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_sync AFTER UPDATE ON sites FOR EACH ROW
      WHEN ((OLD.locales, OLD.default_locale, OLD.locale_path_strategy, OLD.allowed_targets)
        IS DISTINCT FROM (NEW.locales, NEW.default_locale, NEW.locale_path_strategy, NEW.allowed_targets))
      EXECUTE FUNCTION note_sync_site();

    CREATE FUNCTION note_sync_locale() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    DECLARE
      tenant uuid := coalesce(NEW.tenant_id, OLD.tenant_id);
      code text := coalesce(NEW.code, OLD.code);
      is_served boolean := coalesce(NEW.is_active, false);
    BEGIN
      INSERT INTO sync_changes (environment_id, site_id, kind, item_id, locale)
        SELECT v.id, s.id, c.kind, s.id, c.locale FROM sites s
          JOIN environments v ON v.tenant_id = s.tenant_id AND v.project_id = s.project_id
          CROSS JOIN (SELECT 'site' AS kind, NULL AS locale UNION ALL SELECT 'locale', code WHERE NOT is_served) AS c
          WHERE s.tenant_id = tenant AND code = ANY (s.locales);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_sync AFTER INSERT OR DELETE ON locales FOR EACH ROW EXECUTE FUNCTION note_sync_locale();
    CREATE TRIGGER note_sync_update AFTER UPDATE ON locales FOR EACH ROW
      WHEN ((OLD.fallback_code, OLD.is_active) IS DISTINCT FROM (NEW.fallback_code, NEW.is_active))
      EXECUTE FUNCTION note_sync_locale();

    GRANT SELECT ON sync_changes TO headwater_reader;
    ${grant('SELECT, DELETE', 'sync_changes')}
  `,
  down: `
    DROP FUNCTION ${functions.join(', ')}, note_sync_type, note_sync_site, note_sync_locale CASCADE;
    DROP TABLE sync_changes;
    DROP SEQUENCE sync_change_id;
  `,
};
