interface ListPage<T> {
  readonly data: readonly T[];
  readonly meta: { readonly pages: number };
}

/** Of one page of a short list. */
export const PAGE_SIZE = 100;

/** Every item of a list that is short enough to be read whole: content types, sites, environments. */
export async function everyItem<T>(read: (page: number) => Promise<ListPage<T>>): Promise<T[]> {
  const first = await read(1);
  const rest = Array.from({ length: Math.max(0, first.meta.pages - 1) }, (_, index) => read(index + 2));
  return [first, ...(await Promise.all(rest))].flatMap(({ data }) => [...data]);
}
