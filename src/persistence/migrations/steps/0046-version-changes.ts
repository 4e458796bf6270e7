import type { Migration } from './migration.js';

/** Bytes of values: of larger documents, unchanged values are not stored again. */
const LARGE = 2000;

/** Values of `next` that differ from those of `base`; names that `next` does not have. */
const changed = (base: string, next: string): string =>
  `(SELECT coalesce(jsonb_object_agg(n.key, n.value), '{}') FROM jsonb_each(${next}) AS n
          LEFT JOIN jsonb_each(${base}) AS o ON o.key = n.key WHERE o.value IS DISTINCT FROM n.value)`;
const dropped = (base: string, next: string): string =>
  `ARRAY(SELECT key FROM jsonb_object_keys(${base}) AS key WHERE NOT ${next} ? key)`;
const size = (row: string): string => `pg_column_size(${row}.fields) + pg_column_size(${row}.shared_fields)`;
const whole = (column: string): string =>
  `CASE WHEN v.base_version IS NULL THEN v.${column} ELSE (b.${column} - v.dropped_${column}) || v.${column} END AS ${column}`;

/**
 * A version of a large document holds only what differs from the last version that is stored whole, if that is less than
 * half of the document: a new title does not write the text again. Versions of imports are stored whole and are no base,
 * because a later import replaces them; so is the first version after a rename, as values are read under the names of
 * their time.
 */
export const versionChanges: Migration = {
  name: '0046-version-changes',
  up: `
    ALTER TABLE entry_versions ADD COLUMN base_version integer, ADD COLUMN dropped_fields text[],
      ADD COLUMN dropped_shared_fields text[];
    COMMENT ON COLUMN entry_versions.base_version IS
      'The version of the locale from which this one differs in the stored values and without the dropped names; null if stored whole. Read whole_versions.';

    CREATE FUNCTION shorten_version() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE short record;
    BEGIN
      SELECT b.version_num, ${changed('b.fields', 'NEW.fields')} AS fields,
        ${changed('b.shared_fields', 'NEW.shared_fields')} AS shared_fields,
        ${dropped('b.fields', 'NEW.fields')} AS dropped_fields, ${dropped('b.shared_fields', 'NEW.shared_fields')} AS dropped_shared_fields
      INTO short
      FROM (SELECT coalesce(l.base_version, l.version_num) AS version_num FROM entry_versions l
          WHERE l.environment_id = NEW.environment_id AND l.entry_id = NEW.entry_id AND l.locale = NEW.locale
            AND l.version_num < NEW.version_num ORDER BY l.version_num DESC LIMIT 1) AS last
        JOIN entry_versions b ON b.environment_id = NEW.environment_id AND b.entry_id = NEW.entry_id AND b.locale = NEW.locale
          AND b.version_num = last.version_num
      WHERE b.base_version IS NULL AND b.change_type <> 'import' AND b.rename_number = NEW.rename_number AND ${size('b')} > ${String(LARGE / 2)};
      IF FOUND AND 2 * (${size('short')}) < ${size('NEW')} THEN
        NEW.base_version := short.version_num;
        NEW.fields := short.fields;
        NEW.shared_fields := short.shared_fields;
        NEW.dropped_fields := short.dropped_fields;
        NEW.dropped_shared_fields := short.dropped_shared_fields;
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER shorten_version BEFORE INSERT ON entry_versions FOR EACH ROW
      WHEN (NEW.version_num > 1 AND NEW.base_version IS NULL AND NEW.change_type <> 'import' AND ${size('NEW')} > ${String(LARGE)}
        AND current_setting('headwater.copying', true) IS DISTINCT FROM 'on')
      EXECUTE FUNCTION shorten_version();

    CREATE VIEW whole_versions WITH (security_invoker = true) AS
      SELECT v.tenant_id, v.environment_id, v.entry_id, v.version_num, v.locale, v.change_type, v.slug, ${whole('fields')},
        ${whole('shared_fields')}, v.changed_fields, v.comment, v.created_at, v.created_by, v.rename_number
      FROM entry_versions v LEFT JOIN entry_versions b ON b.environment_id = v.environment_id AND b.entry_id = v.entry_id
        AND b.version_num = v.base_version AND b.locale = v.locale;
    COMMENT ON VIEW whole_versions IS 'Versions with all their values.';
    GRANT SELECT ON whole_versions TO headwater_service;
  `,
  down: `
    UPDATE entry_versions v SET fields = w.fields, shared_fields = w.shared_fields FROM whole_versions w
    WHERE v.base_version IS NOT NULL AND w.environment_id = v.environment_id AND w.entry_id = v.entry_id
      AND w.version_num = v.version_num AND w.locale = v.locale;
    DROP VIEW whole_versions;
    DROP TRIGGER shorten_version ON entry_versions;
    DROP FUNCTION shorten_version();
    ALTER TABLE entry_versions DROP COLUMN base_version, DROP COLUMN dropped_fields, DROP COLUMN dropped_shared_fields;
  `,
};
