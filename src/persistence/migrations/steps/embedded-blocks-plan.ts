/**
 * Which entries of block types become blocks of an entry (migration 0085). Everything here belongs to the session of the
 * migration: what remains of a killed one is the entries that it changed, each of them completely.
 */

/** One project at a time; `embedded_blocks` and `embedding_owners` are its plan. */
export const planTables = `
    DROP TABLE IF EXISTS pg_temp.embedding_projects, pg_temp.embedding_fields, pg_temp.embedding_chains, pg_temp.embedding_places,
      pg_temp.embedding_others, pg_temp.embedded_blocks, pg_temp.embedding_owners;
    CREATE TEMPORARY TABLE embedding_projects AS
      SELECT tenant_id, project_id, 0 AS plans, false AS is_planned FROM environment_heads GROUP BY 1, 2;
    CREATE TEMPORARY TABLE embedding_fields (environment_id uuid, content_type_id uuid, api_name text);
    CREATE TEMPORARY TABLE embedding_chains (tenant_id uuid, site_id uuid, locale text, chain text[]);
    -- Where drafts and published documents link blocks; the locale is empty in shared values of drafts.
    CREATE TEMPORARY TABLE embedding_places (environment_id uuid, parent_id uuid, locale text, field_name text, id uuid, is_draft boolean);
    -- What is linked in other ways.
    CREATE TEMPORARY TABLE embedding_others (environment_id uuid, id text);
    CREATE TEMPORARY TABLE embedded_blocks (
      environment_id uuid, id uuid, content_type_id uuid, type_name text, field_names text[], has_locales boolean, external_id text,
      site_id uuid, written text[], parent_id uuid, in_draft boolean, in_locale boolean, place_locales text[], place_name text,
      mark text, owner_id uuid, depth integer, root text, is_held boolean, is_localized boolean, locales text[], is_unfit boolean);
    COMMENT ON COLUMN embedded_blocks.is_held IS 'Whether the draft of the owner has it. Only a published document may.';
    CREATE TEMPORARY TABLE embedding_owners (tenant_id uuid, project_id uuid, environment_id uuid, id uuid, mark text);
    CREATE INDEX ON embedding_places (environment_id, parent_id, id);
    CREATE INDEX ON embedding_places (environment_id, id);
    CREATE INDEX ON embedding_others (environment_id, id);
    CREATE INDEX ON embedded_blocks (environment_id, id);
    CREATE INDEX ON embedded_blocks (environment_id, parent_id);
    CREATE INDEX ON embedded_blocks (environment_id, owner_id);`;

/** SQL of the links among the items of a list. @param value SQL of the list */
const linksIn = (value: string): string => `jsonb_array_elements(
          CASE jsonb_typeof(${value}) WHEN 'array' THEN ${value} ELSE '[]' END) AS items (item)`;
const isLink = "jsonb_typeof(item -> '_ref') = 'string' AND NOT item ? 'fields'";

/** Ids that texts name. @param source of rows whose column has values */
const inTexts = (source: string, values: string): string => `
        SELECT r.environment_id, ref #>> '{}' FROM ${source} r JOIN embedding_environments USING (environment_id)
          CROSS JOIN LATERAL jsonb_path_query(r.${values}, 'strict $.**.entryId', silent => true) AS ref
          WHERE strpos(r.${values}::text, '"entryId"') > 0`;

