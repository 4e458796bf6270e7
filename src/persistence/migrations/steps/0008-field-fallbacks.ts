import { type Migration } from './migration.js';

/**
 * Values of fields that a locale lacks come from its fallbacks (rule localization/field-fallback). Published documents
 * hold them; triggers follow changes of fallbacks, types and sites.
 */
export const fieldFallbacks: Migration = {
  name: '0008-field-fallbacks',
  up: `
    CREATE FUNCTION has_value(value jsonb, is_rich_text boolean) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN value IS NULL OR value = 'null' THEN false
        WHEN is_rich_text THEN jsonb_path_exists(value, '$.**.text ? (@ like_regex "[^\\t\\n\\u000b\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]")') OR jsonb_path_exists(value, '$.**.content[*].attrs.assetId ? (@.type() == "string")')
          OR jsonb_path_exists(value, '$.**.content[*].attrs.entryId ? (@.type() == "string")')
        WHEN jsonb_typeof(value) = 'string' THEN jsonb_path_exists(value, '$ ? (@ like_regex "[^\\t\\n\\u000b\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]")')
        WHEN jsonb_typeof(value) = 'array' THEN jsonb_path_exists(value, 'strict $[*] ? (@.type() != "string" || @ like_regex "[^\\t\\n\\u000b\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]")')
        ELSE true END $$;
    COMMENT ON FUNCTION has_value IS 'Whether a value of a field, drafted or published, is more than white space or an empty list.';

    CREATE FUNCTION fallback_values(own jsonb, fallback jsonb, localized jsonb, own_blocks jsonb, blocks jsonb)
      RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(jsonb_object_agg(f.key, fallback -> f.key), '{}') FROM jsonb_each(localized) AS f
        WHERE NOT has_value(own -> f.key, f.value = 'true') AND has_value(fallback -> f.key, f.value = 'true')
          AND coalesce(NOT held_blocks(jsonb_build_array(fallback -> f.key), blocks) ?| ARRAY(SELECT jsonb_object_keys(own_blocks)), true) $$;
    COMMENT ON FUNCTION fallback_values IS 'Values of localized fields, {name: is rich text}, that only the fallback has, except blocks that the document has elsewhere.';

    CREATE FUNCTION fallback_values_in_blocks(own jsonb, fallback jsonb, localized jsonb)
      RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(jsonb_object_agg(b.key, v.taken) FILTER (WHERE v.taken <> '{}'), '{}')
        FROM jsonb_each(own) AS b CROSS JOIN LATERAL (SELECT fallback_values(b.value -> 'fields', fallback -> b.key -> 'fields',
          localized -> (b.value ->> 'type'), own, fallback) AS taken) AS v
        WHERE fallback -> b.key ->> 'type' = b.value ->> 'type' $$;
    COMMENT ON FUNCTION fallback_values_in_blocks IS 'By id of the block, as fallback_values.';

    CREATE FUNCTION shown_fallbacks(environment uuid, entries uuid[])
      RETURNS TABLE(entry_id uuid, locale text, fields jsonb, own_values jsonb, blocks jsonb, own_blocks jsonb) LANGUAGE plpgsql STABLE SET search_path = public AS $$
    DECLARE
      doc record;
      localized jsonb;
      entry uuid;
      complete jsonb;
      next jsonb;
      taken jsonb;
      taken_in_blocks jsonb;
    BEGIN
      SELECT jsonb_object_agg(t.id, t.fields) INTO localized FROM (
        SELECT f.content_type_id AS id, jsonb_object_agg(f.api_name, f.type = 'richText') AS fields
          FROM fields f JOIN content_types o ON o.environment_id = f.environment_id AND o.id = f.content_type_id
          WHERE f.environment_id = environment AND f.localized AND o.field_fallback AND o.is_localized GROUP BY 1) AS t;
      FOR doc IN
        SELECT p.entry_id AS id, p.locale AS code, p.content_type_id AS type, p.fields || coalesce(p.own_values, '{}') AS own_fields,
          CASE WHEN p.own_blocks IS NULL THEN p.blocks ELSE nullif(p.own_blocks, '{}') END AS blocks_of_own, c.chain
        FROM published_entries p JOIN content_types t ON t.environment_id = p.environment_id AND t.id = p.content_type_id
          JOIN sites s ON s.tenant_id = t.tenant_id AND s.id = p.site_id
          CROSS JOIN LATERAL (SELECT CASE WHEN t.is_localized THEN locale_chain(s.tenant_id, p.locale, s.locales) ELSE '{}' END AS chain) AS c
        WHERE p.environment_id = environment AND p.entry_id = ANY (entries)
        ORDER BY p.entry_id, cardinality(c.chain), p.locale
      LOOP
        IF entry IS DISTINCT FROM doc.id THEN
          entry := doc.id;
          complete := '{}';
        END IF;
        entry_id := doc.id;
        locale := doc.code;
        fields := doc.own_fields;
        blocks := doc.blocks_of_own;
        own_values := NULL;
        own_blocks := NULL;
        next := (SELECT complete -> f.code FROM unnest(doc.chain) WITH ORDINALITY AS f (code, place)
          WHERE f.place > 1 AND complete ? f.code ORDER BY f.place LIMIT 1);
        IF next IS NOT NULL THEN
          taken := fallback_values(fields, next -> 'fields', localized -> doc.type::text, blocks, next -> 'blocks');
          taken_in_blocks := fallback_values_in_blocks(blocks, next -> 'blocks', localized);
          IF taken <> '{}' THEN
            SELECT jsonb_object_agg(k.key, coalesce(doc.own_fields -> k.key, CASE WHEN jsonb_typeof(taken -> k.key) = 'array' THEN '[]' ELSE 'null' END::jsonb))
              INTO own_values FROM jsonb_object_keys(taken) AS k (key);
            fields := fields || taken;
          END IF;
          IF taken <> '{}' OR taken_in_blocks <> '{}' THEN
            blocks := nullif(coalesce(held_blocks(jsonb_build_array(taken, taken_in_blocks), next -> 'blocks'), '{}')
              || coalesce((SELECT jsonb_object_agg(b.key, CASE WHEN taken_in_blocks ? b.key
                THEN jsonb_set(b.value, '{fields}', (b.value -> 'fields') || (taken_in_blocks -> b.key)) ELSE b.value END)
                FROM jsonb_each(blocks) AS b), '{}'), '{}');
          END IF;
          IF blocks IS DISTINCT FROM doc.blocks_of_own THEN
            own_blocks := coalesce(doc.blocks_of_own, '{}');
          END IF;
        END IF;
        complete := complete || jsonb_build_object(doc.code, jsonb_build_object('fields', fields, 'blocks', coalesce(blocks, '{}')));
        RETURN NEXT;
      END LOOP;
    END $$;
    COMMENT ON FUNCTION shown_fallbacks IS 'Values that published documents of entries show, and their own values where these differ.';

    CREATE FUNCTION falling_entries(environment uuid, type uuid)
      RETURNS TABLE(entry_id uuid) LANGUAGE sql STABLE SET search_path = public AS $$
      WITH falling AS (SELECT t.id FROM content_types t
        WHERE t.environment_id = environment AND (type IS NULL AND t.field_fallback OR t.id = type))
      SELECT p.entry_id FROM published_entries p WHERE p.environment_id = environment AND p.content_type_id IN (SELECT f.id FROM falling f)
      UNION SELECT b.entry_id FROM owned_blocks b WHERE b.environment_id = environment AND b.content_type_id IN (SELECT f.id FROM falling f) $$;
    COMMENT ON FUNCTION falling_entries IS 'Entries of a type, or with blocks of it; of every type with fallbacks if it is null.';

    CREATE FUNCTION own_document(document published_entries)
      RETURNS published_entries LANGUAGE plpgsql STABLE SET search_path = public AS $$
    BEGIN
      document.fields := document.fields || coalesce(document.own_values, '{}');
      document.filter_values := filter_values(document.environment_id, document.content_type_id, document.fields);
      document.is_unlisted := coalesce(document.fields -> 'noindex' = 'true', false);
      document.blocks := CASE WHEN document.own_blocks IS NULL THEN document.blocks ELSE nullif(document.own_blocks, '{}') END;
      RETURN document;
    END $$;
    COMMENT ON FUNCTION own_document IS 'A document with its own values, without those that it shows of fallbacks.';

    CREATE FUNCTION fill_fallbacks(environment uuid, entries uuid[]) RETURNS void LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      PERFORM set_config('headwater.filling', 'on', true);
      WITH filled AS (
        UPDATE published_entries p SET fields = s.fields, own_values = s.own_values, blocks = s.blocks, own_blocks = s.own_blocks
        FROM shown_fallbacks(environment, entries) AS s
        WHERE p.environment_id = environment AND p.entry_id = s.entry_id AND p.locale = s.locale
          AND (p.fields, p.own_values, p.blocks, p.own_blocks) IS DISTINCT FROM (s.fields, s.own_values, s.blocks, s.own_blocks)
        RETURNING p.entry_id)
      INSERT INTO search_queue (environment_id, entry_id) SELECT DISTINCT environment, entry_id FROM filled;
      PERFORM set_config('headwater.filling', '', true);
    END $$;

    CREATE FUNCTION fill_type_fallbacks(environment uuid, type uuid, site uuid)
      RETURNS void LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      PERFORM fill_fallbacks(environment, ARRAY(SELECT f.entry_id FROM falling_entries(environment, type) AS f
        WHERE site IS NULL OR EXISTS (SELECT FROM entries e WHERE e.environment_id = environment AND e.id = f.entry_id AND e.site_id = site)));
    END $$;
    COMMENT ON FUNCTION fill_type_fallbacks IS 'Of a type, or of every type with fallbacks; on a site, or on all.';

    CREATE FUNCTION clear_fallbacks(environment uuid, entries uuid[]) RETURNS boolean LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      IF current_setting('headwater.filling', true) = 'on' THEN RETURN false; END IF;
      PERFORM set_config('headwater.filling', 'on', true);
      UPDATE published_entries SET fields = fields || coalesce(own_values, '{}'), own_values = NULL,
          blocks = CASE WHEN own_blocks IS NULL THEN blocks ELSE nullif(own_blocks, '{}') END, own_blocks = NULL
        WHERE environment_id = environment AND (own_values IS NOT NULL OR own_blocks IS NOT NULL) AND (entries IS NULL OR entry_id = ANY (entries));
      RETURN true;
    END $$;
    COMMENT ON FUNCTION clear_fallbacks IS 'Leaves documents with their own values until the caller fills them again. False if an outer caller does so.';

    CREATE FUNCTION follow_fallbacks() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    DECLARE written record;
    BEGIN
      IF current_setting('headwater.filling', true) = 'on' OR current_setting('headwater.copying', true) = 'on' THEN RETURN NULL; END IF;
      FOR written IN SELECT c.environment_id, array_agg(DISTINCT c.entry_id) AS entries FROM changed c
          WHERE c.own_values IS NOT NULL OR c.own_blocks IS NOT NULL
            OR EXISTS (SELECT FROM content_types t WHERE t.environment_id = c.environment_id AND t.field_fallback
            AND (t.id = c.content_type_id OR EXISTS (SELECT FROM owned_blocks b
              WHERE b.environment_id = c.environment_id AND b.entry_id = c.entry_id AND b.content_type_id = t.id)))
          GROUP BY 1 LOOP
        PERFORM fill_fallbacks(written.environment_id, written.entries);
      END LOOP;
      RETURN NULL;
    END $$;
    CREATE TRIGGER follow_fallbacks_insert AFTER INSERT ON published_entries REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION follow_fallbacks();
    CREATE TRIGGER follow_fallbacks_update AFTER UPDATE ON published_entries REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION follow_fallbacks();
    CREATE TRIGGER follow_fallbacks_delete AFTER DELETE ON published_entries REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION follow_fallbacks();

    CREATE FUNCTION follow_type_fallback() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      IF current_setting('headwater.filling', true) = 'on' OR current_setting('headwater.copying', true) = 'on' THEN RETURN NULL; END IF;
      PERFORM fill_type_fallbacks(NEW.environment_id, NEW.id, NULL);
      RETURN NULL;
    END $$;
    CREATE TRIGGER follow_type_fallback AFTER UPDATE ON content_types FOR EACH ROW
      WHEN ((OLD.field_fallback AND OLD.is_localized) <> (NEW.field_fallback AND NEW.is_localized))
      EXECUTE FUNCTION follow_type_fallback();

    CREATE FUNCTION follow_field_fallback() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      IF current_setting('headwater.filling', true) = 'on' OR current_setting('headwater.copying', true) = 'on' THEN RETURN NULL; END IF;
      PERFORM fill_type_fallbacks(t.environment_id, t.id, NULL) FROM content_types t
        WHERE t.environment_id = NEW.environment_id AND t.id = NEW.content_type_id AND t.field_fallback;
      RETURN NULL;
    END $$;
    CREATE TRIGGER follow_field_fallback AFTER UPDATE ON fields FOR EACH ROW
      WHEN ((OLD.api_name, OLD.localized, OLD.is_list) IS DISTINCT FROM (NEW.api_name, NEW.localized, NEW.is_list))
      EXECUTE FUNCTION follow_field_fallback();

    CREATE FUNCTION follow_site_fallback() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
    BEGIN
      PERFORM fill_type_fallbacks(v.id, NULL, NEW.id) FROM environments v
        WHERE v.tenant_id = NEW.tenant_id AND v.project_id = NEW.project_id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER follow_site_fallback AFTER UPDATE ON sites FOR EACH ROW WHEN (OLD.locales <> NEW.locales)
      EXECUTE FUNCTION follow_site_fallback();


    GRANT EXECUTE ON FUNCTION has_value(jsonb, boolean) TO headwater_service;
    GRANT EXECUTE ON FUNCTION fallback_values(jsonb, jsonb, jsonb, jsonb, jsonb) TO headwater_service;
    GRANT EXECUTE ON FUNCTION fallback_values_in_blocks(jsonb, jsonb, jsonb) TO headwater_service;
    GRANT EXECUTE ON FUNCTION shown_fallbacks(uuid, uuid[]) TO headwater_service;
    GRANT EXECUTE ON FUNCTION falling_entries(uuid, uuid) TO headwater_service;
    GRANT EXECUTE ON FUNCTION own_document(published_entries) TO headwater_service;
    GRANT EXECUTE ON FUNCTION fill_fallbacks(uuid, uuid[]) TO headwater_service;
    GRANT EXECUTE ON FUNCTION fill_type_fallbacks(uuid, uuid, uuid) TO headwater_service;
    GRANT EXECUTE ON FUNCTION clear_fallbacks(uuid, uuid[]) TO headwater_service;
  `,
  down: `
    DROP FUNCTION has_value, fallback_values, fallback_values_in_blocks, shown_fallbacks, falling_entries,
      own_document, fill_fallbacks, fill_type_fallbacks, clear_fallbacks, follow_fallbacks,
      follow_type_fallback, follow_field_fallback, follow_site_fallback CASCADE;
  `,
};
