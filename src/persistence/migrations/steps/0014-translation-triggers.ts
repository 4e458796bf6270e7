import { type Migration } from './migration.js';

/**
 * The triggers keep translations from the rows of `entry_locales` which a statement wrote.
 * Every read and write below finds its rows by key: the subqueries end in OFFSET 0 and writes resolve a conflict, since
 * a plan stays for the life of a connection, and one made for many rows would read whole tables for each single row.
 */
export type Verb = 'INSERT' | 'UPDATE';

/** The default locale of a site that has others, too. */
const site = (row: string): string => `CROSS JOIN LATERAL (SELECT default_locale AS source, locales FROM sites
        WHERE tenant_id = ${row}.tenant_id AND id = ${row}.site_id AND cardinality(locales) > 1 OFFSET 0) AS s`;
const isLive = 'n.published_at IS NOT NULL AND n.published_content_hash = n.content_hash';

/** How the triggers compare the values of two rows, and what they find in one. */
export interface Comparison {
  /** Names whose values differ in the rows `o` and `n`. */
  readonly changed: string;
  /** Those of the values of a new row `n`. */
  readonly named: string;
  /** Whether the row `w` has the value `name`. */
  readonly has: string;
}

/** By field of the entry, and of its blocks in lists that all locales share. */
const byMark: Comparison = {
  changed: `ARRAY(SELECT name FROM (SELECT field_marks(o.fields) AS was, field_marks(n.fields) AS new OFFSET 0) AS m,
          jsonb_object_keys(m.was || m.new) AS name WHERE m.was -> name IS DISTINCT FROM m.new -> name)`,
  named: 'field_names(n.fields)',
  has: 'field_marks(w.fields) ? name',
};

/** What the statement wrote, one row for each entry and locale. */
const writtenBy = ({ changed, named }: Comparison): Record<Verb, string> => ({
  INSERT: `(SELECT n.*, s.source, s.locales, true AS is_new, true AS is_changed, false AS is_moved, ${isLive} AS is_published,
        ${named} AS changed
      FROM added n ${site('n')}) AS w`,
  UPDATE: `(SELECT n.*, s.source, s.locales, false AS is_new, o.content_hash <> n.content_hash AS is_changed,
        o.is_deleted <> n.is_deleted AS is_moved, ${isLive} AND o.published_at IS DISTINCT FROM n.published_at AS is_published,
        ${changed} AS changed
      FROM removed o ${site('o')}
      CROSS JOIN LATERAL (SELECT * FROM entry_locales WHERE environment_id = o.environment_id AND entry_id = o.entry_id
        AND locale = o.locale OFFSET 0) AS n) AS w`,
});

type Written = Record<Verb, string>;

export const translationKeys =
  'tenant_id, environment_id, entry_id, locale, content_type_id, site_id, is_deleted, updated_at';

const createMissing = (written: Written): string => `
        INSERT INTO translations (${translationKeys})
          SELECT w.tenant_id, w.environment_id, w.entry_id, target, w.content_type_id, w.site_id, w.is_deleted, w.updated_at
          FROM ${written.INSERT} CROSS JOIN unnest(w.locales) AS target
          WHERE target <> w.source ORDER BY w.environment_id, w.entry_id, target
          ON CONFLICT DO NOTHING;`;

const moveDeleted = (written: Written): string => `
        IF moved THEN
          INSERT INTO translations AS t (${translationKeys})
            SELECT u.tenant_id, u.environment_id, u.entry_id, u.locale, u.content_type_id, u.site_id, m.is_deleted, u.updated_at
            FROM (SELECT DISTINCT ON (w.environment_id, w.entry_id) w.environment_id, w.entry_id, w.is_deleted
                FROM ${written.UPDATE} WHERE w.is_moved ORDER BY w.environment_id, w.entry_id) AS m
              CROSS JOIN LATERAL (SELECT * FROM translations WHERE environment_id = m.environment_id
                AND entry_id = m.entry_id AND is_deleted <> m.is_deleted OFFSET 0) AS u
            ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET is_deleted = excluded.is_deleted;
        END IF;`;

