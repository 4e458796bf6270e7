import type { Migration } from './migration.js';
import { formerTriggers, markedTriggers } from './translation-triggers.js';

const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** Of a name `sections[<id>].title`, what all names of the block begin with. */
const blockOf = (name: string): string => `split_part(${name}, '].', 1) || '].'`;

const replaceIn = (name: string, from: string, to: string): string => `
    DO $body$ BEGIN EXECUTE replace(pg_get_functiondef('${name}'::regproc), $$${from}$$, $$${to}$$); END $body$;`;

const keysOf = "SELECT jsonb_object_keys(coalesce(l.fields, '{}'))";
const namesOf = "SELECT unnest(field_names(coalesce(l.fields, '{}')))";

/**
 * Translations know the localized values of blocks in lists that all locales share: under a field of such a list,
 * `entry_locales.fields` has an object of values by id of the block.
 */
export const translatedBlocks: Migration = {
  name: '0081-translated-blocks',
  up: `
    CREATE FUNCTION is_block_values(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN jsonb_typeof(value) <> 'object' OR value = '{}' THEN false ELSE NOT EXISTS (
        SELECT FROM jsonb_object_keys(value) AS id WHERE id !~ '${uuid}' OR jsonb_typeof(value -> id) <> 'object') END $$;
    COMMENT ON FUNCTION is_block_values IS 'Whether a localized value is one of blocks, by their ids.';
    CREATE FUNCTION field_marks(fields jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN NOT EXISTS (SELECT FROM jsonb_each(fields) AS f WHERE is_block_values(f.value)) THEN fields
        ELSE (SELECT coalesce(jsonb_object_agg(m.name, m.value), '{}') FROM (
          SELECT f.key AS name, f.value FROM jsonb_each(fields) AS f WHERE NOT is_block_values(f.value)
          UNION ALL SELECT f.key || '[' || b.key || '].' || v.key, v.value FROM jsonb_each(fields) AS f
            CROSS JOIN LATERAL jsonb_each(CASE WHEN is_block_values(f.value) THEN f.value ELSE '{}' END) AS b
            CROSS JOIN LATERAL jsonb_each(b.value) AS v) AS m) END $$;
    COMMENT ON FUNCTION field_marks IS 'What translations compare: localized values of fields and, as sections[<id>].title, of blocks.';
    CREATE OR REPLACE FUNCTION field_names(fields jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM jsonb_object_keys(field_marks(fields)) AS name $$;
    CREATE OR REPLACE FUNCTION field_hashes(fields jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(key, field_hash(value)), '{}') FROM jsonb_each(field_marks(fields)) $$;
    CREATE OR REPLACE FUNCTION source_marks(fields jsonb, names text[], version integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(name, jsonb_build_object('hash', field_hash(m.marks -> name), 'version', version)), '{}')
        FROM (SELECT field_marks(fields) AS marks OFFSET 0) AS m, unnest(names) AS name $$;
    CREATE OR REPLACE FUNCTION outdated_fields(provenance jsonb, source_hashes jsonb, source_version integer) RETURNS text[]
        LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(p.key ORDER BY p.key), '{}') FROM jsonb_each(provenance) AS p
        WHERE (p.value ->> 'version')::integer <= source_version AND p.value ->> 'hash' IS DISTINCT FROM source_hashes ->> p.key
          AND (strpos(p.key, '].') = 0 OR source_hashes ? p.key OR EXISTS (
            SELECT FROM jsonb_object_keys(source_hashes) AS name WHERE starts_with(name, ${blockOf('p.key')}))) $$;
    COMMENT ON FUNCTION outdated_fields IS
      'A value is outdated if its source was published, at or after the version it was made from, with another value. Values of removed blocks are not.';
    ${markedTriggers}
    ${replaceIn('sync_site_translations', keysOf, namesOf)}
  `,
  down: `
    ${replaceIn('sync_site_translations', namesOf, keysOf)}
    ${formerTriggers}
    CREATE OR REPLACE FUNCTION outdated_fields(provenance jsonb, source_hashes jsonb, source_version integer) RETURNS text[]
        LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(p.key ORDER BY p.key), '{}') FROM jsonb_each(provenance) AS p
        WHERE (p.value ->> 'version')::integer <= source_version AND p.value ->> 'hash' IS DISTINCT FROM source_hashes ->> p.key $$;
    COMMENT ON FUNCTION outdated_fields IS
      'A field is outdated if its source was published, at or after the version it was made from, with another value.';
    CREATE OR REPLACE FUNCTION source_marks(fields jsonb, names text[], version integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(name, jsonb_build_object('hash', field_hash(fields -> name), 'version', version)), '{}')
        FROM unnest(names) AS name $$;
    CREATE OR REPLACE FUNCTION field_hashes(fields jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(jsonb_object_agg(key, field_hash(value)), '{}') FROM jsonb_each(fields) $$;
    CREATE OR REPLACE FUNCTION field_names(fields jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM jsonb_object_keys(fields) AS name $$;
    DROP FUNCTION field_marks(jsonb), is_block_values(jsonb);
  `,
};
