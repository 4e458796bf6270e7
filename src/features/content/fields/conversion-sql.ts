import { blocksOfType, publishedOfType } from '../../environments/renames/index.js';
import { storedValue } from '../../shared/field-kind-sql.js';

/** What a field becomes: a list or one value, the same in every locale or not. */
export interface Conversion {
  readonly type: string;
  readonly list: 'list' | 'single' | null;
  readonly place: 'localized' | 'shared' | null;
}

/** The values of the field $3 in the drafts of the type $2: `entry_id`, `locale` (empty for a shared one), `value`. */
const heldSql = `SELECT e.id AS entry_id, '' AS locale, e.shared_fields -> $3 AS value FROM entries e
    WHERE e.environment_id = $1 AND e.content_type_id = $2 AND e.shared_fields ? $3
  UNION ALL SELECT l.entry_id, l.locale, l.fields -> $3 FROM entry_locales l
    WHERE l.environment_id = $1 AND l.content_type_id = $2 AND l.fields ? $3`;

/** The value of each entry that every locale gets: that of the default locale, or of the first one that has any. */
export const keptSql = `SELECT DISTINCT ON (l.entry_id) l.entry_id, l.locale, l.fields -> $3 AS value
  FROM entry_locales l JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id
  WHERE l.environment_id = $1 AND l.content_type_id = $2 AND l.fields ? $3
  ORDER BY l.entry_id, l.locale <> s.default_locale, l.locale`;

const lengthOf = (value: string): string =>
  `CASE WHEN jsonb_typeof(${value}) = 'array' THEN jsonb_array_length(${value}) ELSE 0 END`;

/** Draft values that a conversion loses in whole or in part, and the entries with such a value in a draft or a document. */
export function lossSql({ list, place }: Conversion): string {
  const several = (value: string): string => (list === 'single' ? `${lengthOf(value)} > 1` : 'false');
  const differs = place === 'shared' ? 'h.value <> k.value' : 'false';
  return `WITH kept AS (${keptSql}),
    lost AS (SELECT h.entry_id FROM (${heldSql}) AS h LEFT JOIN kept k USING (entry_id) WHERE ${differs} OR ${several('h.value')}),
    live AS (SELECT entry_id FROM published_entries
      WHERE environment_id = $1 AND content_type_id = $2 AND ${several('(fields -> $3)')})
    SELECT (SELECT count(*)::int FROM lost) AS values,
      (SELECT count(*)::int FROM (SELECT entry_id FROM lost UNION SELECT entry_id FROM live) AS e) AS entries`;
}

/** As {@link lossSql}, of own blocks of the type $2 where the list $3 becomes one value. */
export const lossInBlocksSql = `WITH lost AS (SELECT b.entry_id FROM (${blocksOfType}) AS b WHERE ${lengthOf('(b.own -> $3)')} > 1),
    live AS (SELECT b.entry_id FROM (${publishedOfType}) AS b WHERE ${lengthOf('(b.own -> $3)')} > 1)
  SELECT (SELECT count(*)::int FROM lost) AS values,
    (SELECT count(*)::int FROM (SELECT entry_id FROM lost UNION SELECT entry_id FROM live) AS e) AS entries`;

/** The published value as drafts have it, of the document of `l`. */
const liveValue = (type: string): string =>
  `(SELECT ${storedValue(type, '(p.fields -> $3)')} FROM published_entries p
     WHERE p.environment_id = l.environment_id AND p.entry_id = l.entry_id AND p.locale = l.locale)`;

const contentHash = (fields: string): string => `md5(l.slug || chr(10) || (${fields})::text)`;

/** A locale stays published if its document has the value that its draft gets. */
const localizedSql = (type: string): string => {
  const own = `l.fields || jsonb_build_object($3::text, e.shared_fields -> $3)`;
  const shared = `md5((e.shared_fields - $3)::text)`;
  return `UPDATE entry_locales l SET fields = ${own}, shared_hash = ${shared},
     published_shared_hash = CASE WHEN l.published_shared_hash = e.shared_hash THEN ${shared} ELSE l.published_shared_hash END,
     published_content_hash = CASE WHEN l.published_content_hash = l.content_hash AND (l.published_shared_hash = e.shared_hash
       OR ${liveValue(type)} IS NOT DISTINCT FROM e.shared_fields -> $3) THEN ${contentHash(own)} ELSE l.published_content_hash END
   FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2 AND e.shared_fields ? $3
     AND l.environment_id = e.environment_id AND l.entry_id = e.id`;
};

