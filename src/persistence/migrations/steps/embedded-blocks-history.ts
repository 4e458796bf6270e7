import { overlayOf, shownIn, wholeOf } from './embedded-blocks-values.js';

/**
 * Versions of owners (migration 0085). The published ones say what their documents show, the newest what the drafts say;
 * others keep links, which a restore follows (rule entries/own-blocks).
 */

/** Of a published locale: the version, and the one that last wrote the locale until then. */
const published = `(SELECT l.entry_id, l.locale, l.published_version AS version, (SELECT max(v.version_num) FROM entry_versions v
            WHERE v.environment_id = environment AND v.entry_id = l.entry_id AND v.locale = l.locale AND v.version_num <= l.published_version) AS written
          FROM entry_locales l WHERE l.environment_id = environment
            AND EXISTS (SELECT FROM batch_published p WHERE p.owner_id = l.entry_id AND p.locale = l.locale))`;

/** Names of blocks are current ones, so those around them are, too. */
const renameVersions = `
      UPDATE entry_versions v SET fields = pg_temp.current_names(environment, e.content_type_id, v.fields, v.rename_number),
          shared_fields = pg_temp.current_names(environment, e.content_type_id, v.shared_fields, v.rename_number),
          changed_fields = ARRAY(SELECT pg_temp.current_name(environment, e.content_type_id, name, v.rename_number) FROM unnest(v.changed_fields) AS name),
          rename_number = last_rename()
        FROM ${published} AS p, entries e WHERE v.environment_id = environment AND v.entry_id = p.entry_id
          AND v.version_num IN (p.version, p.written) AND e.environment_id = environment AND e.id = v.entry_id
          AND EXISTS (SELECT FROM renames r WHERE r.environment_id = environment AND r.number > v.rename_number);`;

const names = `(SELECT array_agg(f.api_name) FROM embedding_fields f JOIN entries e ON e.environment_id = f.environment_id AND e.content_type_id = f.content_type_id
            WHERE f.environment_id = environment AND e.id = p.entry_id)`;
const outermost = 'i.owner_id = p.entry_id AND i.depth = 1';

export const writePublishedVersions = `
      ${renameVersions}
      UPDATE entry_versions v SET fields = pg_temp.with_overlay(pg_temp.with_blocks(v.fields, n.names, n.items), n.overlay)
        FROM (SELECT p.*, ${names} AS names, w.items, (SELECT jsonb_object_agg(root, own) FROM (
              SELECT i.root, jsonb_object_agg(i.id, i.local) AS own FROM batch_published i
              WHERE i.owner_id = p.entry_id AND i.locale = p.locale AND NOT i.is_localized AND i.local <> '{}' GROUP BY i.root) AS roots) AS overlay
          FROM ${published} AS p CROSS JOIN LATERAL ${shownIn('whole', `${outermost} AND i.locale = p.locale`)} AS w) AS n
        WHERE v.environment_id = environment AND v.entry_id = n.entry_id AND v.locale = n.locale AND v.version_num = n.written;
      UPDATE entry_versions v SET fields = pg_temp.with_overlay(pg_temp.with_blocks(v.fields, n.names, n.items), n.overlay)
        FROM (SELECT DISTINCT ON (p.entry_id, d.locale, w.version) p.entry_id, d.locale, w.version, ${names} AS names, h.items, o.overlay
          FROM ${published} AS p JOIN batch_drafts d ON d.id = p.entry_id
            CROSS JOIN LATERAL (SELECT max(x.version_num) AS version FROM entry_versions x WHERE x.environment_id = environment
              AND x.entry_id = d.id AND x.locale = d.locale AND x.version_num <= p.version) AS w
            CROSS JOIN LATERAL ${wholeOf('d.id', 'd.locale')} AS h
            CROSS JOIN LATERAL ${overlayOf('d.id', 'd.locale')} AS o
          WHERE NOT EXISTS (SELECT FROM ${published} AS q WHERE q.entry_id = d.id AND q.locale = d.locale AND q.written = w.version)) AS n
        WHERE v.environment_id = environment AND v.entry_id = n.entry_id AND v.locale = n.locale AND v.version_num = n.version;
      UPDATE entry_versions v SET shared_fields = pg_temp.with_blocks(v.shared_fields, n.names, n.items)
        FROM (SELECT DISTINCT ON (p.entry_id, p.version) p.*, ${names} AS names, s.items
          FROM ${published} AS p CROSS JOIN LATERAL ${shownIn(
            'shared',
            `${outermost} AND NOT i.in_locale AND i.locale IN (
              SELECT o.locale FROM ${published} AS o WHERE o.entry_id = p.entry_id AND o.version = p.version)`,
          )} AS s) AS n
        WHERE v.environment_id = environment AND v.entry_id = n.entry_id AND v.version_num = n.version;`;

export const writeDraftVersions = `
      INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields, shared_fields,
          changed_fields, comment, created_at, created_by)
        SELECT e.tenant_id, environment, e.id, e.version, l.locale, 'update', l.slug, l.fields, e.shared_fields,
          ARRAY(SELECT DISTINCT b.place_name FROM batch_blocks b WHERE b.parent_id = e.id AND b.is_held ORDER BY 1),
          'Its blocks, which were entries, became part of it.', now(), '{"type": "system", "id": null, "name": "Headwater"}'
        FROM batch_drafts d JOIN entries e ON e.environment_id = environment AND e.id = d.id
          JOIN entry_locales l ON l.environment_id = environment AND l.entry_id = e.id AND l.locale = d.locale;`;

export const historyFunctions = `
    CREATE OR REPLACE FUNCTION pg_temp.current_name(environment uuid, type_id uuid, name text, after bigint) RETURNS text LANGUAGE plpgsql AS $f$
    DECLARE rename renames;
    BEGIN
      FOR rename IN SELECT * FROM renames r WHERE r.environment_id = environment AND r.content_type_id = type_id AND r.field_id IS NOT NULL
          AND r.number > after ORDER BY r.number LOOP
        IF name = rename.from_name THEN name := rename.to_name; END IF;
      END LOOP;
      RETURN name;
    END $f$;

    CREATE OR REPLACE FUNCTION pg_temp.current_names(environment uuid, type_id uuid, vals jsonb, after bigint) RETURNS jsonb LANGUAGE plpgsql AS $f$
    DECLARE
      rename renames;
      links text[] := ARRAY(SELECT f.api_name FROM fields f
        WHERE f.environment_id = environment AND f.content_type_id = type_id AND f.type IN ('reference', 'blocks'));
    BEGIN
      FOR rename IN SELECT * FROM renames r WHERE r.environment_id = environment AND r.number > after
          AND (r.content_type_id = type_id OR r.field_id IS NULL) ORDER BY r.field_id IS NULL, r.number LOOP
        IF rename.field_id IS NULL THEN
          vals := with_link_types(vals, links, rename.from_name, rename.to_name);
        ELSIF vals ? rename.from_name THEN
          vals := vals - rename.from_name || jsonb_build_object(rename.to_name, vals -> rename.from_name);
        END IF;
      END LOOP;
      RETURN vals;
    END $f$;`;
