import type { Migration } from './migration.js';

/** Longer strings equal nothing. */
const LONGEST_COMPARED = 1000;

/** Values that filters compare, as of 0024. @param value SQL of one as it is compared */
const filterValues = (value: string): string => `
    CREATE OR REPLACE FUNCTION filter_values(environment_id uuid, content_type_id uuid, fields jsonb) RETURNS jsonb
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN (SELECT jsonb_build_object(environment_id::text, jsonb_build_object(content_type_id::text, jsonb_object_agg(key, ${value})))
        FROM jsonb_each(fields) WHERE CASE jsonb_typeof(value)
          WHEN 'object' THEN value ? '_ref'
          WHEN 'string' THEN length(value #>> '{}') <= ${String(LONGEST_COMPARED)}
          ELSE value NOT IN ('null', '[]') END);`;

/** Hashes of what file names and titles contain, as of 0040. @param text SQL of a string as it is compared */
const mediaGrams = (text: (given: string) => string): string => `
    CREATE OR REPLACE FUNCTION search_grams(environment uuid, texts text[], sizes integer[]) RETURNS integer[] LANGUAGE sql IMMUTABLE AS $$
      SELECT coalesce(array_agg(DISTINCT hashtext(environment::text || gram.part)), '{}')
      FROM unnest(texts) AS one,
        LATERAL (SELECT letter, lead(letter) OVER place AS second, lead(letter, 2) OVER place AS third
          FROM unnest(string_to_array(lower(${text('one')}), NULL)) WITH ORDINALITY AS letters (letter, n) WINDOW place AS (ORDER BY n)) AS window_of,
        LATERAL (VALUES (1, letter), (2, letter || second), (3, letter || second || third)) AS gram (size, part)
      WHERE gram.size = ANY (sizes) AND gram.part IS NOT NULL $$;`;

/** Work on the rows of every tenant, which a wall hides. */
const forEachTenant = (statements: string): string => `
    DO $$
    DECLARE owner uuid;
    BEGIN
      PERFORM set_config('headwater.platform', 'on', true);
      FOR owner IN SELECT id FROM tenants LOOP
        PERFORM set_config('headwater.tenant_id', owner::text, true);
        ${statements}
      END LOOP;
      PERFORM set_config('headwater.platform', '', true), set_config('headwater.tenant_id', '', true);
    END $$;`;

const hash = { given: 'md5(v.value::text)', compared: 'md5(compared_form(v.value)::text)' };

/** Hashes of unique values that are not in NFC. */
const rehash = (from: string, to: string): string => `
        UPDATE unique_values u SET value_hash = ${to}
          FROM other_forms o JOIN published_entries p USING (environment_id, entry_id, locale), jsonb_each(p.fields) AS v
          WHERE u.environment_id = p.environment_id AND u.entry_id = p.entry_id AND u.published_locale = p.locale
            AND u.value_hash = ${from} AND ${from} <> ${to};`;

const indexTitles = `
        UPDATE media_search s SET grams = search_grams(a.environment_id, a.file_name || ARRAY(SELECT l.title FROM media_asset_locales l
            WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND l.title IS NOT NULL), '{1,2,3}')
          FROM media_assets a WHERE s.environment_id = a.environment_id AND s.asset_id = a.id
            AND EXISTS (SELECT FROM media_asset_locales l WHERE l.environment_id = a.environment_id AND l.asset_id = a.id
              AND l.title IS NOT NFC NORMALIZED);`;

/** The rows whose strings have another form: few, where there are any. */
const renew = (rehashed: string): string => `
    CREATE TEMPORARY TABLE other_forms ON COMMIT DROP AS
      SELECT environment_id, entry_id, locale, content_type_id FROM published_entries WHERE fields::text IS NOT NFC NORMALIZED;
    UPDATE published_entries p SET fields = p.fields FROM other_forms o
      WHERE p.environment_id = o.environment_id AND p.entry_id = o.entry_id AND p.locale = o.locale;
    INSERT INTO filter_notes (environment_id, content_type_id, entry_id, locale)
      SELECT environment_id, content_type_id, entry_id, locale FROM other_forms;
    ${forEachTenant(rehashed + indexTitles)}
    DROP TABLE other_forms;`;

const lock = 'LOCK TABLE published_entries, media_asset_locales IN SHARE ROW EXCLUSIVE MODE;';

/**
 * Strings are compared in NFC, whatever form they are stored in: by filters, among unique values, and in lists of assets
 * (rule lists/text).
 */
export const comparedForms: Migration = {
  name: '0076-compared-forms',
  up: `
    DO $$ BEGIN
      IF current_setting('server_encoding') <> 'UTF8' THEN
        RAISE EXCEPTION 'The encoding of the database must be UTF8, not %', current_setting('server_encoding');
      END IF;
      IF to_regcollation('pg_catalog."und-x-icu"') IS NULL THEN
        RAISE EXCEPTION 'PostgreSQL must be built with ICU, whose collation und-x-icu sorts string values';
      END IF;
    END $$;
    ${lock}
    CREATE FUNCTION compared_form(value jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN CASE
        WHEN value::text IS NFC NORMALIZED THEN value
        WHEN jsonb_typeof(value) = 'string' THEN to_jsonb(normalize(value #>> '{}', NFC))
        WHEN jsonb_typeof(value) = 'array' THEN (
          SELECT jsonb_agg(CASE jsonb_typeof(item) WHEN 'string' THEN to_jsonb(normalize(item #>> '{}', NFC)) ELSE item END ORDER BY place)
          FROM jsonb_array_elements(value) WITH ORDINALITY AS items (item, place))
        ELSE value END;
    COMMENT ON FUNCTION compared_form IS 'A value of a field as it is compared: strings in NFC.';
    ${filterValues('compared_form(value)')}
    ${mediaGrams((given) => `normalize(${given}, NFC)`)}
    ${renew(rehash(hash.given, hash.compared))}
  `,
  down: `
    ${lock}
    ${filterValues('value')}
    ${mediaGrams((given) => given)}
    ${renew(rehash(hash.compared, hash.given))}
    DROP FUNCTION compared_form(jsonb);
  `,
};
