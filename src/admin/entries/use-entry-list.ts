import { useInfiniteQuery } from '@tanstack/react-query';
import { api, client } from '../api/client.js';
import { cursorPages } from '../api/cursor-pages.js';
import { localesOf, useProject } from '../api/project-data.js';
import type { ListSearch } from './list-search.js';

const PAGE = 50;

type ListInput = Parameters<typeof client.entries.list.query>[0];

/**
 * The entries of the list, by pages.
 * @param further filters of a view that have no control; the service checked them when the view was saved
 */
export function useEntryList(search: ListSearch, further: object) {
  const project = useProject();
  const { type, site, locale, status, q, order, deleted } = search;
  const input = {
    ...(further as Partial<ListInput>),
    projectSlug: project.slug,
    limit: PAGE,
    locale: locale ?? localesOf(project)[0],
    ...(type !== undefined && { contentTypeApiName: [type] }),
    ...(site !== undefined && { siteId: [site] }),
    ...(status !== undefined && { status: [status] }),
    ...(q !== undefined && { q }),
    ...(deleted !== undefined && { deleted }),
    ...(order !== undefined && { orderBy: order }),
  };
  const read = (cursor: string) => client.entries.list.query({ ...input, cursor });
  return useInfiniteQuery(cursorPages(api.entries.list.queryKey(input), read));
}
