import { INSTANT_PATTERN } from '../../../../contracts/primitives.js';
import {
  type Condition,
  type FieldCondition,
  type SingleCondition,
  type SystemCondition,
  systemKeys,
  type SystemKey,
} from './content-filter.js';

/** Of ILIKE: everything that contains the text. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The instant that a string names; null for any other, whose cast would fail the whole query. */
const instantSql = (text: string): string =>
  `(CASE WHEN ${text} ~ '${INSTANT_PATTERN}' THEN (${text})::timestamptz END)`;

/** SQL of the compared value of a JSON value; strings are compared in NFC. */
export const casts: Readonly<Record<FieldCondition['comparison'], (of: string) => string>> = {
  string: (of) => `normalize(${of} #>> '{}', NFC)`,
  link: (of) => `(${of} ->> '_ref')`,
  number: (of) => `(CASE WHEN jsonb_typeof(${of}) = 'number' THEN (${of})::numeric END)`,
  boolean: (of) => `(CASE WHEN jsonb_typeof(${of}) = 'boolean' THEN (${of})::boolean END)`,
  date: (of) => `(${of} #>> '{}')`,
  time: (of) => instantSql(`(${of} #>> '{}')`),
};
const types: Readonly<Record<FieldCondition['comparison'], string>> = {
  string: 'text',
  link: 'text',
  number: 'numeric',
  boolean: 'boolean',
  date: 'text',
  time: 'timestamptz',
};
const signs: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** Binds a value and returns its placeholder. */
type Bind = (value: unknown) => string;

/** Whether one item matches a condition; negation is applied by the caller. */
function itemSql({ comparison, operator, values }: FieldCondition, item: string, bind: Bind): string {
  const compared = casts[comparison](item);
  const sqlType = types[comparison];
  if (operator === 'contains' && comparison === 'string')
    return `${compared} ILIKE ${bind(likePattern(values[0] ?? ''))}`;
  const sign = signs[operator];
  const order = sqlType === 'text' ? ' COLLATE "C"' : '';
  if (sign !== undefined) return `${compared}${order} ${sign} ${bind(values[0])}::${sqlType}`;
  return amongSql(comparison, { json: item, values }, bind);
}

/** Whether a JSON value is one of these, which are compared as values of the kind. */
export function amongSql(
  comparison: FieldCondition['comparison'],
  { json, values }: { readonly json: string; readonly values: readonly string[] },
  bind: Bind,
): string {
  return `${casts[comparison](json)} = ANY(${bind(values)}::${types[comparison]}[])`;
}

/** SQL of one condition on a resolved value. Names and values are bound. */
function fieldSql(condition: FieldCondition, valueOf: FilteredRow['value'], bind: Bind): string {
  const value = valueOf(`${bind(condition.apiName)}::text`);
  const { operator, isList, values } = condition;
  if (operator === 'exists') {
    const isThere = `coalesce(${value} NOT IN ('null'::jsonb, '[]'::jsonb), false)`;
    return values[0] === 'true' ? isThere : `NOT ${isThere}`;
  }
  const isDenial = operator === 'ne' || operator === 'nin';
  const one = isList
    ? `EXISTS (SELECT FROM jsonb_array_elements(CASE WHEN jsonb_typeof(${value}) = 'array' THEN ${value} ELSE '[]' END) AS item
        WHERE ${itemSql(condition, 'item', bind)})`
    : itemSql(condition, value, bind);
  return isDenial ? `NOT coalesce(${one}, false)` : `coalesce(${one}, false)`;
}

/** Above this many values an index lookup for each does not pay. */
const LOOKED_UP = 20;

const storedString = (value: string): string => `to_jsonb(${value}::text)`;

/** A value as in `filter_values`, which has strings in NFC; times have more than one notation. */
const stored: Readonly<Partial<Record<FieldCondition['comparison'], (value: string) => string>>> = {
  string: storedString,
  date: storedString,
  link: (value) => `jsonb_build_object('_ref', ${value}::text)`,
  number: (value) => `to_jsonb(${value}::numeric)`,
  boolean: (value) => `to_jsonb(${value}::boolean)`,
};

