import {
  firstHash,
  firstStatements,
  keepTranslations,
  translationKeys,
  type Comparison,
  type Statements,
  type Verb,
} from './0014-translation-triggers.js';
import { purgeFunction, routePurge, routePurgeOf, type TablePurge } from './0021-purges.js';
import { verbs, type Migration } from './migration.js';

/** A stored value is unpacked wherever it is used; one that was concatenated with nothing is not stored. */
const unpacked = (value: string): string => `(${value} || '{}')`;

/** The first locale of an entry makes the rows of all; where the row of the locale is, the others are. */
const createMissing = (written: Record<Verb, string>): string => `
        INSERT INTO translations (${translationKeys})
          SELECT w.tenant_id, w.environment_id, w.entry_id, target, w.content_type_id, w.site_id, w.is_deleted, w.updated_at
          FROM ${written.INSERT} CROSS JOIN unnest(w.locales) AS target
          WHERE target <> w.source AND (w.locale = w.source OR NOT EXISTS (SELECT FROM translations
            WHERE environment_id = w.environment_id AND entry_id = w.entry_id AND locale = w.locale OFFSET 0))
          ORDER BY w.environment_id, w.entry_id, target
          ON CONFLICT DO NOTHING;`;

/** A translation `u` with its source, for a row `w` of it. */
const target = `
              CROSS JOIN LATERAL (SELECT * FROM translations WHERE environment_id = w.environment_id
                AND entry_id = w.entry_id AND locale = w.locale OFFSET 0) AS u
              CROSS JOIN LATERAL (SELECT (SELECT version FROM entries
                WHERE environment_id = w.environment_id AND id = w.entry_id) AS version OFFSET 0) AS e
              LEFT JOIN LATERAL (SELECT hashes, version FROM translation_sources
                WHERE environment_id = w.environment_id AND entry_id = w.entry_id OFFSET 0) AS k ON true
              LEFT JOIN LATERAL (SELECT fields,
                  k.version IS NOT NULL AND published_at IS NOT NULL AND published_content_hash = content_hash AS is_live
                FROM entry_locales WHERE environment_id = w.environment_id AND entry_id = w.entry_id AND locale = w.source
                OFFSET 0) AS l ON true`;

const without = (names: string): string =>
  `ARRAY(SELECT name FROM ${names} AS name WHERE NOT u.provenance ? name)`;

/** A source that is published as it is has its hashes already; its values are not read. */
const marks = (ofLive: string, ofDraft: string): string =>
  `CASE WHEN l.is_live THEN kept_marks(k.hashes, ${ofLive}, e.version)
                ELSE source_marks(coalesce(${unpacked('l.fields')}, '{}'), ${ofDraft}, e.version) END`;

const comparison: Comparison = {
  named: `field_names(${unpacked('n.fields')})`,
  changed: `ARRAY(SELECT name FROM (SELECT ${unpacked('o.fields')} AS was, ${unpacked('n.fields')} AS new OFFSET 0) AS f
          CROSS JOIN LATERAL (SELECT field_marks(f.was) AS was, field_marks(f.new) AS new OFFSET 0) AS m
          CROSS JOIN LATERAL jsonb_object_keys(m.was || m.new) AS name
          WHERE m.was -> name IS DISTINCT FROM m.new -> name)`,
  has: 'own.marks ? name',
};

/** All names of a new row are changed. */
const ofRow: Readonly<Record<Verb, { own: string; names: string; present: string }>> = {
  INSERT: { own: '', names: 'w.changed', present: 'w.changed' },
  UPDATE: {
    own: `CROSS JOIN LATERAL (SELECT ${unpacked('w.fields')} AS fields OFFSET 0) AS f
              CROSS JOIN LATERAL (SELECT field_marks(f.fields) AS marks OFFSET 0) AS own`,
    names: 'mark_names(own.marks)',
    present: `ARRAY(SELECT name FROM unnest(w.changed) AS name WHERE ${comparison.has})`,
  },
};

