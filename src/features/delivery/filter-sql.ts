import type { Condition } from './content-filter.js';

const like = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The compared value of an item, which `of` names as a JSON value. */
const casts: Readonly<Record<Condition['comparison'], (of: string) => string>> = {
  string: (of) => `(${of} #>> '{}')`,
  link: (of) => `(${of} ->> '_ref')`,
  number: (of) => `(CASE WHEN jsonb_typeof(${of}) = 'number' THEN (${of})::numeric END)`,
  boolean: (of) => `(CASE WHEN jsonb_typeof(${of}) = 'boolean' THEN (${of})::boolean END)`,
  time: (of) => `((${of} #>> '{}')::timestamptz)`,
};
const types: Readonly<Record<Condition['comparison'], string>> = {
  string: 'text',
  link: 'text',
  number: 'numeric',
  boolean: 'boolean',
  time: 'timestamptz',
};
const signs: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** Adds a value and answers its placeholder. */
type Bind = (value: unknown) => string;

/** Whether one item of a field fulfils a condition that is not a denial. */
function itemSql({ comparison, operator, values }: Condition, item: string, bind: Bind): string {
  const compared = casts[comparison](item);
  const type = types[comparison];
  if (operator === 'contains' && comparison === 'string')
    return `${compared} ILIKE ${bind(like(values[0] ?? ''))}`;
  const sign = signs[operator];
  if (sign !== undefined) return `${compared} ${sign} ${bind(values[0])}::${type}`;
  return `${compared} = ANY(${bind(values)}::${type}[])`;
}

/** SQL of one condition on the resolved values in `fields`; names and values are bound, never written. */
function conditionSql(condition: Condition, fields: string, bind: Bind): string {
  const value = `(${fields} -> ${bind(condition.apiName)}::text)`;
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

/** More values than these are not worth a look-up each. */
const LOOKED_UP = 20;

/** A value as published documents hold it; times have more than one form. */
const stored: Readonly<Partial<Record<Condition['comparison'], (value: string) => string>>> = {
  string: (value) => `to_jsonb(${value}::text)`,
  link: (value) => `jsonb_build_object('_ref', ${value}::text)`,
  number: (value) => `to_jsonb(${value}::numeric)`,
  boolean: (value) => `to_jsonb(${value}::boolean)`,
};

/** What an index over values can find of a condition: rows beyond those that fulfil it, but never fewer. */
function lookUpSql(condition: Condition, of: (fields: string) => string, bind: Bind): string {
  const { comparison, operator, apiName, isList, values } = condition;
  const valueSql = stored[comparison];
  if (valueSql === undefined || (operator !== 'eq' && operator !== 'in') || values.length > LOOKED_UP)
    return '';
  const name = `${bind(apiName)}::text`;
  const found = values.map((value) => {
    const item = valueSql(bind(value));
    return of(`jsonb_build_object(${name}, ${isList ? `jsonb_build_array(${item})` : item})`);
  });
  return ` AND (${found.join(' OR ')})`;
}

/**
 * SQL of a filter, to follow a WHERE clause.
 * @param bind what stands before it has bound already; values are added to it
 * @param indexed SQL of whether an index finds these fields among the values of a row; nothing is indexed unless said
 */
export function filterSql(
  conditions: readonly Condition[],
  { fields, indexed }: { readonly fields: string; readonly indexed?: (fields: string) => string },
  bind: unknown[],
): string {
  const add: Bind = (value) => `$${String(bind.push(value))}`;
  const parts = conditions.map((condition) => {
    const lookUp = indexed === undefined ? '' : lookUpSql(condition, indexed, add);
    return `${lookUp} AND ${conditionSql(condition, fields, add)}`;
  });
  return parts.join('');
}
