import { composeValues } from '../../../content/blocks/stored-values.js';
import { valueParts, type BlockType } from '../../../content/blocks/value-parts.js';
import type { Catalog } from '../../../content/catalog.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { deliverFields, type DeliveredBlocks } from '../../../content/deliver-fields.js';
import type { FieldDefinition } from '../../../content/model/field-definition.js';
import type { Renames } from '../../../content/renames.js';
import { checkShapes, type FieldValues } from '../../../content/validate-fields.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { PublishedBody, publishedBody } from '../../shared/published-body.js';
import { RenameRepository } from '../../environments/renames/index.js';

/** A published document that differs from what was published. */
interface DocumentDifference {
  readonly entryId: string;
  readonly locale: string;
  readonly problem: 'missing' | 'left over' | 'differs' | 'text differs' | 'without its version';
}

export interface DocumentCheck {
  readonly checked: number;
  /** Compared with the version that was published, because a newer draft exists. */
  readonly older: number;
  readonly differences: DocumentDifference[];
}

interface CheckedRow {
  readonly entryId: string;
  readonly locale: string;
  readonly contentTypeId: string;
  readonly slug: string | null;
  readonly document: FieldValues | null;
  /** The document without values that it shows of fallbacks; so are its blocks. */
  readonly own: FieldValues | null;
  readonly blocks: DeliveredBlocks | null;
  readonly body: string | null;
  readonly publishedAt: Date | null;
  readonly isLatest: boolean;
  /** The draft, or the published version if the draft is newer; null if that version does not exist. */
  readonly sourceSlug: string | null;
  readonly fields: FieldValues | null;
  readonly shared: FieldValues | null;
  readonly renameNumber: number;
  readonly sharedRenameNumber: number;
}

/** The entry or one of its blocks, as it was published. */
interface SourcePart {
  readonly values: FieldValues;
  /** Fields whose values can be compared. */
  readonly fields: readonly FieldDefinition[];
  readonly type: BlockType;
  /** Null for the entry itself. */
  readonly id: string | null;
}

interface Source {
  readonly slug: string;
  readonly parts: readonly SourcePart[];
}

const BATCH = 500;

const newestPublished = `FROM whole_versions v WHERE v.environment_id = l.environment_id AND v.entry_id = l.entry_id
  AND v.version_num <= l.published_version`;

/** Compares published documents with the drafts or versions that they were made from. */
export class DocumentCheckRepository extends Repository {
  /** When fields were created and changed, by id. */
  readonly #fieldTimes = new Map<string, { readonly createdAt: Date; readonly updatedAt: Date }>();

  async check(catalog: Catalog, limit: number): Promise<DocumentCheck> {
    const differences: DocumentDifference[] = [];
    await this.allowTime(600);
    for (const { id, ...times } of await this.#timesOfFields()) this.#fieldTimes.set(id, times);
    let checked = 0;
    let older = 0;
    let last: Pick<CheckedRow, 'entryId' | 'locale'> = {
      entryId: '00000000-0000-0000-0000-000000000000',
      locale: '',
    };
    for (let rows = await this.#after(last); rows.length > 0; rows = await this.#after(last)) {
      const renames = await this.#renamesOf(rows);
      for (const row of rows) {
        const problem = problemOf(row, this.#sourceOf(row, catalog, renames));
        checked += 1;
        if (!row.isLatest) older += 1;
        if (problem !== undefined && differences.length < limit)
          differences.push({ entryId: row.entryId, locale: row.locale, problem });
      }
      last = rows.at(-1) ?? last;
    }
    return { checked, older, differences };
  }

  /** By content type, of rows that are compared with versions. */
  async #renamesOf(rows: readonly CheckedRow[]): Promise<ReadonlyMap<string, Renames>> {
    const renames = new Map<string, Renames>();
    const older = Map.groupBy(
      rows.filter(({ isLatest }) => !isLatest),
      ({ contentTypeId }) => contentTypeId,
    );
    for (const [contentTypeId, ofType] of older) {
      const ids = [...new Set(ofType.map(({ entryId }) => entryId))];
      renames.set(contentTypeId, await new RenameRepository(this.bound).ofEntries(ids));
    }
    return renames;
  }

  #sourceOf(row: CheckedRow, catalog: Catalog, renames: ReadonlyMap<string, Renames>): Source | undefined {
    const { sourceSlug: slug, fields, shared, contentTypeId, isLatest } = row;
    const type = catalog.contentTypeById(contentTypeId);
    if (slug === null || fields === null || shared === null) return undefined;
    if (type === undefined) return { slug, parts: [] };
    const names = isLatest ? undefined : renames.get(contentTypeId);
    const values = composeValues(
      names?.values(shared, row.sharedRenameNumber) ?? shared,
      names?.values(fields, row.renameNumber) ?? fields,
    );
    const parts = valueParts(catalog, type, values).map((part) => ({
      type: part.type,
      values: part.values,
      id: part.block?._ref ?? null,
      fields: isLatest
        ? part.type.fields
        : part.type.fields.filter((field) => accepts(field, part.values) && !this.#isNewer(field, row)),
    }));
    return { slug, parts };
  }

  /** A name can return with another field after its field was deleted; a list may have been one value since. */
  #isNewer({ id, isList }: FieldDefinition, { publishedAt }: CheckedRow): boolean {
    const times = this.#fieldTimes.get(id);
    if (times === undefined || publishedAt === null) return false;
    return times.createdAt > publishedAt || (isList && times.updatedAt > publishedAt);
  }