function writeTargets(written: Record<Verb, string>, verb: Verb): string {
  const { own, names, present } = ofRow[verb];
  return `
        IF targets THEN
          INSERT INTO translations AS t (${translationKeys}, names, provenance, outdated)
            SELECT u.tenant_id, u.environment_id, u.entry_id, u.locale, u.content_type_id, u.site_id, u.is_deleted, w.updated_at,
              ${names}, made.provenance, outdated_fields(made.provenance, k.hashes, k.version)
            FROM (SELECT * FROM ${written[verb]} WHERE w.locale <> w.source AND w.is_changed OFFSET 0) AS w ${target}
              ${own}
              CROSS JOIN LATERAL (SELECT u.provenance - w.changed || ${marks(present, present)} AS provenance OFFSET 0) AS made
            WHERE w.is_new OR cardinality(w.changed) > 0
            ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET is_written = true, stage = 'in_progress',
              names = excluded.names, provenance = excluded.provenance, outdated = excluded.outdated,
              stale_reason = NULL, stale_at = NULL, updated_at = excluded.updated_at;
        END IF;`;
}

/** Only marks that the translation does not have are made. */
const completeTargets = (written: Record<Verb, string>, verb: Verb): string => `
        IF published_targets THEN
          INSERT INTO translations AS t (${translationKeys}, provenance, outdated, stale_at)
            SELECT u.tenant_id, u.environment_id, u.entry_id, u.locale, u.content_type_id, u.site_id, u.is_deleted, w.published_at,
              made.provenance, outdated_fields(made.provenance, k.hashes, k.version),
              CASE WHEN u.status = 'stale' OR cardinality(u.outdated) > 0 THEN coalesce(u.stale_at, w.published_at) END
            FROM ${written[verb]} ${target}
              CROSS JOIN LATERAL (SELECT ${marks(
                without('jsonb_object_keys(k.hashes)'),
                without("unnest(field_names(coalesce(l.fields, '{}')))"),
              )} || u.provenance AS provenance OFFSET 0) AS made
            WHERE w.locale <> w.source AND w.is_published
            ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET stage = 'complete', provenance = excluded.provenance,
              outdated = excluded.outdated, stale_reason = NULL, stale_at = excluded.stale_at, updated_at = excluded.updated_at;
        END IF;`;

const statements: Statements = { comparison, createMissing, writeTargets, completeTargets };

const translationFunctions = (given: Statements): string =>
  (['INSERT', 'UPDATE'] as const)
    .map((verb) => `CREATE OR REPLACE FUNCTION ${keepTranslations(verb, given)}`)
    .join('\n    ');

/** A statement changes several routes of an entry: the others are read once for all of them. */
const purge = routePurgeOf(`(SELECT DISTINCT environment_id, entry_id FROM changed) AS r
      JOIN routes o ON o.environment_id = r.environment_id AND o.entry_id = r.entry_id`);

const purgeFunctions = (given: TablePurge): string =>
  verbs.map((verb) => `CREATE OR REPLACE ${purgeFunction(given, verb)}`).join('\n    ');

/** The same results with fewer reads: of hashes instead of the values of a source, and of routes once for each entry. */
export const cheaperTriggers: Migration = {
  name: '0045-cheaper-triggers',
  up: `
    CREATE FUNCTION mark_names(marks jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM jsonb_object_keys(marks) AS name $$;
    CREATE FUNCTION kept_marks(hashes jsonb, names text[], version integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(name, jsonb_build_object('hash', hashes -> name, 'version', version)), '{}')
        FROM unnest(names) AS name $$;
    COMMENT ON FUNCTION kept_marks IS 'As source_marks, from the hashes of the values.';
    CREATE OR REPLACE FUNCTION field_hash(value jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE content text := value::text;
    BEGIN
      IF strpos(content, '"_type": "') > 0 THEN
        content := regexp_replace(content, '"_type": "\\w*"', '"_type": ""', 'g');
      END IF;
      RETURN md5(content);
    END $$;
    ${translationFunctions(statements)}
    ${purgeFunctions(purge)}
  `,
  down: `
    ${purgeFunctions(routePurge)}
    ${translationFunctions(firstStatements)}
    CREATE OR REPLACE ${firstHash}
    DROP FUNCTION mark_names, kept_marks;
  `,
};
