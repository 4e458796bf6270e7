import type { Catalog } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import type { FieldRow } from '../content-types/index.js';
import { BlockValueRepository, blocksOfType, publishedOfType } from '../../environments/renames/index.js';
import { BlockPlaceRepository } from './block-place.repository.js';
import { RewritingRepository } from '../../shared/rewriting.repository.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { sharedHashes } from '../../shared/published-body.js';
import { storedValue } from '../../shared/field-kind-sql.js';
import { FieldValueRepository } from './field-values.repository.js';

/** What a field becomes: a list or one value, the same in every locale or not. */
interface Conversion {
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
const keptSql = `SELECT DISTINCT ON (l.entry_id) l.entry_id, l.locale, l.fields -> $3 AS value
  FROM entry_locales l JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id
  WHERE l.environment_id = $1 AND l.content_type_id = $2 AND l.fields ? $3
  ORDER BY l.entry_id, l.locale <> s.default_locale, l.locale`;

const lengthOf = (value: string): string =>
  `CASE WHEN jsonb_typeof(${value}) = 'array' THEN jsonb_array_length(${value}) ELSE 0 END`;

/** Draft values that a conversion loses in whole or in part, and the entries with such a value in a draft or a document. */
function lossSql({ list, place }: Conversion): string {
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
const lossInBlocksSql = `WITH lost AS (SELECT b.entry_id FROM (${blocksOfType}) AS b WHERE ${lengthOf('(b.own -> $3)')} > 1),
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
const placeSql = (place: 'localized' | 'shared', type: string): string[] =>
  place === 'localized'
    ? [
        localizedSql(type),
        `UPDATE entries SET shared_fields = shared_fields - $3
         WHERE environment_id = $1 AND content_type_id = $2 AND shared_fields ? $3`,
      ]
    : [sharedSql(type)];

/** Moves the links of the field $2; those of a shared value before the values. */
const placedLinksSql = (place: 'localized' | 'shared'): string[] =>
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
function listSql(list: 'list' | 'single', hashes: (shared: string) => string): string[] {
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

/** What a conversion loses. */
export interface Loss {
  readonly values: number;
  readonly entries: number;
}

type Placement = Pick<FieldRow, 'type' | 'isList' | 'localized'>;

/** As long as a rename may take. */
const STATEMENT_SECONDS = 120;

const conversionOf = (before: Placement, after: Placement): Conversion => ({
  type: before.type,
  list: before.isList === after.isList ? null : after.isList ? 'list' : 'single',
  place: before.localized === after.localized ? null : after.localized ? 'localized' : 'shared',
});

/**
 * Values of a field that becomes a list, one value, localized or shared. One value becomes the first of a list, a shared
 * one that of every locale; back, the first of a list and the value of the default locale remain. Published documents
 * keep the value of their locale until it is published again. Values in own blocks follow.
 */
export class FieldConversionRepository extends Repository {
  /** @param catalog as it is before the conversion */
  async loss(
    catalog: Catalog,
    before: Pick<FieldRow, 'contentTypeId' | 'apiName'> & Placement,
    after: Placement,
  ): Promise<Loss> {
    const conversion = conversionOf(before, after);
    const { contentTypeId, apiName } = before;
    const bind = [this.environmentId, contentTypeId, apiName];
    const inBlocks =
      conversion.place === null
        ? null
        : await this.#places.loss(catalog, { ...before, localized: after.localized });
    if (kindOf(before).takesBlocks) return inBlocks ?? { values: 0, entries: 0 };
    const [found = { values: 0, entries: 0 }] = await this.query<Loss>(lossSql(conversion), bind);
    const [cut = { values: 0, entries: 0 }] =
      conversion.list === 'single' ? await this.query<Loss>(lossInBlocksSql, bind) : [];
    return {
      values: found.values + (inBlocks?.values ?? 0) + cut.values,
      entries: found.entries + (inBlocks?.entries ?? 0) + cut.entries,
    };
  }

  /**
   * No version is written; what is published and unchanged remains so where its value does.
   * @param catalog as it is before the conversion
   */
  async convert(catalog: Catalog, before: FieldRow, after: FieldRow): Promise<void> {
    const { list, place, type } = conversionOf(before, after);
    if (list === null && place === null) return;
    await this.allowTime(STATEMENT_SECONDS);
    const rewriting = new RewritingRepository(this.bound);
    await rewriting.begin();
    await rewriting.run(async () => {
      if (place !== null && !kindOf(before).takesBlocks) await this.#move(before, place, type);
      if (place !== null) await this.#places.move(catalog, { ...before, localized: after.localized });
      if (list === null) return;
      await this.#reshape(before, list, after.localized);
      const blocks = new BlockValueRepository(this.bound);
      await blocks.change(before.contentTypeId, { from: before.apiName, list });
      if (list === 'single') await blocks.drop(before.contentTypeId, before.id);
    });
  }

  get #places(): BlockPlaceRepository {
    return new BlockPlaceRepository(this.bound);
  }

  async #move(field: FieldRow, place: 'localized' | 'shared', type: string): Promise<void> {
    const bind = [this.environmentId, field.contentTypeId, field.apiName];
    const ofField = [this.environmentId, field.id];
    if (place === 'shared') {
      await this.query(
        `DELETE FROM entry_links k USING (${keptSql}) AS kept
         WHERE k.environment_id = $1 AND k.field_id = $4 AND k.entry_id = kept.entry_id AND k.locale <> kept.locale`,
        [...bind, field.id],
      );
      await new FieldValueRepository(this.bound).forgetTranslations(field);
    }
    for (const sql of placedLinksSql(place)) await this.query(sql, ofField);
    for (const sql of placeSql(place, type)) await this.query(sql, bind);
    if (place === 'localized') await this.translate(field);
  }

  async #reshape(field: FieldRow, list: 'list' | 'single', isLocalized: boolean): Promise<void> {
    const bind = [this.environmentId, field.contentTypeId, field.apiName];
    if (isLocalized) await this.#renewHashes(field, list);
    for (const sql of listSql(list, sharedHashes)) await this.query(sql, bind);
  }

  /** Makes the field one of translations, each made from the source as it is. */
  async translate({ contentTypeId, apiName, type }: FieldRow): Promise<void> {
    const live = storedValue(type, `((p.fields || coalesce(p.own_values, '{}')) -> $3)`);
    const bind = [this.environmentId, contentTypeId, apiName];
    await this.query(
      `UPDATE translation_sources k SET names = field_names(l.fields), hashes = CASE
         WHEN k.version IS NULL OR ${live} IS NULL OR jsonb_typeof(${live}) = 'null' THEN k.hashes
         ELSE k.hashes || jsonb_build_object($3::text, field_hash(${live})) END
       FROM entry_locales l JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id AND s.default_locale = l.locale
         LEFT JOIN published_entries p ON p.environment_id = l.environment_id AND p.entry_id = l.entry_id AND p.locale = l.locale
       WHERE k.environment_id = $1 AND l.environment_id = $1 AND l.content_type_id = $2 AND k.entry_id = l.entry_id
         AND l.fields ? $3`,
      bind,
    );
    await this.query(
      `UPDATE translations t SET names = field_names(l.fields), provenance = made.provenance,
         outdated = outdated_fields(made.provenance, k.hashes, k.version)
       FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
         LEFT JOIN translation_sources k ON k.environment_id = l.environment_id AND k.entry_id = l.entry_id
         JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id
         LEFT JOIN entry_locales o ON o.environment_id = l.environment_id AND o.entry_id = l.entry_id AND o.locale = s.default_locale
         CROSS JOIN LATERAL (SELECT u.provenance || source_marks(coalesce(o.fields, '{}'), ARRAY[$3::text], e.version) AS provenance
           FROM translations u WHERE u.environment_id = l.environment_id AND u.entry_id = l.entry_id AND u.locale = l.locale) AS made
       WHERE l.environment_id = $1 AND l.content_type_id = $2 AND l.fields ? $3
         AND t.environment_id = $1 AND t.entry_id = l.entry_id AND t.locale = l.locale`,
      bind,
    );
  }

  /** Translations stay as current as they are: the hashes of sources become those of the new values. */
  async #renewHashes({ contentTypeId, apiName, type }: FieldRow, list: 'list' | 'single'): Promise<void> {
    const renewed = (value: string): string =>
      list === 'list' ? `jsonb_build_array(${value})` : `(${value} -> 0)`;
    const live = storedValue(type, '(p.fields -> $3)');
    const source = `JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id AND s.default_locale = l.locale`;
    const hashes = `SELECT l.entry_id, field_hash(l.fields -> $3) AS old, field_hash(${renewed('(l.fields -> $3)')}) AS new
        FROM entry_locales l ${source} WHERE l.environment_id = $1 AND l.content_type_id = $2 AND l.fields ? $3
      UNION SELECT p.entry_id, field_hash(${live}), field_hash(${renewed(live)})
        FROM published_entries p JOIN entry_locales l ON l.environment_id = p.environment_id AND l.entry_id = p.entry_id
          AND l.locale = p.locale ${source} WHERE p.environment_id = $1 AND p.content_type_id = $2 AND p.fields ? $3`;
    const bind = [this.environmentId, contentTypeId, apiName];
    await this.query(
      `UPDATE translations t SET provenance = jsonb_set(t.provenance, ARRAY[$3, 'hash'], to_jsonb(h.new)) FROM (${hashes}) AS h
       WHERE t.environment_id = $1 AND t.entry_id = h.entry_id AND t.provenance -> $3 ->> 'hash' = h.old`,
      bind,
    );
    await this.query(
      `UPDATE translation_sources k SET hashes = jsonb_set(k.hashes, ARRAY[$3], to_jsonb(h.new)) FROM (${hashes}) AS h
       WHERE k.environment_id = $1 AND k.entry_id = h.entry_id AND k.hashes ->> $3 = h.old`,
      bind,
    );
  }
}
