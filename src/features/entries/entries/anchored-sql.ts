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
