/**
 * Translations stay as current as they are while localized values are rewritten. They know values by marks: names of
 * fields, and `sections[<id>].title` of blocks in lists that all locales share (`field_marks`). A row of `roots` is a
 * mark of the source that changes: `{name, old, new}` with hashes, `old` null for what appears, `new` null for what goes.
 */
const roots = 'jsonb_to_recordset(c.roots) AS h (name text, old text, new text)';

/** @param changes SQL: `entry_id` and `roots` */
export const renewHashes = (changes: string): readonly string[] => [
  `UPDATE translations t SET provenance = (
       SELECT coalesce(jsonb_object_agg(p.key, CASE WHEN h.old = p.value ->> 'hash'
         THEN jsonb_set(p.value, '{hash}', to_jsonb(h.new)) ELSE p.value END), '{}')
       FROM jsonb_each(t.provenance) AS p LEFT JOIN ${roots} ON h.name = p.key WHERE h.name IS NULL OR h.new IS NOT NULL),
     outdated = ARRAY(SELECT name FROM unnest(t.outdated) WITH ORDINALITY AS o (name, n)
       WHERE NOT EXISTS (SELECT FROM ${roots} WHERE h.name = o.name AND h.new IS NULL) ORDER BY n)
   FROM (${changes}) AS c WHERE t.environment_id = $1 AND t.entry_id = c.entry_id`,
  `UPDATE translation_sources k SET hashes = (
       SELECT coalesce(jsonb_object_agg(p.key, CASE WHEN h.old = p.value #>> '{}' THEN to_jsonb(h.new) ELSE p.value END), '{}')
       FROM jsonb_each(k.hashes) AS p LEFT JOIN ${roots} ON h.name = p.key WHERE h.name IS NULL OR h.new IS NOT NULL)
   FROM (${changes}) AS c WHERE k.environment_id = $1 AND k.entry_id = c.entry_id`,
];

const sourceOf = `JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id AND s.default_locale = l.locale`;

/** Entries of the type $2. */
export const ENTRIES_OF_TYPE =
  '(SELECT e.id FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2)';

type MarkSql = (name: string) => string;

/** What becomes of the marks of a field of entries: another name (SQL), or null if they are dropped. */
export const fieldMark =
  (from: string, to: string | null): MarkSql =>
  (name) =>
    to === null
      ? `CASE WHEN ${name} <> ${from} AND NOT starts_with(${name}, ${from} || '[') THEN ${name} END`
      : `CASE WHEN ${name} = ${from} OR starts_with(${name}, ${from} || '[') THEN ${to} || substr(${name}, length(${from}) + 1)
         ELSE ${name} END`;

const listOf = (column: string, mark: MarkSql): string =>
  `ARRAY(SELECT m.mark FROM unnest(${column}) AS n (name) CROSS JOIN LATERAL (SELECT ${mark('n.name')} AS mark) AS m
     WHERE m.mark IS NOT NULL ORDER BY m.mark)`;

const objectOf = (column: string, mark: MarkSql): string =>
  `(SELECT coalesce(jsonb_object_agg(m.mark, n.value), '{}') FROM jsonb_each(${column}) AS n (name, value)
     CROSS JOIN LATERAL (SELECT ${mark('n.name')} AS mark) AS m WHERE m.mark IS NOT NULL)`;

/**
 * Renames or drops marks in translations and their sources.
 * @param named SQL of a part of their names
 * @param ids SQL of a set of ids of entries
 */
export const renameMarks = (mark: MarkSql, named: string, ids: string): readonly string[] => [
  `UPDATE translations t SET names = ${listOf('t.names', mark)}, outdated = ${listOf('t.outdated', mark)},
     provenance = ${objectOf('t.provenance', mark)}
   WHERE t.environment_id = $1 AND t.entry_id IN ${ids} AND strpos(concat(t.names, t.outdated, t.provenance), ${named}) > 0`,
  `UPDATE translation_sources k SET names = ${listOf('k.names', mark)}, hashes = ${objectOf('k.hashes', mark)}
   WHERE k.environment_id = $1 AND k.entry_id IN ${ids} AND strpos(concat(k.names, k.hashes), ${named}) > 0`,
];

/** What is written in each locale. @param ids SQL of a set of ids of entries */
export const renewNames = (ids: string): readonly string[] => [
  `UPDATE translations t SET names = field_names(l.fields) FROM entry_locales l
   WHERE l.environment_id = $1 AND l.entry_id IN ${ids} AND t.environment_id = $1 AND t.entry_id = l.entry_id
     AND t.locale = l.locale AND t.names <> field_names(l.fields)`,
  `UPDATE translation_sources k SET names = field_names(l.fields) FROM entry_locales l ${sourceOf}
   WHERE l.environment_id = $1 AND l.entry_id IN ${ids} AND k.environment_id = $1 AND k.entry_id = l.entry_id
     AND k.names <> field_names(l.fields)`,
];

const ofRows = '(SELECT unnest($2::uuid[]))';

/** Around a write of locales: `before` takes them as JSON in $2, `after` the ids of entries. */
export const renewTranslations = {
  before:
    renewHashes(`SELECT l.entry_id, jsonb_agg(jsonb_build_object('name', o.name, 'old', field_hash(m.was -> o.name),
      'new', field_hash(m.new -> o.name))) AS roots
    FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, fields jsonb)
      JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = g.id AND l.locale = g.locale ${sourceOf}
      CROSS JOIN LATERAL (SELECT field_marks(l.fields) AS was, field_marks(g.fields) AS new OFFSET 0) AS m
      CROSS JOIN LATERAL jsonb_object_keys(m.was || m.new) AS o (name)
    WHERE m.was -> o.name IS DISTINCT FROM m.new -> o.name GROUP BY l.entry_id`),
  after: [
    ...renewNames(ofRows),
    // A field that becomes one of translations counts as made from the source as it is.
    `UPDATE translations t SET provenance = t.provenance || source_marks(l.fields,
       ARRAY(SELECT name FROM unnest(t.names) AS name WHERE NOT t.provenance ? name), e.version)
     FROM entry_locales l ${sourceOf} JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
     WHERE l.environment_id = $1 AND l.entry_id IN ${ofRows} AND t.environment_id = $1 AND t.entry_id = l.entry_id
       AND NOT t.provenance ?& t.names`,
    `UPDATE translation_sources k SET hashes = field_hashes(l.fields) FROM entry_locales l ${sourceOf}
     WHERE l.environment_id = $1 AND l.entry_id IN ${ofRows} AND k.environment_id = $1 AND k.entry_id = l.entry_id
       AND k.version IS NOT NULL AND l.published_content_hash = l.content_hash`,
    `UPDATE translations t SET outdated = outdated_fields(t.provenance, k.hashes, k.version) FROM translation_sources k
     WHERE t.environment_id = $1 AND t.entry_id IN ${ofRows} AND k.environment_id = $1 AND k.entry_id = t.entry_id
       AND t.outdated <> outdated_fields(t.provenance, k.hashes, k.version)`,
  ],
} as const;