const keepSources = (written: Written, verb: Verb): string => `
        IF sources THEN
          INSERT INTO translation_sources AS k (tenant_id, environment_id, entry_id, names, version, hashes)
            SELECT w.tenant_id, w.environment_id, w.entry_id, field_names(w.fields),
              CASE WHEN w.is_published THEN w.published_version END,
              CASE WHEN w.is_published THEN field_hashes(w.fields) ELSE '{}' END
            FROM ${written[verb]} WHERE w.locale = w.source AND (w.is_changed OR w.is_published)
            ON CONFLICT (environment_id, entry_id) DO UPDATE SET names = excluded.names,
              version = coalesce(excluded.version, k.version),
              hashes = CASE WHEN excluded.version IS NULL THEN k.hashes ELSE excluded.hashes END
              WHERE k.names <> excluded.names OR excluded.version IS NOT NULL;
        END IF;`;

/** A field that the source gained after a translation was complete was made from nothing. */
const markOutdated = (written: Written, verb: Verb): string => `
        IF published_sources THEN
          INSERT INTO translations AS t (${translationKeys}, provenance, outdated, stale_at)
            SELECT u.tenant_id, u.environment_id, u.entry_id, u.locale, u.content_type_id, u.site_id, u.is_deleted,
              CASE WHEN u.outdated <> next.outdated THEN w.published_at ELSE u.updated_at END, marks.provenance, next.outdated,
              CASE WHEN u.status <> 'stale' AND u.stage = 'complete' AND cardinality(next.outdated) > 0
                THEN w.published_at ELSE u.stale_at END
            FROM ${written[verb]}
              CROSS JOIN LATERAL (SELECT * FROM translations
                WHERE environment_id = w.environment_id AND entry_id = w.entry_id AND is_written OFFSET 0) AS u
              CROSS JOIN LATERAL (SELECT hashes, version FROM translation_sources
                WHERE environment_id = w.environment_id AND entry_id = w.entry_id OFFSET 0) AS k
              CROSS JOIN LATERAL (SELECT CASE WHEN u.stage = 'complete'
                THEN source_marks('{}', field_names(k.hashes), 0) || u.provenance ELSE u.provenance END AS provenance OFFSET 0) AS marks
              CROSS JOIN LATERAL (SELECT outdated_fields(marks.provenance, k.hashes, k.version) AS outdated OFFSET 0) AS next
            WHERE w.locale = w.source AND w.is_published AND (u.outdated <> next.outdated OR u.provenance <> marks.provenance)
            ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET provenance = excluded.provenance,
              outdated = excluded.outdated, stale_at = excluded.stale_at, updated_at = excluded.updated_at;
        END IF;`;

/** A translation `u` with its source, for a row `w` of it. */
const target = `
              CROSS JOIN LATERAL (SELECT * FROM translations WHERE environment_id = w.environment_id
                AND entry_id = w.entry_id AND locale = w.locale OFFSET 0) AS u
              CROSS JOIN LATERAL (SELECT
                coalesce((SELECT fields FROM entry_locales WHERE environment_id = w.environment_id
                  AND entry_id = w.entry_id AND locale = w.source), '{}') AS fields,
                (SELECT version FROM entries WHERE environment_id = w.environment_id AND id = w.entry_id) AS version OFFSET 0) AS e
              LEFT JOIN LATERAL (SELECT hashes, version FROM translation_sources
                WHERE environment_id = w.environment_id AND entry_id = w.entry_id OFFSET 0) AS k ON true`;

