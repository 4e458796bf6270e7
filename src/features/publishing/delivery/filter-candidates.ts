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

const isLower = ({ operator }: FieldCondition): boolean => bounds[operator] === '>=';

/** @param isWide whether times have the bound that all matches are within, else the one whose other side all match */
function boundOf(condition: FieldCondition, isWide = true): string {
  const { comparison, values } = condition;
  const [value = ''] = values;
  if (comparison === 'number') return numberKey(Number(value));
  return comparison === 'time' ? timeKey(value, isLower(condition) === isWide) : stringKey(value);
}

/** Keys of one kind of values of a field that meet a condition. */
function keysSql({ comparison }: FieldCondition, place: string, condition: string): string {
  const kind = comparison === 'number' ? 'n' : 's';
  const next = String.fromCharCode(kind.charCodeAt(0) + 1);
  return `SELECT entry_id, locale FROM filter_keys
    WHERE place = ${place}::integer AND key >= '${kind}' AND key < '${next}'${condition}`;
}

/** Documents with one value within all bounds. */
function rangeSql(conditions: readonly FieldCondition[], place: number, bind: Bind): string {
  const [first] = conditions;
  if (first === undefined) return '';
  const keys = conditions.map(
    (condition) => ` AND key ${bounds[condition.operator] ?? '>='} ${bind(boundOf(condition))}::text`,
  );
  return keysSql(first, bind(place), keys.join(''));
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
  const ranges = rangesOf(ofFields).flatMap((range) =>
    range[0] === undefined ? [] : rangeSql(range, place(range[0]), add),
  );
  const found = [...terms, ...ranges];
  if (found.length === 0) return undefined;
  return `(${found.map((sql) => `(${sql})`).join(' INTERSECT ')}) UNION ${notedSql(list, add)}`;
}

/** Documents that wait to be indexed. */
const notedSql = ({ environmentId, contentTypeId }: FilteredList, bind: Bind): string =>
  `SELECT entry_id, locale FROM filter_notes
    WHERE environment_id = ${bind(environmentId)}::uuid AND content_type_id = ${bind(contentTypeId)}::uuid AND entry_id IS NOT NULL`;

/** What the index knows of the matches of a filter. */
export interface Division {
  /** SQL of the keys of documents that match, unless they wait to be indexed. */
  readonly matching: string;
  /** SQL of the keys of documents that have to be looked at; all others do not match. */
  readonly open: string;
}

/**
 * Divides documents by the bounds of one field: a key is beyond a bound's only if its value is. Undefined for other
 * filters.
 * @param bind values bound so far; more are appended
 */
export function divisionSql(
  conditions: readonly Condition[],
  list: FilteredList,
  bind: unknown[],
): Division | undefined {
  const ofFields = conditions.filter((condition) => 'apiName' in condition);
  const [range, ...others] = rangesOf(ofFields);
  const [first] = range ?? [];
  const isOne = others.length === 0 && range?.length === conditions.length;
  if (!isOne || first === undefined || first.isList) return undefined;
  const add: Bind = (value) => `$${String(bind.push(value))}`;
  const place = add(placeOf({ ...list, apiName: first.apiName }));
  const wide: string[] = [];
  const strict: string[] = [];
  for (const condition of range ?? []) {
    const [outer, inner] = isLower(condition) ? ['>=', '>'] : ['<=', '<'];
    wide.push(`key ${outer} ${add(boundOf(condition))}::text`);
    strict.push(`key ${inner} ${add(boundOf(condition, false))}::text`);
  }
  const within = strict.join(' AND ');
  return {
    matching: keysSql(first, place, ` AND ${within}`),
    open: `${keysSql(first, place, ` AND ${wide.join(' AND ')} AND NOT (${within})`)} UNION ${notedSql(list, add)}`,
  };
}

/** Documents that can wait to be indexed: with more, and after a change of the type, the index is left out. */
const WAITING = 1000;

/** `$1` environment, `$2` type. */
export const readiness = {
  name: 'filter_index_readiness',
  text: `SELECT count(*) < ${String(WAITING)} AND count(*) = count(entry_id) AS "isReady" FROM (
    SELECT entry_id FROM filter_notes WHERE environment_id = $1 AND content_type_id = $2 LIMIT ${String(WAITING)}) AS waiting`,
};
