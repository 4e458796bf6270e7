/**
 * What comparisons of environments start from (migration 0085): an entry, as it was at the beginning of an epoch, has its
 * blocks as they were then. What differed in a block differs in its entry.
 */

const item = (id: string, fields: string): string =>
  `jsonb_strip_nulls(jsonb_build_object('_ref', ${id}.id, '_type', ${id}.type_name, '_externalId', ${id}.external_id))
        || jsonb_build_object('fields', ${fields})`;

/** Blocks `b` that lists of values link. */
const linkedFrom = (values: string, names: string): string => `unnest(${names}) AS n (name)
        CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(${values} -> n.name) WHEN 'array' THEN ${values} -> n.name ELSE '[]' END) AS i (item)
        JOIN batch_blocks b ON b.id::text = i.item ->> '_ref'`;

export const journalFunctions = `
    CREATE OR REPLACE FUNCTION pg_temp.row_at(environment uuid, entry uuid, wanted text, since integer) RETURNS jsonb LANGUAGE plpgsql AS $f$
    DECLARE former jsonb;
    BEGIN
      SELECT c.before INTO former FROM environment_changes c WHERE c.environment_id = environment AND c.kind = 'entry' AND c.item_id = entry
        AND c.part = wanted AND c.epoch >= since ORDER BY c.epoch LIMIT 1;
      IF FOUND THEN RETURN former; END IF;
      IF wanted = '' THEN RETURN (SELECT to_jsonb(e) FROM entries e WHERE e.environment_id = environment AND e.id = entry); END IF;
      RETURN (SELECT to_jsonb(l) FROM entry_locales l WHERE l.environment_id = environment AND l.entry_id = entry AND l.locale = wanted);
    END $f$;

    CREATE OR REPLACE FUNCTION pg_temp.local_at(environment uuid, block uuid, code text, since integer) RETURNS jsonb LANGUAGE sql AS $f$
      SELECT coalesce(pg_temp.row_at(environment, block,
        coalesce((SELECT r.draft FROM batch_locales r WHERE r.id = block AND r.locale = code), code), since) -> 'fields', '{}') $f$;

    -- Items by id. Without a locale, what all locales share; with one, all values.
    CREATE OR REPLACE FUNCTION pg_temp.items_at(environment uuid, vals jsonb, names text[], code text, since integer, level integer)
        RETURNS jsonb LANGUAGE plpgsql AS $f$
    DECLARE
      block record;
      own jsonb;
      items jsonb := '{}';
    BEGIN
      IF level > 12 THEN RETURN items; END IF;
      FOR block IN SELECT DISTINCT b.id, b.type_name, b.external_id, b.field_names FROM ${linkedFrom('vals', 'names')} LOOP
        own := pg_temp.row_at(environment, block.id, '', since) -> 'shared_fields';
        CONTINUE WHEN own IS NULL;
        IF code IS NOT NULL THEN own := own || pg_temp.local_at(environment, block.id, code, since); END IF;
        own := pg_temp.with_blocks(own, block.field_names, pg_temp.items_at(environment, own, block.field_names, code, since, level + 1));
        items := items || jsonb_build_object(block.id, ${item('block', 'own')});
      END LOOP;
      RETURN items;
    END $f$;

    CREATE OR REPLACE FUNCTION pg_temp.overlay_at(environment uuid, vals jsonb, names text[], code text, since integer) RETURNS jsonb LANGUAGE sql AS $f$
      WITH RECURSIVE reached AS (
        SELECT n.name AS root, b.id, b.field_names FROM ${linkedFrom('vals', 'names')}
        UNION
        SELECT r.root, b.id, b.field_names FROM reached r
          CROSS JOIN LATERAL (SELECT pg_temp.row_at(environment, r.id, '', since) -> 'shared_fields' AS own) AS s
          CROSS JOIN LATERAL (SELECT b.id, b.field_names FROM ${linkedFrom('s.own', 'r.field_names')}) AS b)
      SELECT jsonb_object_agg(root, own) FROM (SELECT r.root, jsonb_object_agg(r.id, v.own) AS own FROM reached r
        CROSS JOIN LATERAL (SELECT pg_temp.local_at(environment, r.id, code, since) AS own) AS l
        CROSS JOIN LATERAL (SELECT pg_temp.with_blocks(l.own, r.field_names,
          pg_temp.items_at(environment, l.own, r.field_names, code, since, 1)) AS own) AS v
        WHERE v.own <> '{}' GROUP BY r.root) AS roots $f$;

    -- The row of a part of an entry with its blocks; null if there was none.
    CREATE OR REPLACE FUNCTION pg_temp.owner_at(environment uuid, entry uuid, names text[], wanted text, since integer) RETURNS jsonb LANGUAGE plpgsql AS $f$
    DECLARE
      own jsonb := pg_temp.row_at(environment, entry, wanted, since);
      shared jsonb := pg_temp.row_at(environment, entry, '', since) -> 'shared_fields';
    BEGIN
      IF own IS NULL THEN RETURN NULL; END IF;
      IF wanted = '' THEN
        RETURN jsonb_set(own, '{shared_fields}', pg_temp.with_blocks(shared, names, pg_temp.items_at(environment, shared, names, NULL, since, 1)));
      END IF;
      RETURN jsonb_set(own, '{fields}', pg_temp.with_overlay(
        pg_temp.with_blocks(own -> 'fields', names, pg_temp.items_at(environment, own -> 'fields', names, wanted, since, 1)),
        pg_temp.overlay_at(environment, shared, names, wanted, since)));
    END $f$;

    CREATE OR REPLACE FUNCTION pg_temp.embed_journal(tenant uuid, environment uuid) RETURNS void LANGUAGE plpgsql AS $f$
    DECLARE change record;
    BEGIN
      -- Those of an epoch are read before it is written, and later ones are not.
      FOR change IN SELECT DISTINCT c.epoch, o.id, ARRAY(SELECT f.api_name FROM embedding_fields f JOIN entries e
            ON e.environment_id = f.environment_id AND e.content_type_id = f.content_type_id WHERE e.environment_id = environment AND e.id = o.id) AS names
          FROM environment_changes c LEFT JOIN batch_blocks b ON b.id = c.item_id JOIN batch_owners o ON o.id = coalesce(b.owner_id, c.item_id)
          WHERE c.environment_id = environment AND c.kind = 'entry' ORDER BY 1, 2 LOOP
        INSERT INTO environment_changes AS c (tenant_id, environment_id, epoch, kind, item_id, part, before)
          SELECT tenant, environment, change.epoch, 'entry', change.id, p.part, r.before FROM (
              SELECT '' AS part
              UNION SELECT l.locale FROM entry_locales l WHERE l.environment_id = environment AND l.entry_id = change.id
              UNION SELECT x.part FROM environment_changes x WHERE x.environment_id = environment AND x.kind = 'entry' AND x.item_id = change.id) AS p
            CROSS JOIN LATERAL (SELECT pg_temp.owner_at(environment, change.id, change.names, p.part, change.epoch) AS before OFFSET 0) AS r
            WHERE r.before IS NOT NULL
          ON CONFLICT (environment_id, kind, item_id, part, epoch) DO UPDATE SET before = excluded.before;
      END LOOP;
    END $f$;`;
