import type { Migration } from './migration.js';

/**
 * Values in own blocks, which schema changes rewrite. `model` has the names of link and blocks fields by content type,
 * `held` the types of an entry's blocks by id: localized values of blocks stand under ids (rule entries/own-blocks).
 */
export const blockValues: Migration = {
  name: '0079-block-values',
  up: `
    CREATE INDEX owned_blocks_type ON owned_blocks (environment_id, content_type_id);

    CREATE FUNCTION with_value_change(vals jsonb, change jsonb) RETURNS jsonb
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
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
        name text;
        inner_values jsonb;
      BEGIN
        IF change ? 'links' THEN
          result := with_link_types(vals, ARRAY(SELECT jsonb_array_elements_text(model -> of_type -> 'links')),
            change ->> 'from', change ->> 'to');
        ELSIF is_block AND of_type = change ->> 'type' THEN
          result := with_value_change(vals, change);
        END IF;
        FOR name IN SELECT jsonb_array_elements_text(model -> of_type -> 'blocks') LOOP
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
  `,
  down: `
    DROP FUNCTION with_block_change(jsonb, text, jsonb, jsonb, jsonb, boolean), with_value_change(jsonb, jsonb);
    DROP INDEX owned_blocks_type;
  `,
};
