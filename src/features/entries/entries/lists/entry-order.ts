import { inTextOrder } from '../../../../infrastructure/text-order.js';
import {
  casts,
  combinedSql,
  filterSql,
  likePattern,
  valueIn,
  type Condition,
} from '../../../publishing/delivery/index.js';
import { afterSql, orderSql, type Keyset, type Position } from '../../../shared/cursor/list-page.js';
import type { EntryCondition, EntryOrder, FieldOrder } from './entry-filters.js';

/** Of a list of entries `e`, each with the locale `l` that is shown. */
interface Ordered {
  readonly orderBy: EntryOrder;
  readonly isDeleted: boolean;
}

/** Adds a value and returns its placeholder. */
type Bind = (value: unknown) => string;
type Comparison = FieldOrder['comparison'];
type FieldCondition = Extract<Condition, { apiName: string }>;
type SingleCondition = Exclude<Condition, { combine: unknown }>;

/** Deleted entries are indexed by deletion time, their last change. */
export const updatedColumn = ({ isDeleted }: Ordered): string =>
  isDeleted ? 'e.deleted_at' : 'e.updated_at';

/** SQL of the draft value of a field, in the shown locale. */
const draftValue = (name: string, isLocalized: boolean): string =>
  valueIn(isLocalized ? 'l.fields' : 'e.shared_fields')(name);

/** Characters of a string in `draft_values`, which count for the order, so that positions are short. */
const INDEXED_CHARACTERS = 200;

interface DraftField {
  readonly contentTypeId: string;
  readonly apiName: string;
  readonly isLocalized: boolean;
}

/** SQL condition of the rows of `draft_values` that have the values of a field, of all entries. */
const ofField = (row: string, { contentTypeId, apiName }: DraftField, bind: Bind): string =>
  `${row}.environment_id = $1 AND ${row}.place = draft_place(${bind(contentTypeId)}::uuid, ${bind(apiName)}::text)`;

/** SQL condition of the rows that belong to the listed entry. @param id SQL of its id */
const ofEntry = (row: string, { isLocalized }: DraftField, id = 'e.id'): string =>
  `${row}.entry_id = ${id} AND ${row}.locale = ${isLocalized ? 'l.locale' : "''"}`;

interface OrderedValue {
  readonly type: Keyset['keys'][number]['type'];
  /** SQL of a key that is never null. @param value SQL of the compared value */
  readonly column: (value: string) => string;
}

const inOrder = (value: string): string => `coalesce(left(${value}, ${String(INDEXED_CHARACTERS)}), '')`;
const asText: OrderedValue = { type: 'text', column: (value) => inTextOrder(inOrder(value)) };
const orderedValues: Readonly<Record<Comparison, OrderedValue>> = {
  string: asText,
  link: asText,
  date: asText,
  number: { type: 'number', column: (value) => `coalesce(${value}, 0)` },
  boolean: { type: 'integer', column: (value) => `coalesce(${value}, false)::int` },
  time: { type: 'time', column: (value) => `coalesce(${value}, 'epoch'::timestamptz)` },
};

/** The column of `draft_values` in which values of the kind are compared. */
const columnOf = (comparison: Comparison): 'text' | 'number' =>
  orderedValues[comparison] === asText ? 'text' : 'number';

const byId = { column: 'l.entry_id', type: 'uuid' } as const;

/** Entries without a value come last in either direction. */
function fieldKeyset(order: FieldOrder, bind: Bind): Keyset {
  const { apiName, isLocalized, comparison, isAscending } = order;
  const value = casts[comparison](draftValue(`${bind(apiName)}::text`, isLocalized));
  const { type, column } = orderedValues[comparison];
  const isLast = { column: `(${value} IS ${isAscending ? '' : 'NOT '}NULL)::int`, type: 'integer' } as const;
  return { keys: [isLast, { column: column(value), type }, byId], isAscending };
}

