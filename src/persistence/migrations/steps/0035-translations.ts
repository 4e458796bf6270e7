import { grant, tenantWall, type Migration } from './migration.js';
import { translationTriggers } from './translation-triggers.js';

/** The owner sees rows of every tenant only without forced row-level security. */
const walled = ['entries', 'entry_locales', 'sites', 'translations', 'translation_sources'];
export const unwalledTranslations = (statements: string): string => `
    ${walled.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;`).join(' ')}
    ${statements}
    ${walled.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`).join(' ')}`;

export const translationKeys = 'environment_id, is_deleted, locale, status, content_type_id, site_id';

/** Under '' each entry counts once per status of its translations. */
const byStatus = `
        SELECT environment_id, is_deleted, '', status, content_type_id, site_id, entry_id,
          (held > 0)::int - (held - step > 0)::int
        FROM (SELECT c.environment_id, c.is_deleted, c.status, c.content_type_id, c.site_id, c.entry_id, sum(c.step) AS step,
              (SELECT count(*) FROM translations t WHERE t.environment_id = c.environment_id AND t.entry_id = c.entry_id
                AND t.is_deleted = c.is_deleted AND t.status = c.status) AS held
            FROM changed c GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(c.step) <> 0) AS by_entry`;

/** Under a locale each translation counts; `byEntry` selects what `changed` means for the counts under ''. */
const countSql = (rows: string, byEntry: string): string => `
      WITH changed AS (${rows}),
      steps AS (
        SELECT ${translationKeys}, entry_id, sum(step) AS step FROM changed GROUP BY ${translationKeys}, entry_id
        UNION ALL${byEntry})
      INSERT INTO translation_counts AS c (${translationKeys}, slot, entries)
        SELECT ${translationKeys}, get_byte(uuid_send(entry_id), 15) & 15 AS slot, sum(step) FROM steps
          GROUP BY ${translationKeys}, slot HAVING sum(step) <> 0 ORDER BY ${translationKeys}, slot
        ON CONFLICT (${translationKeys}, slot) DO UPDATE SET entries = c.entries + excluded.entries;`;

const added = {
  rows: `SELECT ${translationKeys}, entry_id, 1 AS step FROM added`,
  table: 'NEW TABLE AS added',
};
const removed = {
  rows: `SELECT ${translationKeys}, entry_id, -1 AS step FROM removed`,
  table: 'OLD TABLE AS removed',
};
const counted = { INSERT: [added], UPDATE: [added, removed], DELETE: [removed] };
const verbs = ['INSERT', 'UPDATE', 'DELETE'] as const;
type Verb = (typeof verbs)[number];

const countFunction = (verb: Verb, byEntry: string): string => `
    CREATE OR REPLACE FUNCTION count_translations_${verb.toLowerCase()}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM ${verb === 'DELETE' ? 'removed' : 'added'}) THEN RETURN NULL; END IF;${countSql(
        counted[verb].map(({ rows }) => rows).join(' UNION ALL '),
        byEntry,
      )}
      RETURN NULL;
    END $$;`;

/** The functions of the triggers that count translations. */
export const translationCounters = (byEntry: string = byStatus): string =>
  verbs.map((verb) => countFunction(verb, byEntry)).join('');

const countTrigger = (verb: Verb): string => {
  const name = `count_translations_${verb.toLowerCase()}`;
  return `
    CREATE TRIGGER ${name} AFTER ${verb} ON translations REFERENCING ${counted[verb].map(({ table }) => table).join(' ')}
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`;
};

const tables = `
    CREATE TABLE translation_sources (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      names text[] NOT NULL,
      version integer,
      hashes jsonb NOT NULL DEFAULT '{}',
      PRIMARY KEY (environment_id, entry_id),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE translation_sources IS
      'The default locale of the site: names of filled fields of the draft; version and hashes of fields last published.';

    CREATE TABLE translations (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      is_deleted boolean NOT NULL,
      is_written boolean NOT NULL DEFAULT false,
      stage text NOT NULL DEFAULT 'in_progress' CHECK (stage IN ('in_progress', 'needs_review', 'complete', 'stale')),
      names text[] NOT NULL DEFAULT '{}',
      provenance jsonb NOT NULL DEFAULT '{}',
      outdated text[] NOT NULL DEFAULT '{}',
      status text NOT NULL GENERATED ALWAYS AS (CASE WHEN NOT is_written THEN 'missing'
        WHEN stage = 'complete' AND cardinality(outdated) > 0 THEN 'stale' ELSE stage END) STORED,
      stale_reason text,
      stale_at timestamptz,
      assignee_id uuid,
      priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('low', 'normal', 'high')),
      due_at timestamptz,
      note text,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, entry_id, locale),
      FOREIGN KEY (environment_id, entry_id) REFERENCES entries (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON TABLE translations IS 'One row for each entry and locale of its site but the default one, written or not.';
    COMMENT ON COLUMN translations.provenance IS 'For each field, hash and version of the source that it was made from.';
    COMMENT ON COLUMN translations.outdated IS 'Fields whose source was published with other content since.';
    CREATE INDEX translations_status ON translations (environment_id, status, entry_id DESC) WHERE NOT is_deleted;
    CREATE INDEX translations_locale ON translations (environment_id, locale, status, entry_id DESC) WHERE NOT is_deleted;
    CREATE INDEX translations_assignee ON translations (environment_id, assignee_id, entry_id DESC)
      WHERE assignee_id IS NOT NULL AND NOT is_deleted;
    CREATE INDEX translations_due ON translations (environment_id, due_at) WHERE due_at IS NOT NULL AND NOT is_deleted;

    CREATE TABLE translation_counts (
      environment_id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      site_id uuid NOT NULL,
      locale text NOT NULL,
      status text NOT NULL,
      is_deleted boolean NOT NULL,
      slot integer NOT NULL,
      entries bigint NOT NULL,
      PRIMARY KEY (${translationKeys}, slot)
    );
    COMMENT ON COLUMN translation_counts.locale IS 'Empty for entries that have a translation of the status in any locale.';
    ${translationCounters()}
    ${verbs.map(countTrigger).join('')}
    ${tenantWall('translation_sources')}
    ${tenantWall('translations')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'translation_sources, translations')}
    ${grant('SELECT', 'translation_counts')}`;

const functions = `
    CREATE FUNCTION field_names(fields jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM jsonb_object_keys(fields) AS name $$;
    CREATE FUNCTION field_hash(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT md5(CASE WHEN strpos(value::text, '"_type": "') > 0
        THEN regexp_replace(value::text, '"_type": "\\w*"', '"_type": ""', 'g') ELSE value::text END) $$;
    COMMENT ON FUNCTION field_hash IS 'Does not change when a content type that links name is renamed.';
    CREATE FUNCTION field_hashes(fields jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(key, field_hash(value)), '{}') FROM jsonb_each(fields) $$;
    CREATE FUNCTION source_marks(fields jsonb, names text[], version integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(name, jsonb_build_object('hash', field_hash(fields -> name), 'version', version)), '{}')
        FROM unnest(names) AS name $$;
    CREATE FUNCTION outdated_fields(provenance jsonb, source_hashes jsonb, source_version integer) RETURNS text[]
        LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(p.key ORDER BY p.key), '{}') FROM jsonb_each(provenance) AS p
        WHERE (p.value ->> 'version')::integer <= source_version AND p.value ->> 'hash' IS DISTINCT FROM source_hashes ->> p.key $$;
    COMMENT ON FUNCTION outdated_fields IS
      'A field is outdated if its source was published, at or after the version it was made from, with another value.';

    ${translationTriggers}

    CREATE FUNCTION sync_site_translations(site sites, is_new_source boolean) RETURNS void LANGUAGE plpgsql
        SET search_path = public AS $$
    BEGIN
      DELETE FROM translations t WHERE t.tenant_id = site.tenant_id AND t.site_id = site.id
        AND (t.locale = site.default_locale OR t.locale <> ALL (site.locales));
      IF cardinality(site.locales) < 2 THEN
        DELETE FROM translation_sources s USING entries e WHERE e.tenant_id = site.tenant_id AND e.site_id = site.id
          AND s.environment_id = e.environment_id AND s.entry_id = e.id;
        RETURN;
      END IF;
      IF is_new_source THEN
        DELETE FROM translation_sources s USING entries e WHERE e.tenant_id = site.tenant_id AND e.site_id = site.id
          AND s.environment_id = e.environment_id AND s.entry_id = e.id;
      END IF;
      INSERT INTO translation_sources (tenant_id, environment_id, entry_id, names, version, hashes)
        SELECT l.tenant_id, l.environment_id, l.entry_id, field_names(l.fields),
          CASE WHEN l.published_content_hash = l.content_hash THEN l.published_version END,
          CASE WHEN l.published_content_hash = l.content_hash THEN field_hashes(l.fields) ELSE '{}' END
        FROM entry_locales l WHERE l.tenant_id = site.tenant_id AND l.site_id = site.id AND l.locale = site.default_locale
        ON CONFLICT DO NOTHING;
      INSERT INTO translations (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, is_deleted, is_written,
          stage, names, updated_at)
        SELECT e.tenant_id, e.environment_id, e.id, target.locale, e.content_type_id, e.site_id, e.deleted_at IS NOT NULL,
          l.locale IS NOT NULL, CASE WHEN l.published_at IS NOT NULL AND l.published_content_hash = l.content_hash
            THEN 'complete' ELSE 'in_progress' END,
          CASE WHEN l.locale IS NULL THEN '{}' ELSE field_names(l.fields) END, coalesce(l.updated_at, e.created_at)
        FROM entries e CROSS JOIN unnest(site.locales) AS target (locale)
          LEFT JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND l.locale = target.locale
        WHERE e.tenant_id = site.tenant_id AND e.site_id = site.id AND target.locale <> site.default_locale
        ON CONFLICT DO NOTHING;
      -- What is written counts as made from the source as it is.
      UPDATE translations t SET outdated = '{}', provenance = source_marks(coalesce(l.fields, '{}'),
          CASE t.stage WHEN 'complete' THEN ARRAY(SELECT unnest(t.names) UNION SELECT jsonb_object_keys(coalesce(l.fields, '{}')))
            ELSE t.names END, e.version)
        FROM entries e LEFT JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id
          AND l.locale = site.default_locale
        WHERE e.tenant_id = site.tenant_id AND e.site_id = site.id AND t.environment_id = e.environment_id
          AND t.entry_id = e.id AND t.is_written AND (is_new_source OR t.provenance = '{}');
    END $$;

    CREATE FUNCTION keep_site_translations() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      PERFORM sync_site_translations(NEW, OLD.default_locale <> NEW.default_locale);
      RETURN NULL;
    END $$;
    CREATE TRIGGER keep_site_translations AFTER UPDATE ON sites FOR EACH ROW
      WHEN (OLD.default_locale <> NEW.default_locale OR OLD.locales <> NEW.locales)
      EXECUTE FUNCTION keep_site_translations();`;

/**
 * Status of every translation, kept by triggers from what is written and published (rules translations/status and translations/staleness). Staleness is
 * decided by content: a field is outdated if the source was published with another value than it was made from.
 */
export const translations: Migration = {
  name: '0035-translations',
  up: `${tables}
    ${functions}
    ${unwalledTranslations('SELECT sync_site_translations(s, true) FROM sites s WHERE cardinality(s.locales) > 1;')}
  `,
  down: `
    DROP TRIGGER keep_site_translations ON sites;
    DROP TRIGGER keep_translations_insert ON entry_locales;
    DROP TRIGGER keep_translations_update ON entry_locales;
    DROP FUNCTION keep_site_translations(), sync_site_translations(sites, boolean), keep_translations_insert(),
      keep_translations_update();
    DROP TABLE translation_counts, translations, translation_sources;
    DROP FUNCTION count_translations_insert(), count_translations_update(), count_translations_delete(),
      outdated_fields(jsonb, jsonb, integer), source_marks(jsonb, text[], integer), field_hashes(jsonb), field_hash(jsonb),
      field_names(jsonb);
  `,
};
