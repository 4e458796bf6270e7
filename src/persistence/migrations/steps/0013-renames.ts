import { grant, tenantWall, type Migration } from './migration.js';

/**
 * Former names of fields and content types. Versions keep the names of their time and are read in those of today.
 * Renames are ordered by number: clocks disagree, and a sequence survives a dump.
 */
export const renames: Migration = {
  name: '0013-renames',
  up: `
    CREATE SEQUENCE rename_number;
    CREATE FUNCTION last_rename() RETURNS bigint LANGUAGE sql VOLATILE
      AS $$ SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM rename_number $$;

    CREATE TABLE renames (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      number bigint NOT NULL DEFAULT nextval('rename_number'),
      content_type_id uuid NOT NULL,
      field_id uuid,
      from_name text NOT NULL,
      to_name text NOT NULL,
      renamed_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, number),
      FOREIGN KEY (environment_id, content_type_id) REFERENCES content_types (environment_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN renames.field_id IS 'Null where the content type itself was renamed.';

    ALTER TABLE entry_versions ADD COLUMN rename_number bigint NOT NULL DEFAULT 0;
    ALTER TABLE entry_versions ALTER COLUMN rename_number SET DEFAULT last_rename();
    COMMENT ON COLUMN entry_versions.rename_number IS 'The last rename before the version was written: later ones change how it is read.';

    CREATE FUNCTION with_link_type(value jsonb, old_name text, new_name text) RETURNS jsonb
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE
        WHEN jsonb_typeof(value) = 'array' THEN coalesce((
          SELECT jsonb_agg(CASE WHEN item ->> '_type' = old_name THEN item || jsonb_build_object('_type', new_name) ELSE item END ORDER BY n)
          FROM jsonb_array_elements(value) WITH ORDINALITY AS items (item, n)), value)
        WHEN jsonb_typeof(value) = 'object' AND value ->> '_type' = old_name THEN value || jsonb_build_object('_type', new_name)
        ELSE value END $$;
    CREATE FUNCTION with_link_types(values_by_name jsonb, names text[], old_name text, new_name text) RETURNS jsonb
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(jsonb_object_agg(key,
        CASE WHEN key = ANY (names) THEN with_link_type(value, old_name, new_name) ELSE value END), '{}')
      FROM jsonb_each(values_by_name) $$;

    ${tenantWall('renames')}
    ${grant('SELECT, INSERT', 'renames')}
    GRANT USAGE, SELECT ON SEQUENCE rename_number TO headwater_service;
  `,
  down: `
    DROP FUNCTION with_link_types(jsonb, text[], text, text), with_link_type(jsonb, text, text);
    ALTER TABLE entry_versions DROP COLUMN rename_number;
    DROP TABLE renames;
    DROP FUNCTION last_rename();
    DROP SEQUENCE rename_number;
  `,
};
