import { textValue } from '../ui/search-values.js';

const statuses = ['draft', 'published', 'changed'] as const;
export type Status = (typeof statuses)[number];

/** The first one is that of the list by default. */
export const listOrders = ['updatedAt:desc', 'updatedAt:asc', 'createdAt:desc', 'createdAt:asc'] as const;
export type ListOrder = (typeof listOrders)[number];

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
export const orderOf = (value: unknown): ListOrder | undefined => listOrders.find((one) => one === value);

/** Addresses are typed by people: what is not a filter is ignored. */
export const readListSearch = (given: Record<string, unknown>): ListSearch => ({
  type: textValue(given.type),
  site: textValue(given.site),
  locale: textValue(given.locale),
  status: statusOf(given.status),
  q: typeof given.q === 'number' ? String(given.q) : textValue(given.q)?.slice(0, 200),
  author: textValue(given.author, 100),
  order: orderOf(given.order),
  columns: names(given.columns),
  view: textValue(given.view, 100),
  ...(given.deleted === true && { deleted: true }),
});

export const allStatuses = statuses;
