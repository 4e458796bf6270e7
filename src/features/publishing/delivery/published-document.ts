import type { DeliveredBlocks } from '../../../content/deliver-fields.js';
import { PublishedBody } from '../../shared/published-body.js';
import type { StoredDocument } from './document.js';
import { ownDocuments } from './own-documents.js';
import type { Condition, FieldCondition } from './content-filter.js';
import {
  longTerm,
  missingTerm,
  numberKey,
  placeOf,
  presentTerm,
  soughtTerms,
  stringKey,
  timeKey,
} from './filter-index/filter-terms.js';

/** Bytes above which less than the whole text of a document is read, if few fields are asked for. */
const LARGE = 4096;

/**
 * The text of a document; null where none is stored, whatever its length.
 * @param names number of the parameter with the fields to read, all if null
 */
const bodySql = (names: number | null): string =>
  names === null
    ? 'p.body'
    : `CASE WHEN octet_length(p.body) > ${String(LARGE)} THEN (
      SELECT chr(10) || coalesce(string_agg(l.line, chr(10)), '') FROM string_to_table(p.body, chr(10)) AS l (line)
      WHERE split_part(l.line, '"', 2) = ANY ($${String(names)}::text[])) ELSE p.body END`;

/** Among the names of fields to read: own blocks, too. */
export const BLOCKS = '_blocks';

/** What the read model stores as `p`: the text and, only where it is missing, the values. @param names as in `bodySql` */
export const storedSql = (names: number | null): string =>
  `${bodySql(names)} AS body, CASE WHEN p.body IS NULL THEN p.fields END AS fields,
  ${names === null ? 'p.blocks::text' : `CASE WHEN '${BLOCKS}' = ANY ($${String(names)}::text[]) THEN p.blocks::text END`} AS blocks`;

/** A row of the read model: its text or, if it has none, its values. */
export interface PublishedRow extends Omit<
  StoredDocument,
  'updatedAt' | 'publishedAt' | 'fields' | 'body' | 'ownBlocks' | 'ownerId'
> {
  /** Whether the document is that of every locale; its own is where it was written. */
  readonly allLocales: boolean | null;
  /** Since 1970: most reads need no date of it. */
  readonly publishedSeconds: number;
  readonly body: string | null;
  readonly fields: StoredDocument['fields'] | null;
  /** JSON of `DeliveredBlocks`. */
  readonly blocks: string | null;
}

/** Half a microsecond: seconds with a fraction are not exact. */
const HALF_MICROSECOND_MS = 0.0005;

/** A published document; its fields are parsed on access. The last change of published content is its last publish. */
class PublishedDocument implements StoredDocument {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly slug: string;
  readonly locale: string;
  readonly body: PublishedBody | undefined;
  #fields: StoredDocument['fields'] | null;
  readonly #publishedSeconds: number;
  readonly #blocksText: string | null;
  #blocks: StoredDocument['ownBlocks'];

  constructor(row: PublishedRow, requested: string | undefined) {
    this.id = row.id;
    this.contentTypeId = row.contentTypeId;
    this.siteId = row.siteId;
    this.slug = row.slug;
    this.locale = (row.allLocales === true ? requested : undefined) ?? row.locale;
    this.#publishedSeconds = row.publishedSeconds;
    this.body = row.body === null ? undefined : new PublishedBody(row.body);
    this.#fields = row.fields;
    this.#blocksText = row.blocks;
  }

