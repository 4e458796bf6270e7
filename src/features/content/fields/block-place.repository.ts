import { convertValues, type ConvertedValues } from '../../../content/blocks/convert-values.js';
import { Catalog, type ContentTypeDefinition } from '../../../content/catalog.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import type { FieldValues } from '../../../content/model/field-definition.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { linkRows } from '../../entries/entries/index.js';
import { renewTranslations } from '../../environments/renames/index.js';
import type { FieldRow } from '../content-types/index.js';

type MovedField = Pick<FieldRow, 'contentTypeId' | 'apiName' | 'type' | 'localized'>;

interface Locale {
  readonly locale: string;
  readonly fields: FieldValues;
}

interface BlocksRow {
  readonly id: string;
  readonly contentTypeId: string;
  readonly shared: FieldValues;
  readonly locales: readonly Locale[];
}

interface ConvertedEntry extends ConvertedValues<Locale> {
  readonly id: string;
  readonly type: ContentTypeDefinition;
}

/** Entries of one statement: each can have a megabyte. */
const BATCH = 50;

/** Entries that have values of the field in blocks or, if its items are blocks, at all. */
const readSql = `SELECT e.id, e.content_type_id AS "contentTypeId", e.shared_fields AS shared,
    (SELECT jsonb_agg(jsonb_build_object('locale', l.locale, 'fields', l.fields) ORDER BY l.locale <> s.default_locale, l.locale)
      FROM entry_locales l WHERE l.environment_id = e.environment_id AND l.entry_id = e.id) AS locales
  FROM entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
  WHERE e.environment_id = $1 AND e.id > $3 AND ($4 AND e.content_type_id = $2
    OR e.id IN (SELECT b.entry_id FROM owned_blocks b WHERE b.environment_id = $1 AND b.content_type_id = $2))
  ORDER BY e.id LIMIT ${String(BATCH)}`;

/** A locale stays published if it was unchanged and has the values that it had. */
const writeLocales = `UPDATE entry_locales l SET fields = g.fields, shared_hash = md5(g.shared::text),
    published_content_hash = CASE WHEN n.is_kept THEN md5(l.slug || chr(10) || g.fields::text) ELSE l.published_content_hash END,
    published_shared_hash = CASE WHEN n.is_kept THEN md5(g.shared::text) ELSE l.published_shared_hash END
  FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, shared jsonb, fields jsonb, "isSame" boolean)
    JOIN entry_locales o ON o.environment_id = $1 AND o.entry_id = g.id AND o.locale = g.locale
    JOIN entries e ON e.environment_id = $1 AND e.id = g.id
    CROSS JOIN LATERAL (SELECT g."isSame" AND o.published_content_hash = o.content_hash
      AND o.published_shared_hash = e.shared_hash AS is_kept) AS n
  WHERE l.environment_id = $1 AND l.entry_id = g.id AND l.locale = g.locale`;

const writeEntries = `UPDATE entries e SET shared_fields = g.shared FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, shared jsonb)
  WHERE e.environment_id = $1 AND e.id = g.id`;

const dropLinks = 'DELETE FROM entry_links WHERE environment_id = $1 AND entry_id = ANY ($2::uuid[])';

const writeLinks = `INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id, is_media)
  SELECT $3, $1, g.id, g.locale, g."fieldId", g."targetId", g."isMedia"
  FROM jsonb_to_recordset($2::jsonb) AS g (id uuid, locale text, "fieldId" uuid, "targetId" uuid, "isMedia" boolean)
  ORDER BY g."targetId" ON CONFLICT DO NOTHING`;

/** The catalog in which the field has its new place. */
function withPlace(catalog: Catalog, { contentTypeId, apiName, localized }: MovedField): Catalog {
  const contentTypes = catalog.data.contentTypes.map((type) =>
    type.id === contentTypeId
      ? {
          ...type,
          fields: type.fields.map((field) => (field.apiName === apiName ? { ...field, localized } : field)),
        }
      : type,
  );
  return new Catalog({ ...catalog.data, contentTypes });
}

/** Drafts with blocks whose fields, or blocks fields that, become localized or shared (rule content/conversions). */
export class BlockPlaceRepository extends Repository {
  /** @param field under its name in the catalog, in its new place */
  async loss(catalog: Catalog, field: MovedField): Promise<{ values: number; entries: number }> {
    const lost = { values: 0, entries: 0 };
    for await (const entries of this.#converted(withPlace(catalog, field), field))
      for (const entry of entries) {
        lost.values += entry.lost;
        if (entry.lost > 0) lost.entries += 1;
      }
    return lost;
  }

  /** The caller allows rewriting. */
  async move(catalog: Catalog, field: MovedField): Promise<void> {
    const after = withPlace(catalog, field);
    for await (const entries of this.#converted(after, field)) {
      const locales = entries.flatMap(({ id, shared, locales: own }) =>
        own.map(({ locale, fields, isSame }) => ({ id, shared, locale, fields, isSame })),
      );
      const links = entries.flatMap(({ id, type, locales: own }) =>
        own.flatMap((one) => linkRows(after, type, one).map((link) => ({ id, ...link }))),
      );
      const ids = entries.map(({ id }) => id);
      const written = JSON.stringify(locales);
      for (const sql of renewTranslations.before) await this.query(sql, [this.environmentId, written]);
      await this.query(writeLocales, [this.environmentId, written]);
      await this.query(writeEntries, [
        this.environmentId,
        JSON.stringify(entries.map(({ id, shared }) => ({ id, shared }))),
      ]);
      for (const sql of renewTranslations.after) await this.query(sql, [this.environmentId, ids]);
      await this.query(dropLinks, [this.environmentId, ids]);
      await this.query(writeLinks, [this.environmentId, JSON.stringify(links), this.tenantId]);
    }
  }

  async *#converted(
    catalog: Catalog,
    { contentTypeId, type: kind }: MovedField,
  ): AsyncGenerator<ConvertedEntry[]> {
    let last = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const bind = [this.environmentId, contentTypeId, last, kindOf({ type: kind }).takesBlocks];
      const rows = await this.query<BlocksRow>(readSql, bind);
      yield rows.flatMap((row) => {
        const type = catalog.contentTypeById(row.contentTypeId);
        if (type === undefined) return [];
        const converted = convertValues(catalog, type, row);
        const isChanged = converted.locales.some(
          ({ fields }, index) => !isEqualJson(fields, row.locales[index]?.fields),
        );
        return isChanged || !isEqualJson(converted.shared, row.shared)
          ? [{ id: row.id, type, ...converted }]
          : [];
      });
      if (rows.length < BATCH) return;
      last = rows.at(-1)?.id ?? last;
    }
  }
}
