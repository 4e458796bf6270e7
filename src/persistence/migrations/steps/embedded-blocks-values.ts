/** The values of entries with their blocks embedded (migration 0085), for some owners of one environment at a time. */

export const valueTables = `
    DROP TABLE IF EXISTS pg_temp.batch_owners, pg_temp.batch_blocks, pg_temp.batch_locales, pg_temp.batch_shared, pg_temp.batch_local,
      pg_temp.batch_drafts, pg_temp.batch_published;
    CREATE TEMPORARY TABLE batch_owners (id uuid PRIMARY KEY);
    CREATE TEMPORARY TABLE batch_blocks AS SELECT b.*, '' AS owner_locale FROM embedded_blocks b WHERE false;
    ALTER TABLE batch_blocks DROP COLUMN owner_locale;
    CREATE INDEX ON batch_blocks (id);
    CREATE INDEX ON batch_blocks (parent_id);
    CREATE INDEX ON batch_blocks (owner_id);
    -- For each locale of the owner that has the block: the locale whose draft, and whose document, is shown there.
    CREATE TEMPORARY TABLE batch_locales (id uuid, locale text, draft text, live text, is_live boolean, PRIMARY KEY (id, locale));
    CREATE TEMPORARY TABLE batch_shared (id uuid PRIMARY KEY, vals jsonb);
    CREATE TEMPORARY TABLE batch_local (id uuid, locale text, vals jsonb, whole jsonb, PRIMARY KEY (id, locale));
    CREATE TEMPORARY TABLE batch_drafts (id uuid, locale text, former jsonb, vals jsonb, former_shared jsonb, shared jsonb, is_live boolean,
      PRIMARY KEY (id, locale));
    -- What documents of owners show; the names are those of the place in the document.
    CREATE TEMPORARY TABLE batch_published (owner_id uuid, locale text, id uuid, live text, type_id uuid, vals jsonb, parent_id uuid,
      depth integer, root text, in_locale boolean, is_localized boolean, shared jsonb, local jsonb, whole jsonb, PRIMARY KEY (owner_id, locale, id));`;

const chooseBlocks = `
      INSERT INTO batch_blocks SELECT b.* FROM embedded_blocks b JOIN batch_owners o ON o.id = b.owner_id WHERE b.environment_id = environment;
      INSERT INTO batch_locales
        SELECT b.id, l.locale, d.locale, p.locale, coalesce(d.locale = p.locale AND d.status = 'published', false)
        FROM batch_blocks b JOIN entry_locales l ON l.environment_id = environment AND l.entry_id = b.owner_id AND l.locale = ANY (b.locales)
          LEFT JOIN embedding_chains c ON c.site_id = l.site_id AND c.locale = l.locale
          LEFT JOIN LATERAL (SELECT x.locale, x.status FROM entry_locales x WHERE x.environment_id = environment AND x.entry_id = b.id
            AND (x.locale = ANY (c.chain) OR NOT b.has_locales) ORDER BY array_position(c.chain, x.locale) LIMIT 1) AS d ON true
          LEFT JOIN LATERAL (SELECT x.locale FROM published_entries x WHERE x.environment_id = environment AND x.entry_id = b.id
            AND (x.locale = ANY (c.chain) OR NOT b.has_locales) ORDER BY array_position(c.chain, x.locale) LIMIT 1) AS p ON true;`;

const held = (from: string): string =>
  `(SELECT coalesce(jsonb_object_agg(c.id, jsonb_strip_nulls(jsonb_build_object('_ref', c.id, '_type', c.type_name,
            '_externalId', c.external_id)) || jsonb_build_object('fields', s.own)), '{}') AS items ${from})`;
const sharedOf = (parent: string): string =>
  held(
    `FROM batch_blocks c CROSS JOIN LATERAL (SELECT vals AS own FROM batch_shared WHERE id = c.id) AS s WHERE c.parent_id = ${parent} AND NOT c.in_locale`,
  );
export const wholeOf = (parent: string, locale: string): string =>
  held(
    `FROM batch_blocks c CROSS JOIN LATERAL (SELECT whole AS own FROM batch_local WHERE id = c.id AND locale = ${locale}) AS s WHERE c.parent_id = ${parent}`,
  );