  get publishedAt(): Date {
    return new Date(Math.floor(this.#publishedSeconds * 1000 + HALF_MICROSECOND_MS));
  }

  get updatedAt(): Date {
    return this.publishedAt;
  }

  get ownBlocks(): StoredDocument['ownBlocks'] {
    if (this.#blocks === undefined && this.#blocksText !== null)
      this.#blocks = ownDocuments(this, JSON.parse(this.#blocksText) as DeliveredBlocks);
    return this.#blocks;
  }

  get fields(): StoredDocument['fields'] {
    this.#fields ??= this.body?.values() ?? null;
    if (this.#fields === null) throw new Error(`The document ${this.id} has neither text nor values`);
    return this.#fields;
  }
}

/** @param requested the locale that a document of every locale is served in */
export const documentOf = (row: PublishedRow, requested: string | undefined): StoredDocument =>
  new PublishedDocument(row, requested);

/** The documents of a type. */
interface FilteredList {
  readonly environmentId: string;
  readonly contentTypeId: string;
}

/** Binds a value and returns its placeholder. */
type Bind = (value: unknown) => string;

const bounds: Readonly<Record<string, '>=' | '<='>> = { gt: '>=', gte: '>=', lt: '<=', lte: '<=' };

const documents = (condition: string): string =>
  `SELECT entry_id, locale FROM filter_documents WHERE ${condition}`;

function boundOf({ comparison, operator, values }: FieldCondition): string {
  const [value = ''] = values;
  if (comparison === 'number') return numberKey(Number(value));
  return comparison === 'time' ? timeKey(value, bounds[operator] === '>=') : stringKey(value);
}

/** Documents with one value within all bounds. */
function rangeSql(conditions: readonly FieldCondition[], place: number, bind: Bind): string {
  const [first] = conditions;
  const kind = first?.comparison === 'number' ? 'n' : 's';
  const keys = conditions.map(
    (condition) => ` AND key ${bounds[condition.operator] ?? '>='} ${bind(boundOf(condition))}::text`,
  );
  return `SELECT entry_id, locale FROM filter_keys WHERE place = ${bind(place)}::integer
    AND key >= '${kind}' AND key < '${String.fromCharCode(kind.charCodeAt(0) + 1)}'${keys.join('')}`;
}

function termsSql(condition: FieldCondition, place: number, bind: Bind): string | undefined {
  const { comparison, operator, values } = condition;
  const [value = ''] = values;
  const has = (terms: readonly number[]): string => `terms @> ${bind(terms)}::integer[]`;
  if (operator === 'exists')
    return documents(has([value === 'true' ? presentTerm(place) : missingTerm(place)]));
  if (operator !== 'contains' || comparison !== 'string') return undefined;
  const sought = soughtTerms(value, place);
  return sought && documents(`${has(sought)} OR ${has([longTerm(place)])}`);
}

/** Bounds of one field, which a single value is within. Each value of a list may be within another bound. */
function rangesOf(conditions: readonly FieldCondition[]): FieldCondition[][] {
  const ranges = new Map<string, FieldCondition[]>();
  for (const condition of conditions) {
    const { apiName, isList, operator } = condition;
    if (bounds[operator] === undefined) continue;
    const range = isList ? `${apiName} ${operator}` : apiName;
    ranges.set(range, [...(ranges.get(range) ?? []), condition]);
  }
  return [...ranges.values()];
}

/**
 * SQL of the keys of all documents that can match, also of those that wait to be indexed. Undefined if no condition
 * is found by the index, or if another index serves one: that of exact values, or one of a column.
 * @param bind values bound so far; more are appended
 */
export function candidatesSql(
  conditions: readonly Condition[],
  list: FilteredList,
  bind: unknown[],
): string | undefined {
  const ofFields = conditions.filter((condition) => 'apiName' in condition);
  const isServed = ofFields.some(({ operator }) => operator === 'eq' || operator === 'in');
  if (isServed || ofFields.length < conditions.length) return undefined;
  const add: Bind = (value) => `$${String(bind.push(value))}`;
  const place = ({ apiName }: FieldCondition): number => placeOf({ ...list, apiName });
  const terms = ofFields.flatMap((condition) => termsSql(condition, place(condition), add) ?? []);
  const ranges = rangesOf(ofFields).map((range) =>
    range[0] === undefined ? '' : rangeSql(range, place(range[0]), add),
  );
  const found = [...terms, ...ranges];
  if (found.length === 0) return undefined;
  return `(${found.map((sql) => `(${sql})`).join(' INTERSECT ')})
    UNION SELECT entry_id, locale FROM filter_notes
      WHERE environment_id = ${add(list.environmentId)}::uuid AND content_type_id = ${add(list.contentTypeId)}::uuid AND entry_id IS NOT NULL`;
}