const writeTargets = (written: Written, verb: Verb, { has }: Comparison): string => `
        IF targets THEN
          INSERT INTO translations AS t (${translationKeys}, names, provenance, outdated)
            SELECT u.tenant_id, u.environment_id, u.entry_id, u.locale, u.content_type_id, u.site_id, u.is_deleted, w.updated_at,
              field_names(w.fields), made.provenance, outdated_fields(made.provenance, k.hashes, k.version)
            FROM (SELECT * FROM ${written[verb]} WHERE w.locale <> w.source AND w.is_changed OFFSET 0) AS w ${target}
              CROSS JOIN LATERAL (SELECT u.provenance - w.changed || source_marks(e.fields,
                ARRAY(SELECT name FROM unnest(w.changed) AS name WHERE ${has}), e.version) AS provenance OFFSET 0) AS made
            WHERE w.is_new OR cardinality(w.changed) > 0
            ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET is_written = true, stage = 'in_progress',
              names = excluded.names, provenance = excluded.provenance, outdated = excluded.outdated,
              stale_reason = NULL, stale_at = NULL, updated_at = excluded.updated_at;
        END IF;`;

const completeTargets = (written: Written, verb: Verb): string => `
        IF published_targets THEN
          INSERT INTO translations AS t (${translationKeys}, provenance, outdated, stale_at)
            SELECT u.tenant_id, u.environment_id, u.entry_id, u.locale, u.content_type_id, u.site_id, u.is_deleted, w.published_at,
              made.provenance, outdated_fields(made.provenance, k.hashes, k.version),
              CASE WHEN u.status = 'stale' OR cardinality(u.outdated) > 0 THEN coalesce(u.stale_at, w.published_at) END
            FROM ${written[verb]} ${target}
              CROSS JOIN LATERAL (SELECT source_marks(e.fields, field_names(e.fields), e.version) || u.provenance AS provenance
                OFFSET 0) AS made
            WHERE w.locale <> w.source AND w.is_published
            ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET stage = 'complete', provenance = excluded.provenance,
              outdated = excluded.outdated, stale_reason = NULL, stale_at = excluded.stale_at, updated_at = excluded.updated_at;
        END IF;`;

/** Sites with one locale have no translations; the flags below would cost them twice as much. */
const skipSingle = `
      IF NOT EXISTS (SELECT FROM removed o ${site('o')}) THEN RETURN NULL; END IF;`;

const nameOf = (verb: Verb): string => `keep_translations_${verb.toLowerCase()}`;

/** What later migrations replace. */
export interface Statements {
  readonly comparison: Comparison;
  createMissing(written: Written): string;
  writeTargets(written: Written, verb: Verb): string;
  completeTargets(written: Written, verb: Verb): string;
}

export const firstStatements: Statements = {
  comparison: byMark,
  createMissing,
  writeTargets: (written, verb) => writeTargets(written, verb, byMark),
  completeTargets,
};

/** From its name on. */
export function keepTranslations(verb: Verb, statements: Statements): string {
  const written = writtenBy(statements.comparison);
  return `${nameOf(verb)}() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    DECLARE sources boolean; published_sources boolean; targets boolean; published_targets boolean; moved boolean;
    BEGIN
      IF current_setting('headwater.rewriting_fields', true) = 'on' THEN RETURN NULL; END IF;${verb === 'UPDATE' ? skipSingle : ''}
      SELECT bool_or(w.locale = w.source AND (w.is_changed OR w.is_published)), bool_or(w.locale = w.source AND w.is_published),
          bool_or(w.locale <> w.source AND w.is_changed), bool_or(w.locale <> w.source AND w.is_published), bool_or(w.is_moved)
        INTO sources, published_sources, targets, published_targets, moved FROM ${written[verb]};
      IF sources OR targets OR published_targets OR moved THEN
        ${verb === 'INSERT' ? statements.createMissing(written) : moveDeleted(written)}
        -- Sources first: translations of the same statement are compared with what it published.
        ${keepSources(written, verb)}${markOutdated(written, verb)}${statements.writeTargets(written, verb)}${statements.completeTargets(written, verb)}
      END IF;
      RETURN NULL;
    END $$;`;
}

