import { inTextOrder } from '../../../../infrastructure/text-order.js';
import { casts, filterSql } from '../../../publishing/delivery/index.js';
import type { Keyset } from '../../../shared/cursor/list-page.js';
import type { EntryCondition, EntryOrder, FieldOrder } from './entry-filters.js';

/** Of a list of entries `e`, each with the locale `l` that is shown. */
interface Ordered {
  readonly orderBy: EntryOrder;
  readonly isDeleted: boolean;
}

/** Deleted entries are indexed by deletion time, their last change. */
export const updatedColumn = ({ isDeleted }: Ordered): string =>
  isDeleted ? 'e.deleted_at' : 'e.updated_at';

/** SQL of the draft value of a field, in the shown locale. */
const draftValue = (name: string, isLocalized: boolean): string =>
  `(${isLocalized ? 'l.fields' : 'e.shared_fields'} -> ${name})`;

/** Characters of a string that count for the order, so that positions are short. */
const SORTED_CHARACTERS = 200;

interface OrderedValue {
  readonly type: Keyset['keys'][number]['type'];
  /** SQL of a key that is never null. @param value SQL of the compared value */
  readonly column: (value: string) => string;
}

const inOrder = (value: string): string => `coalesce(left(${value}, ${String(SORTED_CHARACTERS)}), '')`;
const asText: OrderedValue = { type: 'text', column: (value) => `${inOrder(value)} COLLATE "C"` };
const orderedValues: Readonly<Record<FieldOrder['comparison'], OrderedValue>> = {
  string: { type: 'text', column: (value) => inTextOrder(inOrder(value)) },
  link: asText,
  date: asText,
  number: { type: 'number', column: (value) => `coalesce(${value}, 0)` },
  boolean: { type: 'integer', column: (value) => `coalesce(${value}, false)::int` },
  time: { type: 'time', column: (value) => `coalesce(${value}, 'epoch'::timestamptz)` },
};

const byId = { column: 'l.entry_id', type: 'uuid' } as const;

/** Entries without a value come last in either direction. */
function fieldKeyset(order: FieldOrder, bind: (value: unknown) => string): Keyset {
  const { apiName, isLocalized, comparison, isAscending } = order;
  const value = casts[comparison](draftValue(`${bind(apiName)}::text`, isLocalized));
  const { type, column } = orderedValues[comparison];
  const isLast = { column: `(${value} IS ${isAscending ? '' : 'NOT '}NULL)::int`, type: 'integer' } as const;
  return { keys: [isLast, { column: column(value), type }, byId], isAscending };
}

/** @param bind adds a value and returns its placeholder */
export function keysetOf(query: Ordered, bind: (value: unknown) => string): Keyset {
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

const systemColumns = { _slug: 'l.slug', _id: 'e.id', _publishedAt: 'l.published_at' };

/** SQL of conditions on draft values that continues a WHERE clause. They are compared row by row. */
export const conditionsSql = (
  { conditions }: { readonly conditions: readonly EntryCondition[] },
  bind: unknown[],
): string =>
  conditions
    .map(({ condition, isLocalized }) => {
      const row = { value: (name: string) => draftValue(name, isLocalized), columns: systemColumns };
      return filterSql([condition], row, bind);
    })
    .join('');