const findPlaces = `
      INSERT INTO embedding_fields SELECT f.environment_id, f.content_type_id, f.api_name
        FROM fields f JOIN embedding_environments USING (environment_id) WHERE f.type = 'blocks';
      INSERT INTO embedding_chains SELECT s.tenant_id, s.id, l.locale, pg_temp.locale_chain(s.tenant_id, s.id, l.locale)
        FROM sites s CROSS JOIN LATERAL (SELECT unnest(s.locales) UNION SELECT code FROM locales WHERE tenant_id = s.tenant_id) AS l (locale)
        WHERE s.tenant_id = tenant AND s.project_id = project;
      INSERT INTO embedding_places
        SELECT e.environment_id, e.id, '', f.api_name, (item ->> '_ref')::uuid, true
          FROM entries e JOIN embedding_fields f USING (environment_id, content_type_id)
          CROSS JOIN LATERAL ${linksIn('e.shared_fields -> f.api_name')} WHERE ${isLink}
        UNION ALL SELECT l.environment_id, l.entry_id, l.locale, f.api_name, (item ->> '_ref')::uuid, true
          FROM entry_locales l JOIN embedding_fields f USING (environment_id, content_type_id)
          CROSS JOIN LATERAL ${linksIn('l.fields -> f.api_name')} WHERE ${isLink}
        UNION ALL SELECT p.environment_id, p.entry_id, p.locale, f.api_name, (ref #>> '{}')::uuid, false
          FROM published_entries p JOIN embedding_fields f USING (environment_id, content_type_id)
          CROSS JOIN LATERAL jsonb_path_query(p.fields -> f.api_name, 'strict $.**._ref', silent => true) AS ref
          WHERE p.blocks IS NULL OR NOT p.blocks ? (ref #>> '{}');`;

const findOthers = `
      INSERT INTO embedding_others
        SELECT k.environment_id, k.target_id::text FROM entry_links k JOIN embedding_environments USING (environment_id)
          JOIN fields f ON f.environment_id = k.environment_id AND f.id = k.field_id
          WHERE NOT k.is_media AND (f.type <> 'blocks' OR NOT EXISTS (SELECT FROM embedding_places p
            WHERE p.environment_id = k.environment_id AND p.parent_id = k.entry_id AND p.id = k.target_id))
        UNION ALL SELECT p.environment_id, ref #>> '{}' FROM published_entries p JOIN embedding_environments USING (environment_id)
          JOIN fields f ON f.environment_id = p.environment_id AND f.content_type_id = p.content_type_id
          CROSS JOIN LATERAL jsonb_path_query(p.fields -> f.api_name, 'strict $.**._ref', silent => true) AS ref
          WHERE f.type <> 'blocks'
        UNION ALL SELECT p.environment_id, unnest(block_targets(p.blocks)) FROM published_entries p
          JOIN embedding_environments USING (environment_id) WHERE p.blocks IS NOT NULL
        UNION ALL ${inTexts('entries', 'shared_fields')}
        UNION ALL ${inTexts('entry_locales', 'fields')}
        UNION ALL ${inTexts('published_entries', 'fields')};`;

/** What would be lost with the entry. */
const holds = `EXISTS (SELECT FROM tree_nodes n WHERE n.environment_id = e.environment_id AND n.entry_id = e.id)
          OR EXISTS (SELECT FROM sites s WHERE s.home_entry_id = e.id)
          OR EXISTS (SELECT FROM owned_blocks b WHERE b.environment_id = e.environment_id AND b.entry_id = e.id)
          OR EXISTS (SELECT FROM scheduled_jobs j WHERE j.environment_id = e.environment_id AND j.entry_id = e.id AND j.status = 'scheduled')
          OR EXISTS (SELECT FROM entry_locales l WHERE l.environment_id = e.environment_id AND l.entry_id = e.id
            AND (l.assignee_id IS NOT NULL OR l.due_at IS NOT NULL))
          OR EXISTS (SELECT FROM translations t WHERE t.environment_id = e.environment_id AND t.entry_id = e.id
            AND (t.assignee_id IS NOT NULL OR t.due_at IS NOT NULL OR t.note IS NOT NULL))`;

/** In one place of one entry, once in a locale. Only the documents may still have it, if it was not changed since. */
const places = `SELECT p.environment_id, p.id, (array_agg(p.parent_id))[1] AS parent_id, bool_or(p.is_draft) AS in_draft,
            coalesce(bool_and(p.locale <> '') FILTER (WHERE p.is_draft), true) AS in_locale,
            coalesce(array_agg(p.locale) FILTER (WHERE p.is_draft), array_agg(p.locale)) AS place_locales,
            min(p.field_name) FILTER (WHERE p.is_draft) AS place_name
          FROM embedding_places p GROUP BY 1, 2
          HAVING count(DISTINCT p.parent_id) = 1
            AND count(*) FILTER (WHERE p.is_draft) = CASE WHEN bool_or(p.is_draft AND p.locale = '') THEN 1
              ELSE count(DISTINCT p.locale) FILTER (WHERE p.is_draft) END
            AND count(*) FILTER (WHERE NOT p.is_draft) = count(DISTINCT p.locale) FILTER (WHERE NOT p.is_draft)
            AND (bool_or(p.is_draft AND p.locale = '') OR NOT bool_or(p.is_draft)
              OR coalesce(array_agg(p.locale) FILTER (WHERE NOT p.is_draft), '{}') <@ array_agg(p.locale) FILTER (WHERE p.is_draft))`;

