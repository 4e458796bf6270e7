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
      RETURNS TABLE (root text, id text, type_name text, own jsonb, is_whole boolean) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
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
  `,
  down: `
    DROP FUNCTION held_blocks(jsonb, jsonb), value_parts(jsonb, text, jsonb, jsonb);
    DROP FUNCTION with_block_change(jsonb, text, jsonb, jsonb, jsonb, boolean), with_value_change(jsonb, jsonb);
    DROP INDEX owned_blocks_type;
  `,
};
