/**
 * The triggers of `0035-translations` that keep translations from the rows of `entry_locales` which a statement wrote.
 * Every read and write below finds its rows by key: the subqueries end in OFFSET 0 and writes resolve a conflict, since
 * a plan stays for the life of a connection, and one made for many rows would read whole tables for each single row.
 */
type Verb = 'INSERT' | 'UPDATE';

/** The default locale of a site that has others, too. */
const site = (row: string): string => `CROSS JOIN LATERAL (SELECT default_locale AS source, locales FROM sites
        WHERE tenant_id = ${row}.tenant_id AND id = ${row}.site_id AND cardinality(locales) > 1 OFFSET 0) AS s`;
const isLive = 'n.published_at IS NOT NULL AND n.published_content_hash = n.content_hash';

/** How the triggers compare the values of two rows, and what they find in one. */
interface Comparison {
  /** Names whose values differ in the rows `o` and `n`. */
  readonly changed: string;
  /** Whether the row `w` has the value `name`. */
  readonly has: string;
}

/** By field of the entry. */
const byField: Comparison = {
  changed: `ARRAY(SELECT name FROM unnest(field_names(o.fields || n.fields)) AS name
          WHERE o.fields -> name IS DISTINCT FROM n.fields -> name)`,
  has: 'w.fields ? name',
};

/** By field of the entry, and of its blocks in lists that all locales share. */
const byMark: Comparison = {
  changed: `ARRAY(SELECT name FROM (SELECT field_marks(o.fields) AS was, field_marks(n.fields) AS new OFFSET 0) AS m,
          jsonb_object_keys(m.was || m.new) AS name WHERE m.was -> name IS DISTINCT FROM m.new -> name)`,
  has: 'field_marks(w.fields) ? name',
};

/** What the statement wrote, one row for each entry and locale. */
const writtenBy = ({ changed }: Comparison): Record<Verb, string> => ({
  INSERT: `(SELECT n.*, s.source, s.locales, true AS is_new, true AS is_changed, false AS is_moved, ${isLive} AS is_published,
        field_names(n.fields) AS changed
      FROM added n ${site('n')}) AS w`,
  UPDATE: `(SELECT n.*, s.source, s.locales, false AS is_new, o.content_hash <> n.content_hash AS is_changed,
        o.is_deleted <> n.is_deleted AS is_moved, ${isLive} AND o.published_at IS DISTINCT FROM n.published_at AS is_published,
        ${changed} AS changed
      FROM removed o ${site('o')}
      CROSS JOIN LATERAL (SELECT * FROM entry_locales WHERE environment_id = o.environment_id AND entry_id = o.entry_id
        AND locale = o.locale OFFSET 0) AS n) AS w`,
});

type Written = Record<Verb, string>;

const translationKeys =
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

function functionSql(verb: Verb, comparison: Comparison, create: string): string {
  const written = writtenBy(comparison);
  return `
    ${create} FUNCTION ${nameOf(verb)}() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    DECLARE sources boolean; published_sources boolean; targets boolean; published_targets boolean; moved boolean;
    BEGIN
      IF current_setting('headwater.rewriting_fields', true) = 'on' THEN RETURN NULL; END IF;${verb === 'UPDATE' ? skipSingle : ''}
      SELECT bool_or(w.locale = w.source AND (w.is_changed OR w.is_published)), bool_or(w.locale = w.source AND w.is_published),
          bool_or(w.locale <> w.source AND w.is_changed), bool_or(w.locale <> w.source AND w.is_published), bool_or(w.is_moved)
        INTO sources, published_sources, targets, published_targets, moved FROM ${written[verb]};
      IF sources OR targets OR published_targets OR moved THEN
        ${verb === 'INSERT' ? createMissing(written) : moveDeleted(written)}
        -- Sources first: translations of the same statement are compared with what it published.
        ${keepSources(written, verb)}${markOutdated(written, verb)}${writeTargets(written, verb, comparison)}${completeTargets(written, verb)}
      END IF;
      RETURN NULL;
    END $$;`;
}

const trigger = (verb: Verb): string => `${functionSql(verb, byField, 'CREATE')}
    CREATE TRIGGER ${nameOf(verb)} AFTER ${verb} ON entry_locales
      REFERENCING ${verb === 'INSERT' ? 'NEW TABLE AS added' : 'OLD TABLE AS removed'}
      FOR EACH STATEMENT EXECUTE FUNCTION ${nameOf(verb)}();`;

export const translationTriggers = `${trigger('INSERT')}${trigger('UPDATE')}`;

const replaced = (comparison: Comparison): string =>
  (['INSERT', 'UPDATE'] as const).map((verb) => functionSql(verb, comparison, 'CREATE OR REPLACE')).join('');

/** Functions of the triggers that compare by `field_marks`, and those before. */
export const markedTriggers = replaced(byMark);
export const formerTriggers = replaced(byField);
