import { useQuery } from '@tanstack/react-query';
import { api, client, queryClient } from '../../api/client.js';
import { everyItem, PAGE_SIZE } from '../../api/every-item.js';
import { useProject } from '../../api/project-data.js';
import type { ListSearch } from '../list-search.js';
import { furtherFilters, isPlain, searchOf, type SavedView } from './view-settings.js';

const resource = 'entries';

/** The views of the list that the user sees: own and shared ones, by name. */
export function useViews() {
  const { slug: projectSlug, may } = useProject();
  return useQuery({
    queryKey: [...api.views.list.pathKey(), projectSlug, resource],
    queryFn: () =>
      everyItem((page) =>
        client.views.list.query({ projectSlug, resource, page, limit: PAGE_SIZE, orderBy: 'name:asc' }),
      ),
    enabled: may('views.list'),
  });
}

/** The list as its address says. */
export interface ViewedList {
  /** Undefined without a view, or while it is read. */
  readonly view: SavedView | undefined;
  /** Filters that apply: of the address, or of the view. */
  readonly search: ListSearch;
  readonly further: SavedView['filters'];
  readonly isChanged: boolean;
  readonly isPending: boolean;
  /** Why the view cannot be applied; null otherwise. */
  readonly error: unknown;
}

export function useViewedList(address: ListSearch): ViewedList {
  const { slug: projectSlug } = useProject();
  const id = address.view;
  const query = useQuery(
    api.views.get.queryOptions({ projectSlug, id: id ?? '' }, { enabled: id !== undefined }),
  );
  const view = id === undefined ? undefined : query.data?.data;
  const isChanged = view !== undefined && !isPlain(address);
  return {
    view,
    search: view === undefined || isChanged ? address : { ...searchOf(view), view: view.id },
    further: view === undefined ? {} : furtherFilters(view),
    isChanged,
    isPending: id !== undefined && query.isPending,
    error: id === undefined ? null : query.error,
  };
}

/** After a view has changed. */
export const refreshViews = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: api.views.pathKey() });
