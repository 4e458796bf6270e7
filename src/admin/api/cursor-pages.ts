import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

interface CursorPage {
  readonly meta: { readonly nextCursor?: string | null | undefined };
}

const FIRST_CURSOR = '*';

/**
 * The pages of a list by cursor. Infinite queries of tRPC are not used: they send a `direction`, which the strict
 * inputs of the contracts refuse.
 */
export const cursorPages = <Page extends CursorPage>(
  queryKey: QueryKey,
  read: (cursor: string) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: FIRST_CURSOR,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
  });