/** @param bind adds a value and returns its placeholder */
export function keysetOf(query: Ordered, bind: Bind): Keyset {
  const { orderBy } = query;
  if (typeof orderBy === 'object') return fieldKeyset(orderBy, bind);
  const isAscending = orderBy.endsWith('asc');
  if (orderBy.startsWith('title'))
    return { keys: [{ column: inTextOrder('l.title'), type: 'text' }, byId], isAscending };
  const column = orderBy.startsWith('createdAt') ? 'e.created_at' : updatedColumn(query);
  return {
    keys: [
      { column, type: 'time' },
      { column: 'e.id', type: 'uuid' },
    ],
    isAscending,
  };
}

/** Whether the order is one of the locale that is shown. */
export const isOrderedByLocale = ({ orderBy }: Ordered): boolean =>
  typeof orderBy === 'object' || orderBy.startsWith('title');

/** Entries that a list finds: FROM clause with conditions, and the parts of it. */
interface Listed {
  readonly from: string;
  /** Join of the shown locale. */
  readonly shown: string;
  readonly where: string;
}

export interface IdPage {
  readonly limit: number;
  readonly offset: number;
  readonly isReversed: boolean;
  /** Of a walk. */
  readonly after: Position | null;
}

/** Documents of every locale are in each. */
export function inLocale(
  { locale, forAll }: { readonly locale: string | null; readonly forAll: readonly string[] },
  value: Bind,
): string {
  const own = `l.locale = ${value(locale)}`;
  if (forAll.length === 0) return own;
  return `CASE WHEN l.content_type_id = ANY(${value(forAll)}::uuid[]) THEN l.is_shown ELSE ${own} END`;
}

interface Binding {
  readonly bind: Bind;
}

/**
 * SQL of the ids of a page.
 * @throws AppError 422 `validation_failed` for a position of another list
 */
export function idsSql(query: Ordered, listed: Listed, page: IdPage & Binding): string {
  const { bind } = page;
  if (typeof query.orderBy === 'object') return idsByField(query.orderBy, listed, page);
  const keyset = keysetOf(query, bind);
  const order = orderSql({ ...keyset, isAscending: keyset.isAscending !== page.isReversed });
  const after = afterSql(keyset, page.after, bind);
  return `SELECT e.id ${listed.from}${after} ORDER BY ${order} LIMIT ${bind(page.limit)} OFFSET ${bind(page.offset)}`;
}

/**
 * Entries with a value in the order of their index, and those without one. The second half is read only if the first
 * one ends before the page does: without parallel workers, which sessions do not have, PostgreSQL appends in order.
 */
function idsByField(
  order: FieldOrder,
  { shown, where }: Listed,
  { bind, limit, offset, isReversed, after }: IdPage & Binding,
): string {
  const column = columnOf(order.comparison);
  // Throws for a position of another list.
  afterSql(fieldKeyset(order, String), after, String);
  const [isLast, ...ofValue] = after ?? [];
  const isPastValues = isLast === (order.isAscending ? '1' : '0');
  const some = bind(limit + offset);
  const half = (from: string, keys: Keyset['keys'], position: Position | null): string => {
    const keyset = { keys, isAscending: order.isAscending !== isReversed };
    return `(SELECT e.id ${from}${afterSql(keyset, position, bind)} ORDER BY ${orderSql(keyset)} LIMIT ${some})`;
  };
  const values = (row: string): string =>
    `${ofField(row, order, bind)} AND ${ofEntry(row, order)} AND ${row}.${column} IS NOT NULL`;
  const valued = isPastValues
    ? []
    : half(
        `FROM draft_values o JOIN entries e ON e.id = o.entry_id ${shown} ${where} AND ${values('o')}`,
        [
          { column: `o.${column}`, type: column },
          { column: 'o.entry_id', type: 'uuid' },
        ],
        after === null ? null : ofValue,
      );
  const others = half(
    `FROM entries e ${shown} ${where} AND NOT EXISTS (SELECT FROM draft_values o WHERE ${values('o')})`,
    [byId],
    isPastValues ? ofValue.slice(1) : null,
  );
  const halves = [valued, others].flat();
  const inOrder = isReversed ? halves.toReversed() : halves;
  return `SELECT id FROM (${inOrder.join(' UNION ALL ')}) AS p LIMIT ${bind(limit)} OFFSET ${bind(offset)}`;
}