const trigger = (verb: Verb): string => `
    CREATE FUNCTION ${keepTranslations(verb, firstStatements)}
    CREATE TRIGGER ${nameOf(verb)} AFTER ${verb} ON entry_locales
      REFERENCING ${verb === 'INSERT' ? 'NEW TABLE AS added' : 'OLD TABLE AS removed'}
      FOR EACH STATEMENT EXECUTE FUNCTION ${nameOf(verb)}();`;

export const firstHash = `FUNCTION field_hash(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT md5(CASE WHEN strpos(value::text, '"_type": "') > 0
        THEN regexp_replace(value::text, '"_type": "\\w*"', '"_type": ""', 'g') ELSE value::text END) $$;`;

/**
 * Keeps translations from what is written to locales of entries, by marks of their fields and of fields of their blocks;
 * and creates them for the locales that a site gains.
 */
export const translationMarks: Migration = {
  name: '0014-translation-triggers',
  up: `
    CREATE FUNCTION field_marks(fields jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN NOT EXISTS (SELECT FROM jsonb_each(fields) AS f WHERE is_block_values(f.value)) THEN fields
        ELSE (SELECT coalesce(jsonb_object_agg(m.name, m.value), '{}') FROM (
          SELECT f.key AS name, f.value FROM jsonb_each(fields) AS f WHERE NOT is_block_values(f.value)
          UNION ALL SELECT f.key || '[' || b.key || '].' || v.key, v.value FROM jsonb_each(fields) AS f
            CROSS JOIN LATERAL jsonb_each(CASE WHEN is_block_values(f.value) THEN f.value ELSE '{}' END) AS b
            CROSS JOIN LATERAL jsonb_each(b.value) AS v) AS m) END $$;
    COMMENT ON FUNCTION field_marks IS 'What translations compare: localized values of fields and, as sections[<id>].title, of blocks.';

    CREATE FUNCTION field_names(fields jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM jsonb_object_keys(field_marks(fields)) AS name $$;

    CREATE ${firstHash}
    COMMENT ON FUNCTION field_hash IS 'Does not change when a content type that links name is renamed.';

    CREATE FUNCTION field_hashes(fields jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(key, field_hash(value)), '{}') FROM jsonb_each(field_marks(fields)) $$;

    CREATE FUNCTION source_marks(fields jsonb, names text[], version integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(name, jsonb_build_object('hash', field_hash(m.marks -> name), 'version', version)), '{}')
        FROM (SELECT field_marks(fields) AS marks OFFSET 0) AS m, unnest(names) AS name $$;

    CREATE FUNCTION outdated_fields(provenance jsonb, source_hashes jsonb, source_version integer)
      RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(p.key ORDER BY p.key), '{}') FROM jsonb_each(provenance) AS p
        WHERE (p.value ->> 'version')::integer <= source_version AND p.value ->> 'hash' IS DISTINCT FROM source_hashes ->> p.key
          AND (strpos(p.key, '].') = 0 OR source_hashes ? p.key OR EXISTS (
            SELECT FROM jsonb_object_keys(source_hashes) AS name WHERE starts_with(name, split_part(p.key, '].', 1) || '].'))) $$;
    COMMENT ON FUNCTION outdated_fields IS 'A value is outdated if its source was published, at or after the version it was made from, with another value. Values of removed blocks are not.';

    CREATE FUNCTION sync_site_translations(site sites, is_new_source boolean)
      RETURNS void LANGUAGE plpgsql SET search_path = public AS $$
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
          CASE t.stage WHEN 'complete' THEN ARRAY(SELECT unnest(t.names) UNION SELECT unnest(field_names(coalesce(l.fields, '{}'))))
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
      EXECUTE FUNCTION keep_site_translations();

    ${trigger('INSERT')}${trigger('UPDATE')}
  `,
  down: `
    DROP FUNCTION field_names, field_hash, field_hashes, source_marks, outdated_fields,
      keep_translations_insert, keep_translations_update, sync_site_translations, keep_site_translations,
      field_marks CASCADE;
  `,
};