/** Values that all locales share in a published document `p`. */
const commonOf = (
  row: string,
): string => `(SELECT jsonb_object_agg(f.api_name, ${row}.fields -> f.api_name) FROM fields f
            WHERE f.environment_id = ${row}.environment_id AND f.content_type_id = ${row}.content_type_id AND NOT f.localized)`;

/** One version of the owner says what its documents show: the block in each of them or in none, with the same shared values. */
const isOfOneVersion = `(SELECT count(DISTINCT ${commonOf('p')}) FROM published_entries p WHERE p.environment_id = e.environment_id AND p.entry_id = e.id) < 2
          AND (SELECT count(DISTINCT EXISTS (SELECT FROM published_entries x WHERE x.environment_id = e.environment_id AND x.entry_id = e.id
                AND (x.locale = ANY (c.chain) OR NOT t.is_localized)))
            FROM embedding_places d JOIN embedding_chains c ON c.site_id = e.site_id AND c.locale = d.locale
            WHERE d.environment_id = e.environment_id AND d.id = e.id AND NOT d.is_draft) < 2`;

/** Entries that were made since blocks have owners are meant as entries. */
const findCandidates = `
      INSERT INTO embedded_blocks SELECT e.environment_id, e.id, e.content_type_id, t.api_name,
          ARRAY(SELECT f.api_name FROM embedding_fields f WHERE f.environment_id = e.environment_id AND f.content_type_id = e.content_type_id),
          t.is_localized, e.external_id, e.site_id, w.written, p.parent_id, p.in_draft, p.in_locale, p.place_locales, p.place_name,
          pg_temp.entry_mark(e.environment_id, e.id)
        FROM (${places}) AS p
        JOIN entries e ON e.environment_id = p.environment_id AND e.id = p.id AND e.deleted_at IS NULL
        JOIN content_types t ON t.environment_id = e.environment_id AND t.id = e.content_type_id AND t.is_block AND NOT t.is_singleton
        CROSS JOIN LATERAL (SELECT array_agg(l.locale) AS written, bool_and(l.status = 'published') AS is_live FROM entry_locales l
          WHERE l.environment_id = e.environment_id AND l.entry_id = e.id) AS w
        WHERE p.parent_id <> e.id AND (t.is_localized OR cardinality(w.written) = 1) AND (p.in_draft OR w.is_live)
          AND e.created_at < (SELECT applied_at FROM schema_migrations WHERE name = '0078-owned-blocks')
          AND NOT EXISTS (SELECT FROM embedding_others o WHERE o.environment_id = e.environment_id AND o.id = e.id::text)
          AND ${isOfOneVersion}
          AND NOT (${holds});`;

