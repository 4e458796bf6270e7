import { bumpRevision, grant, tenantWall, type Migration } from './migration.js';

/**
 * Content types, their fields, custom field types, and the names that they had. An apply of a schema notes which versions
 * were before it.
 */
export const contentModel: Migration = {
  name: '0004-content-model',
  up: `
    CREATE SEQUENCE rename_number;
    CREATE TABLE content_types (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      api_name text NOT NULL,
      type_name text NOT NULL,
      name text NOT NULL,
      description text,
      display_field text,
      is_page boolean NOT NULL,
      is_block boolean NOT NULL,
      is_singleton boolean NOT NULL,
      is_localized boolean NOT NULL,
      workflow_slug text,
      slug_pattern text,
      preview_path text,
      schema_version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      field_fallback boolean NOT NULL DEFAULT false,
      CONSTRAINT content_types_api_name_key UNIQUE (environment_id, api_name),
      PRIMARY KEY (environment_id, id),
      CONSTRAINT content_types_type_name_key UNIQUE (environment_id, type_name),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX content_types_with_fallback ON content_types (environment_id) WHERE field_fallback;

    CREATE TABLE fields (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      content_type_id uuid NOT NULL,
      api_name text NOT NULL,
      name text NOT NULL,
      type text NOT NULL,
      description text,
      required boolean NOT NULL,
      localized boolean NOT NULL,
      "unique" boolean NOT NULL,
      is_list boolean NOT NULL,
      default_value jsonb,
      "position" integer NOT NULL,
      "group" text,
      hidden boolean NOT NULL,
      deprecated boolean NOT NULL,
      settings jsonb NOT NULL DEFAULT '{}',
      validations jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT fields_api_name_key UNIQUE (environment_id, content_type_id, api_name),
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (environment_id, content_type_id) REFERENCES content_types (environment_id, id) ON DELETE CASCADE
    );
    CREATE INDEX fields_custom_type ON fields (environment_id, ((settings ->> 'customFieldType'))) WHERE type = 'custom';

    CREATE TABLE custom_field_types (
      tenant_id uuid NOT NULL,
      environment_id uuid NOT NULL,
      id uuid NOT NULL,
      api_name text NOT NULL,
      name text NOT NULL,
      description text,
      json_schema json NOT NULL,
      graphql_type_name text,
      default_value jsonb,
      editor jsonb,
      index_as text NOT NULL CHECK (index_as IN ('none', 'text', 'number', 'date')),
      version integer NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT custom_field_types_api_name_key UNIQUE (environment_id, api_name),
      PRIMARY KEY (environment_id, id),
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN custom_field_types.json_schema IS 'Not jsonb, which would lose the order of properties.';

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

    CREATE TABLE schema_applies (
      tenant_id uuid NOT NULL,
      environment_id uuid PRIMARY KEY,
      id uuid NOT NULL,
      before jsonb NOT NULL,
      after jsonb NOT NULL,
      renames jsonb NOT NULL,
      rename_number bigint NOT NULL DEFAULT 0,
      FOREIGN KEY (tenant_id, environment_id) REFERENCES environments (tenant_id, id) ON DELETE CASCADE
    );
    COMMENT ON COLUMN schema_applies.before IS 'The sections that the document had.';
    COMMENT ON COLUMN schema_applies.renames IS 'Steps of the apply that renamed.';
    COMMENT ON COLUMN schema_applies.rename_number IS 'Versions with a lower number were written before the apply: its undo restores their values. 0: it restores none.';

    CREATE FUNCTION last_rename() RETURNS bigint LANGUAGE sql AS $$ SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM rename_number $$;

    CREATE FUNCTION with_link_type(value jsonb, old_name text, new_name text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE
        WHEN jsonb_typeof(value) = 'array' THEN coalesce((
          SELECT jsonb_agg(CASE WHEN item ->> '_type' = old_name THEN item || jsonb_build_object('_type', new_name) ELSE item END ORDER BY n)
          FROM jsonb_array_elements(value) WITH ORDINALITY AS items (item, n)), value)
        WHEN jsonb_typeof(value) = 'object' AND value ->> '_type' = old_name THEN value || jsonb_build_object('_type', new_name)
        ELSE value END $$;

    CREATE FUNCTION with_link_types(values_by_name jsonb, names text[], old_name text, new_name text)
      RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(jsonb_object_agg(key,
        CASE WHEN key = ANY (names) THEN with_link_type(value, old_name, new_name) ELSE value END), '{}')
      FROM jsonb_each(values_by_name) $$;

    CREATE FUNCTION with_value_change(vals jsonb, change jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE
        WHEN NOT vals ? (change ->> 'from') THEN vals
        WHEN change ? 'to' THEN (vals - (change ->> 'from')) || jsonb_build_object(change ->> 'to', vals -> (change ->> 'from'))
        WHEN change ->> 'list' = 'list' THEN jsonb_set(vals, ARRAY[change ->> 'from'],
          CASE WHEN change ? 'isLive' AND jsonb_typeof(vals -> (change ->> 'from')) = 'null' THEN '[]'
            ELSE jsonb_build_array(vals -> (change ->> 'from')) END)
        WHEN change ->> 'list' = 'single' AND (change ? 'isLive' OR vals -> (change ->> 'from') -> 0 IS NOT NULL)
          THEN jsonb_set(vals, ARRAY[change ->> 'from'], coalesce(vals -> (change ->> 'from') -> 0, 'null'))
        ELSE vals - (change ->> 'from') END $$;
    COMMENT ON FUNCTION with_value_change IS 'Renames, removes or reshapes the value "from".';

    CREATE FUNCTION with_block_change(vals jsonb, of_type text, model jsonb, held jsonb, change jsonb, is_block boolean DEFAULT false)
      RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
      DECLARE
        result jsonb := vals;
        -- The model may have a name from before the change.
        names jsonb := coalesce(model -> of_type, CASE WHEN change ? 'links' AND of_type = change ->> 'to' THEN model -> (change ->> 'from') END);
        name text;
        inner_values jsonb;
      BEGIN
        IF change ? 'links' THEN
          result := with_link_types(vals, ARRAY(SELECT jsonb_array_elements_text(names -> 'links')),
            change ->> 'from', change ->> 'to');
        ELSIF is_block AND of_type = change ->> 'type' THEN
          result := with_value_change(vals, change);
        END IF;
        FOR name IN SELECT jsonb_array_elements_text(names -> 'blockFields')
          UNION SELECT change ->> 'to' WHERE change ? 'to' AND names -> 'blockFields' ? (change ->> 'from') LOOP
          IF jsonb_typeof(result -> name) = 'array' THEN
            SELECT jsonb_agg(CASE WHEN jsonb_typeof(item -> 'fields') = 'object' THEN jsonb_set(item, '{fields}',
                with_block_change(item -> 'fields', item ->> '_type', model, held, change, true)) ELSE item END ORDER BY n)
              INTO inner_values FROM jsonb_array_elements(result -> name) WITH ORDINALITY AS items (item, n);
            result := jsonb_set(result, ARRAY[name], coalesce(inner_values, '[]'));
          ELSIF jsonb_typeof(result -> name) = 'object' THEN
            SELECT jsonb_object_agg(id, own) FILTER (WHERE own <> '{}') INTO inner_values FROM (
              SELECT key AS id, with_block_change(value, held ->> key, model, held, change, true) AS own
              FROM jsonb_each(result -> name)) AS blocks;
            result := CASE WHEN inner_values IS NULL THEN result - name ELSE jsonb_set(result, ARRAY[name], inner_values) END;
          END IF;
        END LOOP;
        RETURN result;
      END $$;
    COMMENT ON FUNCTION with_block_change IS 'Applies a change to the own blocks of a type on all levels or, with "links", to the types that links name.';

    CREATE FUNCTION value_parts(vals jsonb, of_type text, model jsonb, held jsonb)
      RETURNS TABLE(root text, id text, type_name text, own jsonb, is_whole boolean) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      WITH RECURSIVE parts AS (
        SELECT NULL::text AS root, NULL::text AS id, of_type AS type_name, vals AS own, true AS is_whole
        UNION ALL
        SELECT coalesce(p.root, f.name), b.id, b.type_name, b.own, b.is_whole
        FROM parts p CROSS JOIN LATERAL jsonb_array_elements_text(model -> p.type_name -> 'blockFields') AS f (name)
          CROSS JOIN LATERAL (
            SELECT item ->> '_ref' AS id, item ->> '_type' AS type_name, item -> 'fields' AS own, true AS is_whole
            FROM jsonb_array_elements(CASE WHEN jsonb_typeof(p.own -> f.name) = 'array' THEN p.own -> f.name ELSE '[]' END) AS items (item)
            WHERE jsonb_typeof(item -> 'fields') = 'object'
            UNION ALL
            SELECT key, held ->> key, value, false
            FROM jsonb_each(CASE WHEN jsonb_typeof(p.own -> f.name) = 'object' THEN p.own -> f.name ELSE '{}' END)) AS b)
      SELECT root, id, type_name, own, is_whole FROM parts $$;
    COMMENT ON FUNCTION value_parts IS 'Values of an entry, then of its own blocks by id, each under the field of the entry that holds it; not whole are localized values of a block in a shared list.';

    CREATE FUNCTION held_blocks(fields jsonb, blocks jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      WITH RECURSIVE reached AS (
        SELECT ref #>> '{}' AS id FROM jsonb_path_query(fields, 'strict $.**._ref', silent => true) AS ref
        UNION
        SELECT ref #>> '{}' FROM reached r
          CROSS JOIN LATERAL jsonb_path_query(blocks -> r.id -> 'fields', 'strict $.**._ref', silent => true) AS ref)
      SELECT jsonb_object_agg(id, block) FROM jsonb_each(blocks) AS b (id, block) WHERE id IN (SELECT r.id FROM reached r) $$;
    COMMENT ON FUNCTION held_blocks IS 'Published blocks that the values of a document still lead to.';

    ${bumpRevision('content_types', 'environment_id')}
    ${bumpRevision('fields', 'environment_id')}
    ${bumpRevision('custom_field_types', 'environment_id')}
    ${tenantWall('content_types')}
    ${tenantWall('custom_field_types')}
    ${tenantWall('fields')}
    ${tenantWall('renames')}
    ${tenantWall('schema_applies')}
    ${grant('SELECT, INSERT, UPDATE, DELETE', 'content_types, fields, custom_field_types, schema_applies')}
    ${grant('SELECT, USAGE', 'SEQUENCE rename_number')}
    ${grant('SELECT, INSERT', 'renames')}
  `,
  down: `
    DROP FUNCTION last_rename, with_link_type, with_link_types, with_value_change, with_block_change,
      value_parts, held_blocks CASCADE;
    DROP TABLE schema_applies, renames, custom_field_types, fields, content_types CASCADE;
    DROP SEQUENCE rename_number;
  `,
};