/** Innermost blocks first. */
const composeBlocks = `
      FOR level IN REVERSE coalesce((SELECT max(depth) FROM batch_blocks), 0)..1 LOOP
        INSERT INTO batch_shared SELECT b.id, pg_temp.with_blocks(e.shared_fields, b.field_names, h.items)
          FROM batch_blocks b JOIN entries e ON e.environment_id = environment AND e.id = b.id
            CROSS JOIN LATERAL ${sharedOf('b.id')} AS h WHERE b.depth = level;
        INSERT INTO batch_local SELECT b.id, r.locale, v.own, pg_temp.with_blocks(e.shared_fields, b.field_names, h.items) || v.own
          FROM batch_blocks b JOIN batch_locales r ON r.id = b.id JOIN entries e ON e.environment_id = environment AND e.id = b.id
            LEFT JOIN entry_locales l ON l.environment_id = environment AND l.entry_id = b.id AND l.locale = r.draft
            CROSS JOIN LATERAL ${wholeOf('b.id', 'r.locale')} AS h
            CROSS JOIN LATERAL (SELECT pg_temp.with_blocks(coalesce(l.fields, '{}'), b.field_names, h.items) AS own OFFSET 0) AS v
          WHERE b.depth = level;
      END LOOP;`;

/** Localized values of the draft of an owner's blocks, by field of the owner. */
export const overlayOf = (
  owner: string,
  locale: string,
): string => `(SELECT jsonb_object_agg(root, own) AS overlay FROM (
            SELECT b.root, jsonb_object_agg(b.id, v.vals) AS own FROM batch_blocks b
              JOIN batch_local v ON v.id = b.id AND v.locale = ${locale} AND v.vals <> '{}'
              WHERE b.owner_id = ${owner} AND b.is_held AND NOT b.is_localized GROUP BY b.root) AS roots)`;

/** Localized values of blocks in shared lists stand under the field of the entry, by id. */
const composeOwners = `
      INSERT INTO batch_drafts SELECT e.id, l.locale, l.fields,
          pg_temp.with_overlay(pg_temp.with_blocks(l.fields, n.names, w.items), o.overlay), e.shared_fields,
          pg_temp.with_blocks(e.shared_fields, n.names, s.items),
          NOT EXISTS (SELECT FROM batch_blocks b JOIN batch_locales r ON r.id = b.id AND r.locale = l.locale
            WHERE b.owner_id = e.id AND b.is_held AND NOT r.is_live)
        FROM entries e
          JOIN entry_locales l ON l.environment_id = environment AND l.entry_id = e.id
          CROSS JOIN LATERAL (SELECT array_agg(f.api_name) AS names FROM embedding_fields f
            WHERE f.environment_id = environment AND f.content_type_id = e.content_type_id) AS n
          CROSS JOIN LATERAL ${sharedOf('e.id')} AS s
          CROSS JOIN LATERAL ${wholeOf('e.id', 'l.locale')} AS w
          CROSS JOIN LATERAL ${overlayOf('e.id', 'l.locale')} AS o
        WHERE e.environment_id = environment AND e.id IN (SELECT b.owner_id FROM batch_blocks b WHERE b.is_held);`;

/** The field of a document `p` that links a block. @param id SQL of its id */
const linkTo = (id: string): string =>
  `(SELECT f.api_name AS name, f.localized FROM fields f WHERE f.environment_id = environment AND f.content_type_id = p.content_type_id
            AND f.type = 'blocks' AND p.fields -> f.api_name @> ANY (
              ARRAY[jsonb_build_object('_ref', ${id}::text), jsonb_build_array(jsonb_build_object('_ref', ${id}::text))]) LIMIT 1)`;

/** Items of shown blocks `i`. */
export const shownIn = (values: 'shared' | 'whole', condition: string): string =>
  held(
    `FROM batch_published i JOIN batch_blocks c ON c.id = i.id CROSS JOIN LATERAL (SELECT i.${values} AS own) AS s WHERE ${condition}`,
  );