/** The owner is the first entry around a block that stays one. Blocks in a circle have none. */
const findOwners = `
        UPDATE embedded_blocks SET owner_id = NULL;
        WITH RECURSIVE tree AS (
          SELECT b.environment_id, b.id, b.parent_id AS owner_id, 1 AS depth, b.place_name AS root, b.in_draft AS is_held, b.in_locale AS is_localized,
            CASE WHEN b.in_locale THEN b.place_locales ELSE w.written END AS locales, b.place_locales <@ array_prepend('', w.written) AS fits
          FROM embedded_blocks b CROSS JOIN LATERAL (SELECT array_agg(l.locale) AS written FROM entry_locales l
            WHERE l.environment_id = b.environment_id AND l.entry_id = b.parent_id) AS w
          WHERE NOT EXISTS (SELECT FROM embedded_blocks p WHERE p.environment_id = b.environment_id AND p.id = b.parent_id)
          UNION ALL
          SELECT b.environment_id, b.id, t.owner_id, t.depth + 1, t.root, t.is_held AND b.in_draft, t.is_localized OR b.in_locale,
            CASE WHEN b.in_locale THEN b.place_locales ELSE t.locales END,
            NOT b.in_locale OR (p.written <@ t.locales AND t.locales <@ p.written AND b.place_locales <@ t.locales)
          FROM tree t JOIN embedded_blocks p ON p.environment_id = t.environment_id AND p.id = t.id
            JOIN embedded_blocks b ON b.environment_id = t.environment_id AND b.parent_id = t.id)
        UPDATE embedded_blocks b SET owner_id = t.owner_id, depth = t.depth, root = t.root, is_held = t.is_held, is_localized = t.is_localized,
            locales = CASE WHEN t.fits THEN t.locales ELSE '{}' END
          FROM tree t WHERE t.environment_id = b.environment_id AND t.id = b.id;`;

/**
 * Blocks whose texts have no place in their owner stay entries, as do those that are one in another environment. Outermost
 * first: those that they hold have another owner then.
 */
const dropUnfit = `
        UPDATE embedded_blocks b SET is_unfit = e.site_id <> b.site_id OR b.depth > 10
            OR cardinality(b.locales) = 0 OR (b.has_locales AND NOT b.written <@ b.locales)
            OR (SELECT count(*) FROM embedded_blocks o WHERE o.environment_id = b.environment_id AND o.owner_id = b.owner_id) > 500
            OR EXISTS (SELECT FROM entries x JOIN embedding_environments h ON h.environment_id = x.environment_id
              WHERE x.id = b.id AND x.environment_id <> b.environment_id AND NOT EXISTS (SELECT FROM embedded_blocks o
                WHERE o.environment_id = x.environment_id AND o.id = x.id))
          FROM entries e WHERE e.environment_id = b.environment_id AND e.id = b.owner_id;
        DELETE FROM embedded_blocks b WHERE b.owner_id IS NULL OR b.is_unfit AND NOT EXISTS (SELECT FROM embedded_blocks o
          WHERE o.environment_id = b.environment_id AND o.owner_id = b.owner_id AND o.is_unfit AND o.depth < b.depth);
        GET DIAGNOSTICS dropped = ROW_COUNT;`;

export const planFunctions = `
    CREATE OR REPLACE FUNCTION pg_temp.entry_mark(environment uuid, entry uuid) RETURNS text LANGUAGE sql STABLE AS $f$
      SELECT concat_ws(' ', e.version, e.shared_hash, e.deleted_at, (SELECT string_agg(concat_ws(' ', l.locale, l.content_hash, l.published_at), ' '
          ORDER BY l.locale) FROM entry_locales l WHERE l.environment_id = environment AND l.entry_id = entry))
        FROM entries e WHERE e.environment_id = environment AND e.id = entry $f$;

    CREATE OR REPLACE FUNCTION pg_temp.plan_blocks(tenant uuid, project uuid) RETURNS void LANGUAGE plpgsql AS $f$
    DECLARE dropped integer;
    BEGIN
      TRUNCATE embedding_fields, embedding_chains, embedding_places, embedding_others, embedded_blocks, embedding_owners;
      CREATE TEMPORARY TABLE embedding_environments ON COMMIT DROP AS
        SELECT environment_id FROM environment_heads WHERE tenant_id = tenant AND project_id = project;
      ${findPlaces}
      ANALYZE embedding_places;
      ${findOthers}
      ANALYZE embedding_others;
      ${findCandidates}
      ANALYZE embedded_blocks;
      LOOP
        ${findOwners}
        ${dropUnfit}
        EXIT WHEN dropped = 0;
      END LOOP;
      INSERT INTO embedding_owners SELECT DISTINCT tenant, project, environment_id, owner_id, pg_temp.entry_mark(environment_id, owner_id)
        FROM embedded_blocks;
    END $f$;`;