const signs: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** SQL of a comparison with a row of `draft_values`; undefined if it takes the whole value. */
function comparedSql({ comparison, operator, values }: FieldCondition, row: string, bind: Bind) {
  const column = `${row}.${columnOf(comparison)}`;
  const [first = ''] = values;
  if (operator === 'exists') return { sql: 'true', isExact: true };
  if (operator === 'contains' && comparison === 'string')
    return { sql: `${column} COLLATE "default" ILIKE ${bind(likePattern(first))}`, isExact: false };
  if (values.some((value) => value.length >= INDEXED_CHARACTERS)) return undefined;
  const numbers: Partial<Record<Comparison, (value: string) => string>> = {
    number: (value) => `${bind(value)}::numeric`,
    boolean: (value) => `${bind(value)}::boolean::int`,
    time: (value) => `extract(epoch FROM ${bind(value)}::timestamptz) * 1000000`,
  };
  const type = columnOf(comparison) === 'text' ? 'text' : 'numeric';
  const valueSql = numbers[comparison] ?? ((value: string) => `${bind(value)}::text`);
  const sign = signs[operator];
  if (sign === undefined)
    return { sql: `${column} = ANY(ARRAY[${values.map(valueSql).join(', ')}]::${type}[])`, isExact: true };
  // Dates have the same order in every collation.
  const collated = comparison === 'string' ? `${column} COLLATE "C"` : column;
  return { sql: `${collated} ${sign} ${valueSql(first)}`, isExact: true };
}

const systemColumns = { _slug: 'l.slug', _id: 'l.entry_id', _publishedAt: 'l.published_at' };

/**
 * SQL of conditions on draft values that continues a WHERE clause; of what is listed, it names only the locale `l`.
 * They are compared with the rows of `draft_values`, longer strings with the values of the entries.
 */
export function conditionsSql(
  { conditions }: { readonly conditions: readonly EntryCondition[] },
  bound: unknown[],
): string {
  return conditions
    .map(({ condition, ...of }) => combinedSql(condition, (single) => singleSql(single, of, bound)))
    .join('');
}

/** SQL of a condition on the whole value of a field. @param row SQL of the row whose entry and locale have it */
function wholeSql(condition: FieldCondition, { row, isLocalized }: { row: string; isLocalized: boolean }) {
  const [source, values] = isLocalized
    ? [`entry_locales x WHERE x.entry_id = ${row}.entry_id AND x.locale = ${row}.locale`, 'x.fields']
    : [`entries x WHERE x.id = ${row}.entry_id`, 'x.shared_fields'];
  return (bound: unknown[]): string => {
    const matches = filterSql([condition], { value: valueIn(values), columns: systemColumns }, bound);
    return `EXISTS (SELECT FROM ${source} AND x.environment_id = $1${matches})`;
  };
}

function singleSql(
  condition: SingleCondition,
  { contentTypeId, localized }: Omit<EntryCondition, 'condition'>,
  bound: unknown[],
): string {
  const bind: Bind = (value) => `$${String(bound.push(value))}`;
  if ('key' in condition) return filterSql([condition], { value: String, columns: systemColumns }, bound);
  const { apiName, operator, values } = condition;
  const isLocalized = localized.includes(apiName);
  const isDenial = operator === 'exists' ? values[0] === 'false' : ['ne', 'nin'].includes(operator);
  const field = { contentTypeId, isLocalized, apiName };
  const compared = comparedSql(condition, 'v', bind);
  if (compared === undefined) return ` AND ${wholeSql(condition, { row: 'l', isLocalized })(bound)}`;
  const { sql, isExact } = compared;
  const isCut = `char_length(v.text) = ${String(INDEXED_CHARACTERS)}`;
  const whole = (): string => wholeSql(condition, { row: 'v', isLocalized })(bound);
  const matches = isExact ? sql : `(${sql} OR (${isCut} AND ${whole()}))`;
  return ` AND ${isDenial ? 'NOT ' : ''}EXISTS (SELECT FROM draft_values v
    WHERE ${ofField('v', field, bind)} AND ${ofEntry('v', field, 'l.entry_id')} AND ${matches})`;
}