/** What the documents of owners show, as it was published. */
const composePublished = `
      WITH RECURSIVE shown AS (
        SELECT p.entry_id AS owner_id, p.locale, p.entry_id AS id, NULL::text AS live, p.content_type_id, p.fields,
            NULL::uuid AS parent_id, 0 AS depth, NULL::text AS root, false AS in_locale, false AS is_localized
          FROM published_entries p JOIN batch_owners o ON o.id = p.entry_id WHERE p.environment_id = environment
        UNION ALL
        SELECT p.owner_id, p.locale, b.id, r.live, x.content_type_id, x.fields, p.id, p.depth + 1, coalesce(p.root, f.name),
            f.localized, p.is_localized OR f.localized
          FROM shown p JOIN batch_blocks b ON b.parent_id = p.id JOIN batch_locales r ON r.id = b.id AND r.locale = p.locale
            JOIN published_entries x ON x.environment_id = environment AND x.entry_id = b.id AND x.locale = r.live
            CROSS JOIN LATERAL ${linkTo('b.id')} AS f)
      INSERT INTO batch_published SELECT owner_id, locale, id, live, content_type_id, fields, parent_id, depth, root, in_locale, is_localized,
          pg_temp.stored_values(environment, content_type_id, fields, false), pg_temp.stored_values(environment, content_type_id, fields, true)
        FROM shown WHERE live IS NOT NULL;
      FOR level IN REVERSE coalesce((SELECT max(depth) FROM batch_published), 0)..1 LOOP
        UPDATE batch_published p SET shared = pg_temp.with_blocks(p.shared, n.field_names, n.shared), local = n.local,
            whole = pg_temp.with_blocks(p.shared, n.field_names, n.whole) || n.local
          FROM (SELECT q.owner_id, q.locale, q.id, b.field_names, s.items AS shared, w.items AS whole,
              pg_temp.with_blocks(q.local, b.field_names, w.items) AS local
            FROM batch_published q JOIN batch_blocks b ON b.id = q.id
              CROSS JOIN LATERAL ${shownIn('shared', 'NOT i.in_locale AND i.owner_id = q.owner_id AND i.locale = q.locale AND i.parent_id = q.id')} AS s
              CROSS JOIN LATERAL ${shownIn('whole', 'i.owner_id = q.owner_id AND i.locale = q.locale AND i.parent_id = q.id')} AS w
            WHERE q.depth = level) AS n
          WHERE p.owner_id = n.owner_id AND p.locale = n.locale AND p.id = n.id;
      END LOOP;`;

export const valueFunctions = `
    CREATE OR REPLACE FUNCTION pg_temp.locale_chain(tenant uuid, site uuid, code text) RETURNS text[] LANGUAGE sql STABLE AS $f$
      WITH RECURSIVE chain AS (
        SELECT code, fallback_code, ARRAY[code] AS codes FROM locales WHERE tenant_id = tenant AND locales.code = locale_chain.code
        UNION ALL
        SELECT l.code, l.fallback_code, c.codes || l.code FROM chain c JOIN locales l ON l.tenant_id = tenant AND l.code = c.fallback_code
          WHERE l.code <> ALL (c.codes))
      SELECT array_agg(one ORDER BY place) FROM (SELECT codes FROM chain ORDER BY cardinality(codes) DESC LIMIT 1) AS longest,
        unnest(longest.codes) WITH ORDINALITY AS u (one, place), sites s
      WHERE s.tenant_id = tenant AND s.id = site AND (one = locale_chain.code OR one = ANY (s.locales)) $f$;

    CREATE OR REPLACE FUNCTION pg_temp.with_blocks(vals jsonb, names text[], held jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $f$
      SELECT vals || coalesce((SELECT jsonb_object_agg(name, (
          SELECT jsonb_agg(CASE WHEN item ? 'fields' THEN item ELSE coalesce(held -> (item ->> '_ref'), item) END ORDER BY place)
            FROM jsonb_array_elements(vals -> name) WITH ORDINALITY AS items (item, place)))
        FROM unnest(names) AS name WHERE jsonb_typeof(vals -> name) = 'array' AND vals -> name <> '[]'), '{}') $f$;

    CREATE OR REPLACE FUNCTION pg_temp.with_overlay(vals jsonb, localized jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $f$
      SELECT vals || coalesce((SELECT jsonb_object_agg(o.key, coalesce(vals -> o.key, '{}') || o.value) FROM jsonb_each(localized) AS o
        WHERE jsonb_typeof(vals -> o.key) IS DISTINCT FROM 'array'), '{}') $f$;

    CREATE OR REPLACE FUNCTION pg_temp.stored_values(environment uuid, type_id uuid, delivered jsonb, is_localized boolean)
        RETURNS jsonb LANGUAGE sql STABLE AS $f$
      SELECT coalesce(jsonb_object_agg(f.api_name, CASE
          WHEN f.type <> 'richText' THEN v.value
          WHEN jsonb_typeof(v.value) = 'array' THEN (SELECT jsonb_agg(item -> 'raw' ORDER BY place)
            FROM jsonb_array_elements(v.value) WITH ORDINALITY AS items (item, place))
          ELSE v.value -> 'raw' END), '{}')
        FROM fields f CROSS JOIN LATERAL (SELECT delivered -> f.api_name AS value) AS v
        WHERE f.environment_id = environment AND f.content_type_id = type_id AND f.localized = is_localized
          AND v.value NOT IN ('null', '[]') $f$;

    CREATE OR REPLACE FUNCTION pg_temp.compose_batch(environment uuid) RETURNS void LANGUAGE plpgsql AS $f$
    BEGIN
      TRUNCATE batch_blocks, batch_locales, batch_shared, batch_local, batch_drafts, batch_published;
      ${chooseBlocks}
      ANALYZE batch_blocks, batch_locales;
      ${composeBlocks}
      ${composeOwners}
      ${composePublished}
    END $f$;`;