/** Condition that an index over values supports: it matches a superset of the rows. */
function lookUpSql(condition: FieldCondition, of: (fields: string) => string, bind: Bind): string {
  const { comparison, operator, apiName, isList, values } = condition;
  const valueSql = stored[comparison];
  if (valueSql === undefined || (operator !== 'eq' && operator !== 'in')) return '';
  if (values.length === 0 || values.length > LOOKED_UP) return '';
  const name = `${bind(apiName)}::text`;
  const found = values.map((value) => {
    const item = valueSql(bind(value));
    return of(`jsonb_build_object(${name}, ${isList ? `jsonb_build_array(${item})` : item})`);
  });
  return ` AND (${found.join(' OR ')})`;
}

/** SQL of a condition on a column, in a form that its index supports. */
function systemSql({ key, operator, values }: SystemCondition, column: string, bind: Bind): string {
  const { type } = systemKeys[key];
  if (operator === 'exists') return `${column} IS ${values[0] === 'true' ? 'NOT ' : ''}NULL`;
  if (operator === 'contains') return `${column} ILIKE ${bind(likePattern(values[0] ?? ''))}`;
  const sign = signs[operator];
  if (sign !== undefined) return `${column} ${sign} ${bind(values[0])}::${type}`;
  const one = `${column} = ANY(${bind(values)}::${type}[])`;
  return operator === 'ne' || operator === 'nin' ? `NOT coalesce(${one}, false)` : one;
}

/** What a filter compares. */
export interface FilteredRow {
  /** SQL of the resolved value of a field. @param name SQL of its name */
  readonly value: (name: string) => string;
  readonly columns: Readonly<Record<SystemKey, string>>;
  /** SQL condition that an index supports: the row contains these values. */
  readonly indexed?: (fields: string) => string;
}

/** The resolved values of one column. @param fields SQL of it */
export const valueIn =
  (fields: string): FilteredRow['value'] =>
  (name) =>
    `(${fields} -> ${name})`;

/**
 * Published documents `p` of one type.
 * @param contentTypeId SQL of its id; the index has values below their environment, `$1`, and type
 */
export const liveRow = (contentTypeId: string): FilteredRow => ({
  // Long texts are only in `fields`, which therefore takes many times as long to read.
  value: (name) =>
    `coalesce(p.filter_values #> ARRAY[$1::uuid::text, ${contentTypeId}::text, ${name}], p.fields -> ${name})`,
  columns: { _slug: 'p.slug', _id: 'p.entry_id', _publishedAt: 'p.published_at' },
  indexed: (fields) =>
    `p.filter_values @> jsonb_build_object($1::uuid::text, jsonb_build_object(${contentTypeId}::text, ${fields}))`,
});

/**
 * SQL of a filter that continues a WHERE clause.
 * @param bind values bound so far; more are appended
 */
export function filterSql(
  conditions: readonly Condition[],
  { value, columns, indexed }: FilteredRow,
  bind: unknown[],
): string {
  const add: Bind = (value) => `$${String(bind.push(value))}`;
  const single = (condition: SingleCondition): string => {
    if ('key' in condition) return ` AND ${systemSql(condition, columns[condition.key], add)}`;
    const lookUp = indexed === undefined ? '' : lookUpSql(condition, indexed, add);
    return `${lookUp} AND ${fieldSql(condition, value, add)}`;
  };
  return conditions.map((condition) => combinedSql(condition, single)).join('');
}

/**
 * SQL of a condition that continues a WHERE clause.
 * @param single SQL of one comparison, in the same form; null counts as false
 */
export function combinedSql(condition: Condition, single: (condition: SingleCondition) => string): string {
  if (!('combine' in condition)) return single(condition);
  const { combine, parts } = condition;
  const isTrue = parts.map((part) => `coalesce(true${combinedSql(part, single)}, false)`);
  if (combine === 'or') return ` AND (${isTrue.join(' OR ')})`;
  return ` AND ${combine === 'not' ? 'NOT ' : ''}(${['true', ...isTrue].join(' AND ')})`;
}