  #timesOfFields(): Promise<{ id: string; createdAt: Date; updatedAt: Date }[]> {
    const sql =
      'SELECT id, created_at AS "createdAt", updated_at AS "updatedAt" FROM fields WHERE environment_id = $1';
    return this.query(sql, [this.environmentId]);
  }

  #after({ entryId, locale }: Pick<CheckedRow, 'entryId' | 'locale'>): Promise<CheckedRow[]> {
    return this.query<CheckedRow>(
      `SELECT l.entry_id AS "entryId", l.locale, l.content_type_id AS "contentTypeId", p.slug, p.fields || coalesce(p.own_values, '{}') AS own,
         p.fields AS document, coalesce(p.own_blocks, p.blocks) AS blocks, p.body,
         l.published_at AS "publishedAt", s.is_latest AS "isLatest",
         CASE WHEN s.is_latest THEN l.slug ELSE was.slug END AS "sourceSlug",
         CASE WHEN s.is_latest THEN l.fields ELSE was.fields END AS fields,
         CASE WHEN s.is_latest THEN e.shared_fields ELSE shared.fields END AS shared,
         was.rename_number::float8 AS "renameNumber", shared.rename_number::float8 AS "sharedRenameNumber"
       FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
         CROSS JOIN LATERAL (SELECT coalesce(l.published_content_hash = l.content_hash
           AND l.published_shared_hash = e.shared_hash, false) AS is_latest) AS s
         LEFT JOIN LATERAL (SELECT v.slug, v.fields, v.rename_number ${newestPublished} AND v.locale = l.locale
           AND NOT s.is_latest ORDER BY v.version_num DESC LIMIT 1) AS was ON true
         LEFT JOIN LATERAL (SELECT v.shared_fields AS fields, v.rename_number ${newestPublished}
           AND NOT s.is_latest ORDER BY v.version_num DESC LIMIT 1) AS shared ON true
         LEFT JOIN published_entries p ON p.environment_id = l.environment_id AND p.entry_id = l.entry_id AND p.locale = l.locale
       WHERE l.environment_id = $1 AND (l.entry_id, l.locale) > ($2::uuid, $3) AND (l.published_at IS NOT NULL OR p.entry_id IS NOT NULL)
       ORDER BY l.entry_id, l.locale LIMIT $4`,
      [this.environmentId, entryId, locale, BATCH],
    );
  }
}

function problemOf(
  { document, own, blocks, body, publishedAt, slug }: CheckedRow,
  source: Source | undefined,
): DocumentDifference['problem'] | undefined {
  if (document === null) return 'missing';
  if (publishedAt === null) return 'left over';
  if (body !== null && !isBodyOf(body, document)) return 'text differs';
  if (source === undefined) return 'without its version';
  const isSame = source.parts.every((part) => isPartOf(part, own ?? document, blocks));
  return isSame && slug === source.slug && hasOnly(source.parts, blocks) ? undefined : 'differs';
}

function isPartOf(part: SourcePart, document: FieldValues, blocks: DeliveredBlocks | null): boolean {
  const block = part.id === null ? null : blocks?.[part.id];
  if (block === undefined || (block !== null && block.type !== part.type.id)) return false;
  const published = block === null ? document : block.fields;
  return Object.entries(deliverFields(part.fields, part.values)).every(([name, value]) =>
    // A field added after the publish is absent in the document.
    name in published ? isEqualJson(published[name], value) : isEmpty(value),
  );
}

/** Whether there are no blocks but those of the source, where all lists of blocks can be compared. */
function hasOnly(parts: readonly SourcePart[], blocks: DeliveredBlocks | null): boolean {
  if (parts.some(({ type, fields }) => fields.length < type.fields.length)) return true;
  const ids = new Set(parts.map(({ id }) => id));
  return Object.keys(blocks ?? {}).every((id) => ids.has(id));
}

/** Whether a text is complete and says what the values say. */
function isBodyOf(body: string, document: FieldValues): boolean {
  const text = new PublishedBody(body);
  if (!text.isIntact) return false;
  const values = text.values();
  return isEqualJson(values, document) && publishedBody(values) === body;
}

/** Versions are never rewritten, so a field may no longer accept its old value. */
const accepts = (field: FieldDefinition, values: FieldValues): boolean =>
  !(field.apiName in values) || checkShapes([field], values).length === 0;

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
