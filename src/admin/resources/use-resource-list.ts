import { getUntypedClient } from '@trpc/client';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { client } from '../api/client.js';
import { inputOf, type Contract } from './contract.js';
import type { Values } from './form-input.js';
import { optionsOf, unwrapped } from './property.js';
import type { ResourceSearch } from './resource-search.js';

const PAGE = 50;
const FIRST_CURSOR = '*';

interface ListPage {
  readonly data: readonly object[];
  readonly meta: {
    readonly total?: number;
    readonly page?: number;
    readonly pages?: number;
    readonly nextCursor?: string | null;
  };
}

/** Filters are typed in the address as text. */
function filterValues(contract: Contract, filters: Readonly<Record<string, string>>): Values {
  const { shape } = inputOf(contract);
  return Object.fromEntries(
    Object.entries(filters).flatMap(([key, value]): [string, unknown][] => {
      const schema = (shape as Readonly<Record<string, Parameters<typeof unwrapped>[0]>>)[key];
      if (schema === undefined) return [];
      const { type: form } = unwrapped(schema);
      if (form === 'boolean') return [[key, value === 'true']];
      return [[key, form === 'array' ? [value] : value]];
    }),
  );
}

/** Whether the list has pages by cursor, which are read one after the other. */
const hasCursor = (contract: Contract): boolean => 'cursor' in inputOf(contract).shape;

/** The orders of a list; empty if it has one only. */
export function ordersOf(contract: Contract): readonly string[] {
  const schema = inputOf(contract).shape.orderBy as Parameters<typeof unwrapped>[0] | undefined;
  return schema === undefined ? [] : (optionsOf(unwrapped(schema)) ?? []).map(String);
}

const MOVING_MILLISECONDS = 10_000;

interface ResourceListSource {
  /** Such as `redirects.list`. */
  readonly operation: string;
  readonly contract: Contract;
  readonly fixed: Values;
  readonly isMoving: (item: object) => boolean;
}

/** One page by number, or the pages by cursor that were read. */
export function useResourceList(
  { operation, contract, fixed, isMoving }: ResourceListSource,
  search: ResourceSearch,
) {
  const byCursor = hasCursor(contract);
  const { q, page = 1, orderBy, filters = {} } = search;
  const input = {
    ...fixed,
    limit: PAGE,
    ...(q !== undefined && 'q' in inputOf(contract).shape && { q }),
    ...(orderBy !== undefined && ordersOf(contract).includes(orderBy) && { orderBy }),
    ...filterValues(contract, filters),
    ...(!byCursor && { page }),
  };
  const read = (cursor: string): Promise<ListPage> =>
    getUntypedClient(client).query(operation, byCursor ? { ...input, cursor } : input) as Promise<ListPage>;
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: [operation.split('.'), { input, type: 'infinite' }, 'pages'],
      queryFn: ({ pageParam }) => read(pageParam),
      initialPageParam: FIRST_CURSOR,
      refetchInterval: ({ state }) =>
        state.data?.pages.some(({ data }) => data.some(isMoving)) === true ? MOVING_MILLISECONDS : false,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    }),
  );
}
