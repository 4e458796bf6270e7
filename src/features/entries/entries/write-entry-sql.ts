import { isReadSql } from './read-entry-sql.js';

/**
 * Comments that are anchored in the text of an entry, with its values before the statement that this is part of; null
 * without any. `$2` is the environment.
 * @param written selects the locales that the statement writes: the others keep their text
 */
export const anchoredSql = (entry: string, written: string): string => `(
    SELECT jsonb_build_object('anchors', a.anchors,
      'shared', (SELECT o.shared_fields FROM entries o WHERE o.environment_id = $2 AND o.id = ${entry}),
      'locales', (SELECT jsonb_object_agg(o.locale, o.fields) FROM entry_locales o
        WHERE o.environment_id = $2 AND o.entry_id = ${entry} AND o.locale = ANY (a.locales) AND o.locale IN (${written})))
    FROM (SELECT array_agg(c.locale) AS locales, jsonb_agg(jsonb_build_object('id', c.id, 'fieldId', c.field_id,
        'blockId', c.block_id, 'locale', c.locale, 'from', c.range_from, 'to', c.range_to)) AS anchors
      FROM entry_comments c WHERE c.environment_id = $2 AND c.entry_id = ${entry} AND c.range_from IS NOT NULL) AS a
    WHERE a.anchors IS NOT NULL)`;

/** An equal value stays where it is stored. @param stored column @param given SQL expression */
export const keptSql = (stored: string, given: string): string =>
  `CASE WHEN ${stored} = ${given} THEN ${stored} ELSE ${given} END`;
export const keptFields = keptSql('entry_locales.fields', 'excluded.fields');

/**
 * Parameters of both statements: `$1` tenant, `$2` environment, `$3` entry, `$4` type, `$5` site, `$6` version, `$7`
 * shared fields, `$8` time, `$9` actor, `$10` locales, `$11` change type, `$12` changed fields, `$13` comment, `$14`
 * links, `$15` in its site's tree. The first also has `$16` external id.
 */
const given = `given AS (
    SELECT locale, slug, title, fields, "workflowState" AS workflow_state, "assigneeId" AS assignee_id, "dueAt" AS due_at
    FROM jsonb_to_recordset($10::jsonb) AS g(locale text, slug text, title text, fields jsonb, "workflowState" text,
      "assigneeId" uuid, "dueAt" timestamptz))`;
const links = `links AS (
    SELECT (link ->> 'fieldId')::uuid AS field_id, link ->> 'locale' AS locale, (link ->> 'targetId')::uuid AS target_id,
      (link ->> 'isMedia')::boolean AS is_media
    FROM jsonb_array_elements($14::jsonb) AS link)`;
const shownFirst = 'locale = (SELECT default_locale FROM sites WHERE tenant_id = $1 AND id = $5) DESC';
const state = `INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title, fields,
      in_tree, shared_hash, is_shown, created_at, updated_at, workflow_state, assignee_id, due_at)
    SELECT $1, $2, $3, locale, $4, $5, slug, title, fields, $15, md5($7::jsonb::text), locale = (SELECT locale FROM shown), $8, $8,
      workflow_state, assignee_id, due_at
    FROM given`;
const version = `version AS (
    INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields,
      shared_fields, changed_fields, comment, created_at, created_by)
    SELECT $1, $2, $3, $6, locale, $11, slug, fields, $7, $12::text[], $13, $8, $9 FROM given)`;
const linked = `INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id, is_media)
    SELECT $1, $2, $3, locale, field_id, target_id, is_media FROM links ON CONFLICT DO NOTHING`;

export const insertEntry = {
  name: 'insert_entry',
  text: `WITH ${given},
  entry AS (
    INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version, shared_fields, created_at,
      created_by, updated_at, updated_by, external_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $9, $16)),
  shown AS (SELECT locale FROM given ORDER BY ${shownFirst}, locale LIMIT 1),
  state AS (${state}),
  ${version},
  ${links}
  ${linked}`,
};

/** One round trip for locales, shared fields, version, links and anchors. */
export const saveEntry = {
  name: 'save_entry',
  text: `WITH entry AS (
    UPDATE entries SET version = $6, shared_fields = ${keptSql('shared_fields', '$7::jsonb')}, updated_at = $8, updated_by = $9
    WHERE tenant_id = $1 AND environment_id = $2 AND id = $3 AND content_type_id = $4 AND site_id = $5 RETURNING shared_hash),
  ${given},
  known AS (SELECT locale, created_at FROM entry_locales l WHERE environment_id = $2 AND entry_id = $3 AND ${isReadSql('l')}),
  shown AS (
    SELECT locale FROM (SELECT locale, created_at FROM known UNION ALL
      SELECT locale, $8 FROM given WHERE locale NOT IN (SELECT locale FROM known)) AS all_locales
    ORDER BY ${shownFirst}, created_at, locale LIMIT 1),
  state AS (
    ${state}
    ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET slug = excluded.slug, title = excluded.title,
      fields = ${keptFields}, shared_hash = excluded.shared_hash, is_shown = excluded.is_shown, updated_at = excluded.updated_at
    RETURNING locale, content_hash),
  others AS (
    UPDATE entry_locales l SET shared_hash = md5($7::jsonb::text), is_shown = l.locale = (SELECT locale FROM shown)
    WHERE l.environment_id = $2 AND l.entry_id = $3 AND l.locale NOT IN (SELECT locale FROM given)
      AND (l.shared_hash <> md5($7::jsonb::text) OR l.is_shown <> (l.locale = (SELECT locale FROM shown)))),
  ${version},
  ${links},
  unlinked AS (
    DELETE FROM entry_links k WHERE k.environment_id = $2 AND k.entry_id = $3
      AND (k.locale = '' OR k.locale IN (SELECT locale FROM given))
      AND NOT EXISTS (SELECT FROM links l WHERE l.field_id = k.field_id AND l.locale = k.locale AND l.target_id = k.target_id)),
  linked AS (${linked})
  SELECT (SELECT shared_hash FROM entry) AS "sharedHash",
    (SELECT jsonb_object_agg(locale, content_hash) FROM state) AS "contentHashes", ${anchoredSql('$3', 'SELECT locale FROM given')} AS anchored`,
};
