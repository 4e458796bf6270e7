import { textValue } from '../ui/search-values.js';

/** What a list of a resource is filtered and ordered by, which is in the address. */
export interface ResourceSearch {
  readonly q?: string | undefined;
  readonly page?: number | undefined;
  readonly orderBy?: string | undefined;
  readonly filters?: Readonly<Record<string, string>> | undefined;
}

const text = (value: unknown) => textValue(value, 200);

/** Addresses are typed by people: what is not a filter is ignored. */
export function readResourceSearch({ q, page, orderBy, filters }: Record<string, unknown>): ResourceSearch {
  const chosen =
    typeof filters === 'object' && filters !== null && !Array.isArray(filters)
      ? Object.entries(filters).flatMap(([key, value]) => {
          const one = text(value);
          return one === undefined ? [] : [[key, one] as const];
        })
      : [];
  return {
    q: typeof q === 'number' ? String(q) : text(q),
    page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
    orderBy: text(orderBy),
    filters: chosen.length === 0 ? undefined : Object.fromEntries(chosen),
  };
}