const sharedSql = (type: string): string => {
  const shared = `md5((e.shared_fields || jsonb_build_object($3::text, k.value))::text)`;
  return `WITH kept AS (${keptSql}),
   locales AS (
     UPDATE entry_locales l SET fields = l.fields - $3, shared_hash = ${shared},
       published_content_hash = CASE WHEN l.published_content_hash = l.content_hash THEN ${contentHash('l.fields - $3')}
         ELSE l.published_content_hash END,
       published_shared_hash = CASE WHEN l.published_shared_hash = e.shared_hash
         AND ${liveValue(type)} IS NOT DISTINCT FROM k.value THEN ${shared} ELSE l.published_shared_hash END
     FROM kept k JOIN entries e ON e.environment_id = $1 AND e.id = k.entry_id
     WHERE l.environment_id = $1 AND l.entry_id = k.entry_id)
   UPDATE entries e SET shared_fields = e.shared_fields || jsonb_build_object($3::text, k.value)
   FROM kept k WHERE e.environment_id = $1 AND e.id = k.entry_id`;
};

/** Moves the values of the field $3 with its id $4 between locales and the whole entry. */
export const placeSql = (place: 'localized' | 'shared', type: string): string[] =>
  place === 'localized'
    ? [
        localizedSql(type),
        `UPDATE entries SET shared_fields = shared_fields - $3
         WHERE environment_id = $1 AND content_type_id = $2 AND shared_fields ? $3`,
      ]
    : [sharedSql(type)];

/** Moves the links of the field $2; those of a shared value before the values. */
export const placedLinksSql = (place: 'localized' | 'shared'): string[] =>
  place === 'localized'
    ? [
        `INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id, is_media)
         SELECT k.tenant_id, k.environment_id, k.entry_id, l.locale, k.field_id, k.target_id, k.is_media
         FROM entry_links k JOIN entry_locales l ON l.environment_id = k.environment_id AND l.entry_id = k.entry_id
         WHERE k.environment_id = $1 AND k.field_id = $2 AND k.locale = '' ORDER BY k.target_id ON CONFLICT DO NOTHING`,
        `DELETE FROM entry_links WHERE environment_id = $1 AND field_id = $2 AND locale = ''`,
      ]
    : [`UPDATE entry_links SET locale = '' WHERE environment_id = $1 AND field_id = $2`];

const become = (list: 'list' | 'single', fields: string): string =>
  list === 'list'
    ? `jsonb_set(${fields}, ARRAY[$3], jsonb_build_array(${fields} -> $3))`
    : `CASE WHEN ${lengthOf(`(${fields} -> $3)`)} = 0 THEN ${fields} - $3 ELSE jsonb_set(${fields}, ARRAY[$3], ${fields} -> $3 -> 0) END`;

/** Rewrites values of the field $3 in drafts and published documents. @param hashes see `sharedHashes` */
export function listSql(list: 'list' | 'single', hashes: (shared: string) => string): string[] {
  const own = become(list, 'l.fields');
  const unset = `jsonb_typeof(fields -> $3) = 'null'`;
  const live =
    list === 'list'
      ? `CASE WHEN ${unset} THEN '[]' ELSE jsonb_build_array(fields -> $3) END`
      : `coalesce(fields -> $3 -> 0, 'null')`;
  const held = 'environment_id = $1 AND content_type_id = $2';
  return [
    `UPDATE entry_locales l SET ${hashes(`(${become(list, 'e.shared_fields')})`)}
     FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2 AND e.shared_fields ? $3
       AND l.environment_id = e.environment_id AND l.entry_id = e.id`,
    `UPDATE entries SET shared_fields = ${become(list, 'shared_fields')} WHERE ${held} AND shared_fields ? $3`,
    `UPDATE entry_locales l SET fields = ${own}, published_content_hash = CASE WHEN l.published_content_hash = l.content_hash
       THEN ${contentHash(own)} ELSE l.published_content_hash END
     WHERE l.environment_id = $1 AND l.content_type_id = $2 AND l.fields ? $3`,
    `UPDATE published_entries SET fields = jsonb_set(fields, ARRAY[$3], ${live}) WHERE ${held} AND fields ? $3`,
  ];
}
