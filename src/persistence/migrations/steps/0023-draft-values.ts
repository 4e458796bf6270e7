import { emptiedTables, emptyEnvironment } from './0015-environments.js';
import { afterStatement, grant, ownersFunction, type Migration } from './migration.js';

/** Characters of a string in a row. */
const INDEXED_CHARACTERS = 200;

const year = '(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)';
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)';
const day =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const clock = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?';
const INSTANT = `^(?:${year}-${day}|${leapYear}-02-29)T${clock}(?:Z|[+-](?:0[0-9]|1[0-5]):[0-5][0-9])$`;
/** Longer strings are no times. */
const LONGEST_INSTANT = 200;

/** Where drafts have values: those of every locale, and those of one. */
const sources = [
  { table: 'entries', id: 'id', locale: () => "''", fields: 'shared_fields' },
  { table: 'entry_locales', id: 'entry_id', locale: (row: string) => `${row}.locale`, fields: 'fields' },
] as const;

const values = ({ id, locale, fields }: (typeof sources)[number], from: string): string => `
      INSERT INTO draft_values (environment_id, entry_id, locale, place, text, number)
        SELECT r.environment_id, r.${id}, ${locale('r')}, v.place, v.text, v.number
        FROM ${from} r CROSS JOIN LATERAL draft_values_of(r.content_type_id, r.${fields}) AS v;`;

const triggersOf = (source: (typeof sources)[number]): string => {
  const { table, id, locale, fields } = source;
  const name = (verb: string): string => `keep_draft_values_${table}_${verb}`;
  const isOf = (row: string): string =>
    `d.environment_id = ${row}.environment_id AND d.entry_id = ${row}.${id} AND d.locale = ${locale(row)}`;
  return `
    ${ownersFunction(name('insert'), values(source, 'added'))}${afterStatement({ verb: 'INSERT', table, name: name('insert') })}
    ${ownersFunction(
      name('update'),
      `
      WITH changed AS MATERIALIZED (
        SELECT key, n.value FROM jsonb_each(OLD.${fields}) o FULL JOIN jsonb_each(NEW.${fields}) n USING (key)
          WHERE o.value IS DISTINCT FROM n.value),
      removed AS (
        DELETE FROM draft_values d USING changed c
          WHERE ${isOf('NEW')} AND d.place = draft_place(NEW.content_type_id, c.key))
      INSERT INTO draft_values (environment_id, entry_id, locale, place, text, number)
        SELECT NEW.environment_id, NEW.${id}, ${locale('NEW')}, v.place, v.text, v.number
        FROM (SELECT jsonb_object_agg(key, value) FILTER (WHERE value IS NOT NULL) AS fields FROM changed) AS c
          CROSS JOIN LATERAL draft_values_of(NEW.content_type_id, c.fields) AS v;`,
    )}
    CREATE TRIGGER ${name('update')} AFTER UPDATE ON ${table} FOR EACH ROW
      WHEN (OLD.${fields} IS DISTINCT FROM NEW.${fields}) EXECUTE FUNCTION ${name('update')}();
    ${ownersFunction(
      name('delete'),
      `
      DELETE FROM draft_values d USING removed r WHERE ${isOf('r')};`,
    )}${afterStatement({ verb: 'DELETE', table, name: name('delete') })}`;
};

const dropTriggersOf = ({ table }: (typeof sources)[number]): string =>
  ['insert', 'update', 'delete']
    .map((verb) => `keep_draft_values_${table}_${verb}`)
    .map((name) => `DROP TRIGGER ${name} ON ${table}; DROP FUNCTION ${name}();`)
    .join(' ');

/**
 * Values of drafts, one row each, for filters and order by field. Triggers write them in the transaction of the
 * entry: as many rows as values change. A value that cannot be compared has a row as well, which shows that it is there.
 */
export const draftValues: Migration = {
  name: '0023-draft-values',
  up: `
    CREATE TABLE draft_values (
      environment_id uuid NOT NULL,
      entry_id uuid NOT NULL,
      locale text NOT NULL,
      place bigint NOT NULL,
      text text COLLATE "und-x-icu",
      number numeric
    );
    COMMENT ON COLUMN draft_values.locale IS 'Empty for values of every locale.';
    COMMENT ON COLUMN draft_values.place IS 'Hash of type and field.';
    COMMENT ON COLUMN draft_values.text IS 'The first characters of a string in NFC, or the id of a link.';
    COMMENT ON COLUMN draft_values.number IS 'A number, microseconds of a time, 1 or 0 of a boolean.';

    CREATE FUNCTION draft_place(content_type_id uuid, api_name text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT ('x' || left(md5(content_type_id::text || api_name), 16))::bit(64)::bigint $$;
    CREATE FUNCTION draft_values_of(content_type_id uuid, fields jsonb)
      RETURNS TABLE (place bigint, text text, number numeric) LANGUAGE sql STABLE AS $$
        SELECT DISTINCT draft_place(content_type_id, f.key),
          CASE jsonb_typeof(i.item)
            WHEN 'string' THEN left(normalize(i.item #>> '{}', NFC), ${String(INDEXED_CHARACTERS)})
            WHEN 'object' THEN i.item ->> '_ref' END,
          CASE jsonb_typeof(i.item)
            WHEN 'number' THEN i.item::numeric
            WHEN 'boolean' THEN i.item::boolean::int
            WHEN 'string' THEN CASE WHEN length(i.item #>> '{}') <= ${String(LONGEST_INSTANT)} AND i.item #>> '{}' ~ '${INSTANT}'
              THEN extract(epoch FROM (i.item #>> '{}')::timestamptz) * 1000000 END END
        FROM jsonb_each(fields) AS f CROSS JOIN LATERAL (
          SELECT f.value WHERE jsonb_typeof(f.value) <> 'array'
          UNION ALL SELECT e.value FROM jsonb_array_elements(CASE jsonb_typeof(f.value) WHEN 'array' THEN f.value ELSE '[]' END) AS e
        ) AS i (item)
        WHERE f.value <> 'null' $$;

    ALTER TABLE entries NO FORCE ROW LEVEL SECURITY; ALTER TABLE entry_locales NO FORCE ROW LEVEL SECURITY;
    ${sources.map((source) => values(source, source.table)).join('')}
    ALTER TABLE entries FORCE ROW LEVEL SECURITY; ALTER TABLE entry_locales FORCE ROW LEVEL SECURITY;

    CREATE INDEX draft_values_entry ON draft_values (environment_id, entry_id, locale, place);
    CREATE INDEX draft_values_text ON draft_values (environment_id, place, text, entry_id, locale) WHERE text IS NOT NULL;
    CREATE INDEX draft_values_number ON draft_values (environment_id, place, number, entry_id, locale) WHERE number IS NOT NULL;
    ${sources.map(triggersOf).join('')}
    ${emptyEnvironment(['draft_values', ...emptiedTables])}
    ${grant('SELECT', 'draft_values')}
  `,
  down: `
    ${emptyEnvironment(emptiedTables)}
    ${sources.map(dropTriggersOf).join(' ')}
    DROP TABLE draft_values;
    DROP FUNCTION draft_values_of(uuid, jsonb);
    DROP FUNCTION draft_place(uuid, text);
  `,
};
