import { textValue } from '../ui/search-values.js';

const statuses = ['draft', 'published', 'changed'] as const;
export type Status = (typeof statuses)[number];

/** The first one is that of the list by default. */
export const listOrders = [
  'updatedAt:desc',
  'updatedAt:asc',
  'createdAt:desc',
  'createdAt:asc',
  'title:asc',
  'title:desc',
] as const;
/** Or by a field of the type. */
export type ListOrder = (typeof listOrders)[number] | `fields.${string}:${'asc' | 'desc'}`;

/** What a value is compared by; the last two need none. */
export const comparisons = ['contains', 'eq', 'ne', 'gte', 'lte', 'exists', 'missing'] as const;
export type Comparison = (typeof comparisons)[number];

/** A filter by a field of the type. */
export interface FieldFilter {
  readonly field: string;
  readonly comparison: Comparison;
  /** Empty where the comparison needs none. */
  readonly value: string;
}

/** The filters of the list, which are in the address. */
export interface ListSearch {
  readonly type?: string | undefined;
  readonly site?: string | undefined;
  readonly locale?: string | undefined;
  readonly status?: Status | undefined;
  readonly q?: string | undefined;
  /** Id of who changed the entries last. */
  readonly author?: string | undefined;
  readonly order?: ListOrder | undefined;
  /** Filters by fields; all apply. */
  readonly where?: readonly FieldFilter[] | undefined;
  /** Fields of the type; absent: those that were chosen in this browser. */
  readonly columns?: readonly string[] | undefined;
  /** Id of a saved view. Alone it is applied; with filters it is the view that they were changed from. */
  readonly view?: string | undefined;
  /** Deleted entries instead of those that exist. */
  readonly deleted?: true | undefined;
}

const COLUMNS = 100;

const names = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string').slice(0, COLUMNS)
    : undefined;

export const statusOf = (value: unknown): Status | undefined => statuses.find((one) => one === value);

const isFieldOrder = (value: unknown): value is `fields.${string}:asc` =>
  typeof value === 'string' && /^fields\.[A-Za-z_][A-Za-z0-9_]{0,62}:(?:asc|desc)$/.test(value);
export const orderOf = (value: unknown): ListOrder | undefined =>
  isFieldOrder(value) ? value : listOrders.find((one) => one === value);

/** The field that an order names. */
export const orderedField = (order: ListOrder | undefined): string | undefined =>
  isFieldOrder(order) ? order.slice('fields.'.length, order.indexOf(':')) : undefined;

const FILTERS = 20;

function filtersOf(value: unknown): readonly FieldFilter[] | undefined {
  const filters = (Array.isArray(value) ? (value as unknown[]) : []).flatMap((one): FieldFilter[] => {
    const { field, comparison: how, value: compared } = (one ?? {}) as Record<string, unknown>;
    const comparison = comparisons.find((known) => known === how);
    return typeof field === 'string' && comparison !== undefined && typeof compared === 'string'
      ? [{ field, comparison, value: compared }]
      : [];
  });
  return filters.length === 0 ? undefined : filters.slice(0, FILTERS);
}

type ApiFilter = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Filters by fields as the service takes them. */
export function apiFilterOf(filters: readonly FieldFilter[]): ApiFilter {
  const byField: Record<string, Record<string, string>> = {};
  for (const { field, comparison, value } of filters) {
    const isPresence = comparison === 'exists' || comparison === 'missing';
    const compared = isPresence ? { exists: String(comparison === 'exists') } : { [comparison]: value };
    byField[field] = { ...byField[field], ...compared };
  }
  return byField;
}

/** Undefined for a filter that the list has no words for. */
export function fieldFiltersOf(filter: unknown): readonly FieldFilter[] | undefined {
  if (typeof filter !== 'object' || filter === null) return undefined;
  const filters = Object.entries(filter).flatMap(([field, compared]) =>
    Object.entries((compared ?? {}) as object).map(([operator, value]: [string, unknown]) => ({
      field,
      comparison: operator !== 'exists' ? operator : String(value) === 'true' ? 'exists' : 'missing',
      value: operator === 'exists' ? '' : value,
    })),
  );
  const known = filtersOf(filters);
  return known?.length === filters.length ? known : undefined;
}

/** Addresses are typed by people: what is not a filter is ignored. */
export const readListSearch = (given: Record<string, unknown>): ListSearch => ({
  type: textValue(given.type),
  site: textValue(given.site),
  locale: textValue(given.locale),
  status: statusOf(given.status),
  q: typeof given.q === 'number' ? String(given.q) : textValue(given.q)?.slice(0, 200),
  author: textValue(given.author, 100),
  order: orderOf(given.order),
  where: filtersOf(given.where),
  columns: names(given.columns),
  view: textValue(given.view, 100),
  ...(given.deleted === true && { deleted: true }),
});

export const allStatuses = statuses;
