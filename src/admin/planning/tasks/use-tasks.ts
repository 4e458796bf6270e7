import { useInfiniteQuery } from '@tanstack/react-query';
import { api, client, queryClient, type Outputs } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import type { TaskSearch } from './task-search.js';

export type Task = Outputs['tasks']['list']['data'][number];

const PAGE = 50;

export function useTasks({ assignee, kind }: TaskSearch) {
  const { slug: projectSlug } = useProject();
  const input = {
    ...{ projectSlug, limit: PAGE, assigneeId: assignee ?? ('me' as const) },
    ...(kind !== undefined && { kind: [kind] }),
  };
  return useInfiniteQuery({
    queryKey: [...api.tasks.list.queryKey(input), 'pages'],
    queryFn: ({ pageParam }) => client.tasks.list.query({ ...input, page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: ({ meta }, _pages, page) => (page < meta.pages ? page + 1 : undefined),
  });
}

/** After work was given to someone or done. */
export function refreshWork(): void {
  for (const queryKey of [
    api.tasks.pathKey(),
    api.translations.pathKey(),
    api.entries.pathKey(),
    api.calendar.pathKey(),
  ])
    void queryClient.invalidateQueries({ queryKey });
}
